// PostgreSQL rejects NUL and unpaired surrogates in text and in JSON.

/** Whether PostgreSQL accepts the text unchanged. Input from callers that is not storable is rejected, never altered. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Error message for rejected input, after the name of the field. */
export const NOT_STORABLE =
  'contains characters that cannot be stored: NUL, half a surrogate pair, or bytes that are not UTF-8'

/** The text without NUL and with a replacement character for every unpaired surrogate. */
export function toStorable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

/** The first `max` characters, one fewer where the cut would split a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** In a source that is storable itself, only these escapes can produce characters that are not. */
export const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/** Parses JSON from outside; all strings and keys of the result are storable. Throws like `JSON.parse`. */
export function parseJson(source: string): unknown {
  const text = toStorable(source)
  const value: unknown = JSON.parse(text)
  // Replacing escapes in the source is many times faster than a reviver that is called for every value.
  return UNSTORABLE_ESCAPE.test(text) ? JSON.parse(withStorableEscapes(text)) : value
}

/** Like parseJson, but returns undefined for invalid JSON. */
export function tryParseJson(source: string): unknown {
  try {
    return parseJson(source)
  } catch {
    return undefined
  }
}

const UNSTORABLE = /\\u(0000|d[89a-f][0-9a-f]{2})/gi
const REPLACEMENT = '\\ufffd'

/** Removes escapes of NUL from valid JSON and replaces every escaped unpaired surrogate. */
function withStorableEscapes(json: string): string {
  const parts: string[] = []
  let done = 0
  /** An escaped high surrogate, and the offset where its low surrogate has to start. */
  let half: { text: string; end: number } | null = null
  for (const { 0: text, 1: unit = '', index } of json.matchAll(UNSTORABLE)) {
    if (isBackslashEscaped(json, index)) continue
    if (half && half.end !== index) {
      parts.push(REPLACEMENT)
      half = null
    }
    parts.push(json.slice(done, index))
    done = index + text.length
    if (unit === '0000') {
      if (half) half.end = done
    } else if (/^d[89ab]/i.test(unit)) {
      if (half) parts.push(REPLACEMENT)
      half = { text, end: done }
    } else {
      parts.push(half ? half.text + text : REPLACEMENT)
      half = null
    }
  }
  if (half) parts.push(REPLACEMENT)
  parts.push(json.slice(done))
  return parts.join('')
}

/** Whether the backslash at this index is itself escaped, so that it does not start an escape. */
function isBackslashEscaped(json: string, index: number): boolean {
  let first = index
  while (json[first - 1] === '\\') first--
  return (index - first) % 2 === 1
}

// Text must be storable: PostgreSQL takes neither NUL nor half of a surrogate pair in a text or in JSON.

/** Whether PostgreSQL takes the text as it is. What a caller sends must be: it is refused otherwise, never altered. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Said of what is refused for it. */
export const NOT_STORABLE =
  'holds what is no text: the character NUL, half a surrogate pair, or bytes that are not UTF-8'

/** The text without NUL and with a replacement character for every half of a surrogate pair. */
export function toStorable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

/** The first `max` characters, one less where the cut would go through a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** Only an escape can bring in what is not storable, once the source itself is. */
export const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/** JSON from outside, its texts and names storable. Throws like `JSON.parse`. */
export function parseJson(source: string): unknown {
  const text = toStorable(source)
  const value: unknown = JSON.parse(text)
  // Replaced in the source, which takes a fraction of what calling a reviver for every value does.
  return UNSTORABLE_ESCAPE.test(text) ? JSON.parse(withStorableEscapes(text)) : value
}

/** The same, undefined for a text that is no JSON. */
export function tryParseJson(source: string): unknown {
  try {
    return parseJson(source)
  } catch {
    return undefined
  }
}

const UNSTORABLE = /\\u(0000|d[89a-f][0-9a-f]{2})/gi
const REPLACEMENT = '\\ufffd'

/** Valid JSON without escapes of NUL, and with a replacement for every escaped half of a surrogate pair. */
function withStorableEscapes(json: string): string {
  const parts: string[] = []
  let done = 0
  /** A first half that may still be followed by its second, and where that has to begin. */
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

/** Whether the backslash at this index is itself escaped: then it begins no escape. */
function isBackslashEscaped(json: string, index: number): boolean {
  let first = index
  while (json[first - 1] === '\\') first--
  return (index - first) % 2 === 1
}

// Text must be storable: PostgreSQL takes neither NUL nor half of a surrogate pair in a text or in JSON.

/** Whether PostgreSQL takes the text as it is. What a caller sends must be: it is refused otherwise, never altered. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Said of what is refused for it. */
export const NOT_TEXT = 'holds what is no text: the character NUL, half a surrogate pair, or bytes that are not UTF-8'

/** The text without NUL and with a replacement character for every half of a surrogate pair. */
export function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}

/** The first `max` characters, one less where the cut would go through a surrogate pair. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** Only an escape can bring in what is not storable, once the source itself is. */
export const ESCAPED = /\\u(?:0000|d[89a-f])/i

/** JSON from outside, its texts storable. Throws like `JSON.parse`. */
export function parseJson(source: string): unknown {
  const text = storable(source)
  if (!ESCAPED.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value) => (typeof value === 'string' ? storable(value) : value))
}

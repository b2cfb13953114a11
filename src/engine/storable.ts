// Text from outside must be storable: PostgreSQL takes neither NUL nor half of a surrogate pair in a text or in JSON.

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
const ESCAPED = /\\u(?:0000|d[89a-f])/i

/** JSON from outside, its texts storable. Throws like `JSON.parse`. */
export function parseJson(source: string): unknown {
  const text = storable(source)
  if (!ESCAPED.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value) => (typeof value === 'string' ? storable(value) : value))
}

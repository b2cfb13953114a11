/**
 * Control characters in text from a page could rewrite the screen, the window title or the clipboard; direction marks could
 * show the text in another order. Joiners stay, because emoji need them.
 */
const CONTROL = /(?![\n\t])\p{Cc}|\p{Cs}|[\ufff9-\ufffb]/gu
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
const BREAK = /\r\n?|[\u2028\u2029]/g

/** Text that is safe to write to a terminal, with its line breaks. */
export function sanitizeText(text: string): string {
  return text.replace(BREAK, '\n').replaceAll('\t', ' ').replace(CONTROL, '�').replace(DIRECTION, '')
}

/** Like sanitizeText, on one line. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text).replace(/\s*\n\s*/g, ' ')
}

/** JSON that is safe to write to a terminal: control characters are escaped, so that it parses to the same value. */
export function sanitizedJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Control characters could rewrite the screen, the title or the clipboard of whoever looks at a page's text; marks of
 * direction could show another order than the text has. Joiners stay: emoji are made with them.
 */
const CONTROL = /(?![\n\t])\p{Cc}|\p{Cs}|[\ufff9-\ufffb]/gu
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
const BREAK = /\r\n?|[\u2028\u2029]/g

/** Text of the service as it may be written to a terminal. Lines stay lines. */
export function sanitizeText(text: string): string {
  return text.replace(BREAK, '\n').replaceAll('\t', ' ').replace(CONTROL, '�').replace(DIRECTION, '')
}

/** The same on one line. */
export function sanitizeLine(text: string): string {
  return sanitizeText(text).replace(/\s*\n\s*/g, ' ')
}

/** JSON that a terminal may be shown: what it could act on is written as an escape, which reads back as the same text. */
export function sanitizedJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

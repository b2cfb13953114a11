import { parse } from 'node:querystring'

/** Stands for what cannot be decoded. It is not storable, so the request is refused with the name of the field. */
const NOT_TEXT = '\ud800'

/** Reads a query string. Bytes that are not UTF-8 are not mended: a search for something else than was asked is worse. */
export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : parse(text, '&', '=', { decodeURIComponent: decode })
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return NOT_TEXT
  }
}

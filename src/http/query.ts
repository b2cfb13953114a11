import { parse } from 'node:querystring'

/** Replaces values that cannot be decoded. It cannot be stored, so the request is rejected with the name of the field. */
const NOT_TEXT = '\ud800'

/** Parses a query string. Invalid UTF-8 is not replaced: that would search for a different text than requested. */
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

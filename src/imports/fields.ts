import { isStorable, NOT_STORABLE } from '../engine/text/storable.ts'
import { MAX_LINK_CHARS, readWebLink } from '../engine/text/web-address.ts'

/** Thrown for a row that cannot be imported; its message is the reason in the report. */
export class RowRejected extends Error {}

/** Returns the reason why the fields of a row cannot be stored, or null. */
export function unstorableReason(fields: Record<string, string>): string | null {
  for (const field in fields) {
    if (!isStorable(fields[field] as string)) return `${field} ${NOT_STORABLE}`
  }
  return null
}

/** Returns the text of a field, or null if it is empty. Throws RowRejected for a text longer than the API accepts; texts are not truncated. */
export function readTextField(fields: Record<string, string>, field: string, max: number): string | null {
  const text = fields[field]
  if (!text) return null
  // Counts code points, not UTF-16 code units.
  if (text.length > max && [...text].length > max) throw new RowRejected(`${field} has more than ${max} characters`)
  return text
}

/** Returns a link, or null if it is not a web address. Throws RowRejected. */
export function readLinkField(fields: Record<string, string>, field: string): string | null {
  const text = readTextField(fields, field, MAX_LINK_CHARS)
  return text && readWebLink(text)
}

/**
 * Parses `1,200`, `1.200` and `1 200` as 1200. A range such as `51-200` is its middle, which research replaces once it knows
 * the number; `10,001+` is 10001. Null for anything else.
 */
export function readHeadcount(text: string): number | null {
  if (text.length > 60) return null
  const numbers = text.replaceAll(/(\d)[\s,.'’](?=\d{3}(?!\d))/g, '$1').match(/\d+/g) ?? []
  const [from, to = from] = numbers.map(Number)
  const isCount = numbers.length <= 2 && numbers.every((digits) => digits.length <= 8)
  if (from === undefined || to === undefined || !isCount || to < from) return null
  return Math.round((from + to) / 2)
}

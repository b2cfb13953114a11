import { isStorable, NOT_STORABLE } from '../engine/text/storable.ts'
import { MAX_LINK_CHARS, readWebLink } from '../engine/text/web-address.ts'

/** Thrown by a row that cannot be imported; its message is the reason in the report. */
export class RowRejected extends Error {}

/** Why the fields of a line cannot be stored as they are, or null. */
export function unstorableReason(fields: Record<string, string>): string | null {
  for (const field in fields) {
    if (!isStorable(fields[field] as string)) return `${field} ${NOT_STORABLE}`
  }
  return null
}

/** The text of a field, null without one. Throws Unusable for one that is longer than the API takes: none is cut. */
export function readTextField(fields: Record<string, string>, field: string, max: number): string | null {
  const text = fields[field]
  if (!text) return null
  // Letters count, not the halves some of them are stored in.
  if (text.length > max && [...text].length > max) throw new RowRejected(`${field} has more than ${max} characters`)
  return text
}

/** A link; what is no web address is left out. Throws Unusable. */
export function readLinkField(fields: Record<string, string>, field: string): string | null {
  const text = readTextField(fields, field, MAX_LINK_CHARS)
  return text && readWebLink(text)
}

/** `1,200`, `1.200` and `1 200` are 1200; a range such as `51-200` is not a headcount and is left out. */
export function readHeadcount(text: string): number | null {
  const digits = text.replaceAll(/[\s,.'’]/g, '')
  return /^\d{1,8}$/.test(digits) ? Number(digits) : null
}

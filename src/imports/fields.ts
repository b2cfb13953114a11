import { isStorable, NOT_TEXT } from '../engine/storable.ts'
import { Unusable } from './batches.ts'

/** Why the fields of a line cannot be stored as they are, or null. */
export function unstorableReason(fields: Record<string, string>): string | null {
  for (const field in fields) {
    if (!isStorable(fields[field] as string)) return `${field} ${NOT_TEXT}`
  }
  return null
}

/** The text of a field, null without one. Throws Unusable for one that is longer than the API takes: none is cut. */
export function readText(fields: Record<string, string>, field: string, max: number): string | null {
  const text = fields[field]
  if (!text) return null
  // Letters count, not the halves some of them are stored in.
  if (text.length > max && [...text].length > max) throw new Unusable(`${field} has more than ${max} characters`)
  return text
}

import { cutText, toStorable } from '../../engine/text/storable.ts'

/** A text of a CRM as it is stored: without surrounding spaces and characters that cannot be stored. */
export function cleanText(text: string | null, max: number): string | null {
  return cutText(toStorable(text ?? '').trim(), max).trim() || null
}

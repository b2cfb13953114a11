import { CrmError } from './types.ts'

/** Attempts to create a record when the vendor gives no answer. */
const ATTEMPTS = 3

/** The last line of everything an activity writes: a later call finds the records of a lost result by it. */
export function activityReference(key: string): string {
  return `Bellwether reference: ${key}`
}

/** A text on one line, cut to a length. */
export function oneLine(text: string, max: number): string {
  return encodeWithin(text.replaceAll(/\s+/g, ' ').trim(), max, (character) => character)
}

/** Encodes a text character by character and cuts it so that the result has at most `max` UTF-16 code units. */
export function encodeWithin(text: string, max: number, encode: (character: string) => string): string {
  const encoded = Array.from(text.replaceAll('\r\n', '\n'), encode)
  if (sumOfLengths(encoded) <= max) return encoded.join('')
  const ellipsis = '…'
  let length = ellipsis.length
  const end = encoded.findIndex((part) => {
    length += part.length
    return length > max
  })
  return encoded.slice(0, end).join('') + ellipsis
}

function sumOfLengths(parts: string[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

/**
 * Creates a record unless it exists. A creation without an answer may have succeeded, so the record is searched before
 * each attempt.
 */
export async function findOrCreate(
  find: () => Promise<string | null>,
  create: () => Promise<string>,
): Promise<{ id: string; created: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const existing = await find()
    if (existing !== null) return { id: existing, created: attempt > 1 }
    try {
      return { id: await create(), created: true }
    } catch (error) {
      if (!isUnanswered(error) || attempt >= ATTEMPTS) throw error
    }
  }
}

/** No response, one of another shape, or a fault of the vendor. With a status of 4xx nothing was created. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof CrmError) || error.kind !== 'busy') return false
  return error.status === null || error.status < 400 || error.status >= 500
}

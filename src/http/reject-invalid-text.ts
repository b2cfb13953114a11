import { isStorable, NOT_STORABLE } from '../engine/text/storable.ts'
import { AppError } from '../shared/errors.ts'

/** Rejects text that PostgreSQL cannot store: text is stored as it was sent, or not at all. Throws invalid_request. */
export function rejectInvalidText(value: unknown, whole: string): void {
  const found = findUnstorable(value, '')
  if (found !== null) throw invalidTextError(found || whole)
}

export function invalidTextError(path: string): AppError {
  return new AppError('invalid_request', `${path} ${NOT_STORABLE}.`, { details: [{ path, message: NOT_STORABLE }] })
}

/** The path of the first such text; for a field name, the path of its object. */
function findUnstorable(value: unknown, path: string): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (value === null || typeof value !== 'object') return null
  for (const [key, part] of Object.entries(value)) {
    const found = isStorable(key) ? findUnstorable(part, path ? `${path}.${key}` : key) : path
    if (found !== null) return found
  }
  return null
}

import { isStorable, NOT_STORABLE } from '../engine/text/storable.ts'
import { AppError } from '../shared/errors.ts'

/** The one rule for all text that comes in: it is stored as it was sent, or refused. Throws invalid_request. */
export function rejectInvalidText(value: unknown, whole: string): void {
  const found = findUnstorable(value, '')
  if (found !== null) throw notText(found || whole)
}

export function notText(path: string): AppError {
  return new AppError('invalid_request', `${path} ${NOT_STORABLE}.`, { details: [{ path, message: NOT_STORABLE }] })
}

/** Where it is; for the name of a field, what has the field. */
function findUnstorable(value: unknown, path: string): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : path
  if (value === null || typeof value !== 'object') return null
  for (const [key, part] of Object.entries(value)) {
    const found = isStorable(key) ? findUnstorable(part, path ? `${path}.${key}` : key) : path
    if (found !== null) return found
  }
  return null
}

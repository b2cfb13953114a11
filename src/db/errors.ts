/**
 * For `.catch(...)` after a write: turns the violation of a unique constraint into the caller's error and rethrows any other
 * error. A check before the write could not prevent the race between two writers.
 */
export function onUniqueViolation(constraint: string, makeError: () => Error) {
  return onViolation('23505', constraint, makeError)
}

export const isUniqueViolation = (error: unknown, constraint: string) => isViolation(error, '23505', constraint)

/** The same for a foreign key: the referenced row does not exist, or no longer exists. */
export function onMissingReference(constraint: string, makeError: () => Error) {
  return onViolation('23503', constraint, makeError)
}

function onViolation(kind: string, constraint: string, makeError: () => Error) {
  return (error: unknown): never => {
    throw isViolation(error, kind, constraint) ? makeError() : error
  }
}

/** The error of another server has the constraint in its message only; that of a shard ends with the shard's number. */
function isViolation(error: unknown, kind: string, constraint: string): boolean {
  const { code, constraint: broken, message } = error as { code?: string; constraint?: string; message?: string }
  if (code !== kind) return false
  const name = broken ?? message?.match(/ constraint "([^"]+)"/)?.[1]
  return (
    name === constraint ||
    (name?.startsWith(`${constraint}_`) === true && /^\d+$/.test(name.slice(constraint.length + 1)))
  )
}

/**
 * For `.catch(...)` after a write: answers a broken unique constraint with an error of the caller's making and lets
 * everything else pass. The database decides who came first; an `if` before the write could not.
 */
export function onUniqueViolation(constraint: string, makeError: () => Error) {
  return onViolation('23505', constraint, makeError)
}

export const isUniqueViolation = (error: unknown, constraint: string) => isViolation(error, '23505', constraint)

/** The same for a foreign key: what the row refers to is not, or no longer, there. */
export function onMissingReference(constraint: string, makeError: () => Error) {
  return onViolation('23503', constraint, makeError)
}

function onViolation(kind: string, constraint: string, makeError: () => Error) {
  return (error: unknown): never => {
    throw isViolation(error, kind, constraint) ? makeError() : error
  }
}

function isViolation(error: unknown, kind: string, constraint: string): boolean {
  const { code, constraint: broken } = error as { code?: string; constraint?: string }
  return code === kind && broken === constraint
}

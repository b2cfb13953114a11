/**
 * For `.catch(...)` after a write: answers a broken unique constraint with an error of the caller's making and lets
 * everything else pass. The database decides who came first; an `if` before the write could not.
 */
export function onUniqueViolation(constraint: string, makeError: () => Error) {
  return onViolation('23505', constraint, makeError)
}

/** The same for a foreign key: what the row refers to is not, or no longer, there. */
export function onMissingReference(constraint: string, makeError: () => Error) {
  return onViolation('23503', constraint, makeError)
}

function onViolation(kind: string, constraint: string, makeError: () => Error) {
  return (error: unknown): never => {
    const { code, constraint: broken } = error as { code?: string; constraint?: string }
    throw code === kind && broken === constraint ? makeError() : error
  }
}

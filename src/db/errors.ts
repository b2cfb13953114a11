/**
 * For `.catch(...)` after a write: answers a broken unique constraint with an error of the caller's making and lets
 * everything else pass. The database decides who came first; an `if` before the write could not.
 */
export function onUniqueViolation(constraint: string, makeError: () => Error) {
  return (error: unknown): never => {
    const { code, constraint: broken } = error as { code?: string; constraint?: string }
    throw code === '23505' && broken === constraint ? makeError() : error
  }
}

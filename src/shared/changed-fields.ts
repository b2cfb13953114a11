import { isDeepStrictEqual } from 'node:util'

/**
 * The fields that would change something. Whoever writes back what they read, as many clients do, changes nothing: no
 * stamp moves, nothing counts as set by a person, no work is started.
 */
export function changedFields<T extends object>(present: { [field in keyof T]?: unknown }, wanted: T): Partial<T> {
  const fields = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(value, present[name as keyof T]))
  return Object.fromEntries(fields) as Partial<T>
}

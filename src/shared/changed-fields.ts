import { isDeepStrictEqual } from 'node:util'

/**
 * The fields whose values differ from the stored ones. Many clients write back a record as they read it: that must not
 * update a timestamp, mark a field as set by a person, or start a job.
 */
export function changedFields<T extends object>(present: { [field in keyof T]?: unknown }, wanted: T): Partial<T> {
  const fields = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(value, present[name as keyof T]))
  return Object.fromEntries(fields) as Partial<T>
}

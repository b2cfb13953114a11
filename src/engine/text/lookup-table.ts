/**
 * An object without a prototype, for lookups by words from documents or callers: in a plain object the word `constructor`
 * would find an inherited property.
 */
export function lookupTable<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows)
}

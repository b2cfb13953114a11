/**
 * A table that is looked up with words from outside. It has its own names and no others: a plain object would also answer to
 * `constructor`, which is a word that people write and a name they give.
 */
export function lookupTable<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows)
}

import { randomUUIDv7 } from 'node:crypto'

/** A unique id that sorts by creation time. */
export const newId: () => string = randomUUIDv7

/** Sorts before every id and identifies no row: the start of a keyset scan. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text is a uuid for PostgreSQL. A malformed id is treated like an unknown one. */
export function isId(text: string): boolean {
  return UUID.test(text)
}

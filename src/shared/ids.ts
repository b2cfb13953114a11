import { randomUUIDv7 } from 'node:crypto'

/** Unique, and sorting by it is sorting by time of creation. */
export const newId: () => string = randomUUIDv7

/** Before every id, and nobody's. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL would take this text as a uuid. A malformed id names nothing, like an unknown one. */
export function isId(text: string): boolean {
  return UUID.test(text)
}

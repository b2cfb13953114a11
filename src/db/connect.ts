import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Logger } from 'pino'
import type { Connection } from './embedded.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

const { builtins } = pg.types

/** `2026-11-15 01:26:23.12+00` to `2026-11-15T01:26:23.12Z`. */
function isoTimestamp(value: string): string {
  return value.endsWith('+00') ? `${value.slice(0, 10)}T${value.slice(11, -3)}Z` : new Date(value).toISOString()
}

function parserFor(oid: number, format?: 'text' | 'binary') {
  if (format !== 'binary') {
    if (oid === builtins.TIMESTAMPTZ) return isoTimestamp
    if (oid === builtins.DATE) return String
    // Counts and sizes: none of ours comes near 2^53.
    if (oid === builtins.INT8) return Number
  }
  return pg.types.getTypeParser(oid, format)
}

/** Begins a query whose best plan depends on its values: it is not prepared, so that it is planned with them. */
export const PLANNED_EACH_TIME = '/* planned each time */ '

/** Texts beyond this number are sent unprepared: a prepared statement holds memory in the server for each connection. */
const MAX_PREPARED = 300

/**
 * Prepares every query with parameters under a name, so that the server parses and plans it once for each connection.
 * On a short query that is a third of the whole cost.
 */
class PreparingClient extends pg.Client {
  static readonly #names = new Map<string, string>()

  // pg's own overloads cannot be restated here; the callers are Kysely and pg-pool, with (text, values).
  // biome-ignore lint/suspicious/noExplicitAny: see above
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0 || text.startsWith(PLANNED_EACH_TIME))
      return super.query(text, values, callback)
    const names = PreparingClient.#names
    let name = names.get(text)
    if (!name && names.size < MAX_PREPARED) {
      name = `q${names.size}`
      names.set(text, name)
    }
    return name ? super.query({ name, text, values }, callback) : super.query(text, values, callback)
  }
}

export type Pool = { db: Db; pool: pg.Pool }

type Options = { size: number; prepare: boolean; log: Logger }

/** Opens the pool. No connection is made until the first query. */
export function connect(connection: string | Connection, { size, prepare, log }: Options): Pool {
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: size,
    ...(prepare ? { Client: PreparingClient } : {}),
    application_name: 'bellwether',
    // A server that is gone must turn into an answer, not into a wait.
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
  })
  // An idle connection that breaks would otherwise end the process; the pool replaces it by itself.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ reason: error.message }, 'an idle database connection broke')
  })
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) }), pool }
}

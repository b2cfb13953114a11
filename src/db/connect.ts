import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
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

export type Pool = { db: Db; pool: pg.Pool }

/** Opens the pool. No connection is made until the first query. */
export function connect(connection: string | Connection, size: number, log: Logger): Pool {
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: size,
    application_name: 'bellwether',
    // A server that is gone must turn into an answer, not into a wait.
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
  })
  // An idle connection that breaks would otherwise end the process; the pool replaces it by itself.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), pool }
}

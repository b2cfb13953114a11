import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Logger } from 'pino'
import type { ServerConnection } from './embedded.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

const { builtins } = pg.types

/** `2026-11-15 01:26:23.12+00` to `2026-11-15T01:26:23.120Z`. PostgreSQL leaves zeros out. */
function isoTimestamp(value: string): string {
  const isUsual = value.endsWith('+00') && value[19] === '.' && value.length < 27
  if (!isUsual) return new Date(value).toISOString()
  return `${value.slice(0, 10)}T${value.slice(11, -3).padEnd(12, '0')}Z`
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

/** Longer than any query of ours takes; a server that hangs must turn into an answer too. */
const QUERY_TIMEOUT_MS = 60_000

/** Begins a query whose best plan depends on its values: it is not prepared, so that it is planned with them. */
export const PLANNED_EACH_TIME = '/* planned each time */ '

/** Texts beyond this number are sent unprepared: a prepared statement holds memory in the server for each connection. */
const MAX_PREPARED = 300

/**
 * Prepares every query with parameters under a name, so that the server parses and plans it once for each connection:
 * on a short query that is a third of the whole cost. Puts a time limit on each, but not on a cursor, which is read for
 * as long as its reader takes.
 */
function preparingClient(): typeof pg.Client {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known || names.size >= MAX_PREPARED || text.startsWith(PLANNED_EACH_TIME)) return known
    const name = `q${names.size}`
    names.set(text, name)
    return name
  }

  return class extends pg.Client {
    // pg's own overloads cannot be restated here; the callers are Kysely and pg-pool, with (text, values).
    // biome-ignore lint/suspicious/noExplicitAny: see above
    override query(text: any, values?: any, callback?: any): any {
      if (typeof text !== 'string') return super.query(text, values, callback)
      const name = Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
      return super.query({ name, text, values, query_timeout: QUERY_TIMEOUT_MS } as pg.QueryConfig, callback)
    }
  }
}

/** For a pooler that does not carry prepared statements from one connection to the next. */
class PlainClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text !== 'string') return super.query(text, values, callback)
    return super.query({ text, values, query_timeout: QUERY_TIMEOUT_MS } as pg.QueryConfig, callback)
  }
}

export type Pool = { db: Db; pool: pg.Pool }

type Options = { size: number; prepare: boolean; log: Logger }

/** Opens the pool. No connection is made until the first query. */
export function connect(connection: string | ServerConnection, { size, prepare, log }: Options): Pool {
  const pool = new pg.Pool({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: size,
    Client: prepare ? preparingClient() : PlainClient,
    application_name: 'bellwether',
    // A server that is gone must turn into an answer, not into a wait.
    connectionTimeoutMillis: 5_000,
    // Times without a zone, and months, mean the same on every server.
    options: '-c TimeZone=UTC',
    keepAlive: true,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
  })
  // A connection that breaks while nobody waits on it, idle or between two queries of a transaction, would otherwise
  // end the process. The pool replaces it; a transaction learns of it at its next query.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (!pool.ending) log.warn({ reason: error.message }, 'a database connection broke')
    })
  })
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) }), pool }
}

/** Throws when the server does not answer. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** As PostgreSQL counts: 150004 is 15.4. */
export async function serverVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  return Number(rows[0]?.version)
}

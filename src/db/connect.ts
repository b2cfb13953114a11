import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { clientClass, EndingCursor, NO_ANSWER } from './client.ts'
import type { ServerConnection } from './embedded.ts'
import { queryingPool } from './pool-query.ts'
import type { Database } from './schema.ts'
import { isoTimestamp } from './timestamps.ts'

export type Db = Kysely<Database>

const { builtins } = pg.types

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

type Options = {
  size: number
  prepare: boolean
  log: Logger
  /** How long a query may take, unless its work says otherwise, and how long any of them; without an end where not given. */
  limits?: { usualMs: number; longestMs: number }
}

/** Connections that are kept however long nobody asks. */
const WARM = 2
/** A server that is gone must turn into an answer, not into a wait. */
const CONNECT_MS = 5_000
/** After so long without a word the system asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000

/** How a connection to the server is made, and noticed to be gone; the same for our queries and the job queue's. */
export function connectionOptions(connection: string | ServerConnection, { usualMs }: { usualMs: number }) {
  return {
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    connectionTimeoutMillis: Math.min(CONNECT_MS, usualMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}

/** Opens the pool. No connection is made until the first query. */
export function connect(connection: string | ServerConnection, { size, prepare, log, limits }: Options): Pool {
  const pool = new pg.Pool({
    ...connectionOptions(connection, limits ?? { usualMs: CONNECT_MS }),
    max: size,
    // So many stay open over a quiet time: the first request after it need not wait for a connection to be made.
    min: Math.min(WARM, size),
    Client: clientClass({ prepare, limitMs: limits?.usualMs ?? null }),
    application_name: 'bellwether',
    // Times mean the same, and are written the same, on every server. What nobody waits for any more ends there too.
    options: `-c TimeZone=UTC -c DateStyle=ISO${limits ? serverLimits(limits) : ''}`,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
    ...(limits ? { onConnect: (client: pg.ClientBase) => noticeLostClient(client, log) } : {}),
  })
  // A connection that breaks while nobody waits on it, idle or between two queries of a transaction, would otherwise
  // end the process. The pool replaces it; a transaction learns of it at its next query.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (pool.ending) return
      log.warn({ reason: error.message }, 'a database connection broke')
      // Where one connection leads nowhere, the others that are as old may do so too.
      if ((error as NodeJS.ErrnoException).code === NO_ANSWER) retireIdle(pool)
    })
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool, cursor: EndingCursor }) })
  return { db: queryingPool(db, pool), pool }
}

/** A transaction whose client is gone must not keep its locks until the system finds out, which takes two hours. */
function serverLimits({ longestMs }: { longestMs: number }): string {
  return ` -c statement_timeout=${longestMs} -c idle_in_transaction_session_timeout=${longestMs}`
}

/**
 * Has the server look every two seconds whether its client is still there: a query that was given up here would otherwise
 * go on there, waiting for a lock, while we open the next connection. Servers on some systems cannot.
 */
async function noticeLostClient(client: pg.ClientBase, log: Logger): Promise<void> {
  await client
    .query('set client_connection_check_interval = 2000')
    .catch((error: Error) => log.debug({ reason: error.message }, 'the database does not notice lost clients'))
}

/** Replaces the connections that nobody uses at the moment. */
function retireIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left--) pool.connect((_error, _client, release) => release?.(true))
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

import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { createClientClass, DisconnectSafeCursor, QUERY_TIMEOUT_CODE } from './client.ts'
import { isoTimestamp } from './columns.ts'
import type { ServerConnection } from './embedded.ts'
import { sendQueriesToPool } from './pool-query.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>

const { builtins } = pg.types

function parserFor(oid: number, format?: 'text' | 'binary') {
  if (format !== 'binary') {
    if (oid === builtins.TIMESTAMPTZ) return isoTimestamp
    if (oid === builtins.DATE) return String
    // Counts and sizes, all far below 2^53.
    if (oid === builtins.INT8) return Number
  }
  return pg.types.getTypeParser(oid, format)
}

export type DatabasePool = { db: Db; pool: pg.Pool }

type Options = {
  size: number
  prepare: boolean
  log: Logger
  /** The default query timeout, and the statement timeout of the server; no timeouts unless given. */
  limits?: { usualMs: number; longestMs: number }
}

/** Idle connections that stay open. */
const MIN_CONNECTIONS = 2
/** The longest connection timeout; a query timeout that is shorter applies to connecting too. */
const CONNECT_MS = 30_000
/** Idle time before the first TCP keepalive probe. */
const KEEP_ALIVE_MS = 10_000

/** Connection options with timeout and keepalive, for the pool and for the job queue. */
export function connectionOptions(connection: string | ServerConnection, { usualMs }: { usualMs: number }) {
  return {
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    connectionTimeoutMillis: Math.min(CONNECT_MS, usualMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}

/** Creates the pool. No connection is opened before the first query. */
export function connect(connection: string | ServerConnection, { size, prepare, log, limits }: Options): DatabasePool {
  const pool = new pg.Pool({
    ...connectionOptions(connection, limits ?? { usualMs: CONNECT_MS }),
    max: size,
    // The first request after an idle time does not wait for a new connection.
    min: Math.min(MIN_CONNECTIONS, size),
    Client: createClientClass({ prepare, limitMs: limits?.usualMs ?? null }),
    application_name: 'bellwether',
    // The same time zone and date format on every server; the server timeouts end abandoned statements.
    options: `-c TimeZone=UTC -c DateStyle=ISO${limits ? serverLimits(limits) : ''}`,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
    // Without prepared statements there may be a pooler, which would set it on a connection of other clients.
    ...(limits && prepare ? { onConnect: (client: pg.ClientBase) => noticeLostClient(client, log) } : {}),
  })
  // Without a listener, a connection that breaks while idle or between two queries of a transaction would end the process.
  // The pool replaces it; the next query of the transaction fails.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      if (pool.ending) return
      log.warn({ reason: error.message }, 'a database connection failed')
      // After a timeout, other idle connections may be dead too.
      if ((error as NodeJS.ErrnoException).code === QUERY_TIMEOUT_CODE) retireIdle(pool)
    })
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialectWithoutLock({ pool, cursor: DisconnectSafeCursor }) })
  return { db: sendQueriesToPool(db, pool), pool }
}

/** The migrator of Kysely takes a session lock, which a pooler may leave on another connection: migrate.ts takes its own. */
class PostgresDialectWithoutLock extends PostgresDialect {
  override createAdapter() {
    return new (class extends PostgresAdapter {
      override async acquireMigrationLock() {}
      override async releaseMigrationLock() {}
    })()
  }
}

/** Ends transactions of a lost client, which would otherwise hold their locks until TCP detects the loss after two hours. */
function serverLimits({ longestMs }: { longestMs: number }): string {
  return ` -c statement_timeout=${longestMs} -c idle_in_transaction_session_timeout=${longestMs}`
}

/**
 * Makes the server check every two seconds whether its client is still connected: otherwise an abandoned query would
 * continue there, for example waiting for a lock. Not supported by servers on some operating systems.
 */
async function noticeLostClient(client: pg.ClientBase, log: Logger): Promise<void> {
  await client
    .query('set client_connection_check_interval = 2000')
    .catch((error: Error) => log.debug({ reason: error.message }, 'the database server cannot detect lost clients'))
}

/** Closes the idle connections; the pool opens new ones. */
function retireIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left--) pool.connect((_error, _client, release) => release?.(true))
}

/** Throws when the server does not respond. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** The server version as PostgreSQL numbers it, 150004 for 15.4, and whether the settings of `connect` reached the server. */
export async function readServer(db: Db): Promise<{ version: number; has_settings: boolean }> {
  const { rows } = await sql<{ version: number; has_settings: boolean }>`
    select current_setting('server_version_num')::int as version,
      lower(current_setting('TimeZone')) in ('utc', 'etc/utc', 'gmt', 'etc/gmt', 'uct', 'etc/uct', 'zulu', 'etc/zulu') and current_setting('DateStyle') like 'ISO%' as has_settings`.execute(
    db,
  )
  return rows[0] as (typeof rows)[number]
}

import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './connect.ts'
import { longestWaits } from './due-jobs.ts'

/** SQL: whether a start has set the database up. */
export const IS_SET_UP = `to_regclass('installation') is not null and to_regclass('pgboss.job') is not null`

type Server = {
  version: string
  bytes: number
  now: Date
  user: string
  /** Whether the user may create the tables of the service, and the schema of its job queue. */
  may_create: boolean
  /** Whether a start has set the database up. */
  is_set_up: boolean
}

/** What `bellwether doctor` reports about the server and the rights of the user. Works on an empty database. */
export async function describeServer(db: Db): Promise<Server> {
  const { rows } = await sql<Server & { epoch: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      extract(epoch from clock_timestamp())::float8 as epoch, current_user as user,
      has_schema_privilege(current_schema(), 'create')
        and has_database_privilege(current_database(), 'create') as may_create,
      ${sql.raw(IS_SET_UP)} as is_set_up`.execute(db)
  const [row] = rows
  if (!row) throw new Error('PostgreSQL returned no row.')
  return { ...row, now: new Date(row.epoch * 1000) }
}

/** The version of the schema of the job queue; null when there is none. */
export async function queueSchemaVersion(db: Db): Promise<number | null> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('pgboss.version') is not null as exists`.execute(
    db,
  )
  if (!rows[0]?.exists) return null
  const found = await sql<{ version: number }>`select version from pgboss.version`.execute(db)
  return found.rows[0]?.version ?? null
}

type QueueState = { longest: { name: string; seconds: number } | null; dead: number }

/** The queue whose oldest due job has waited longest, and the number of jobs that failed at every attempt. */
export async function describeQueues(pool: pg.Pool, deadLetters: string): Promise<QueueState> {
  const queues = await pool.query<{ name: string }>('select name from pgboss.queue where name <> $1', [deadLetters])
  const names = queues.rows.map(({ name }) => name)
  const waits = await longestWaits({ executeSql: (text, values) => pool.query(text, values) }, names)
  const [longest = null] = waits.filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds)
  const dead = await pool.query<{ count: number }>('select count(*) as count from pgboss.job where name = $1', [
    deadLetters,
  ])
  return { longest, dead: dead.rows[0]?.count ?? 0 }
}

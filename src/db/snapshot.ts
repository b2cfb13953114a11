import { isDeepStrictEqual } from 'node:util'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { SetupError } from '../shared/errors.ts'
import { type CopiedRows, copyFrom, copyTo } from './copy.ts'
import { IS_SET_UP } from './diagnostics.ts'
import type { ServerConnection } from './embedded.ts'
import { type AppliedMigration, listAppliedMigrations, migrate, SCHEMA_LOCK } from './migrate.ts'
import type { Database } from './schema.ts'

/** A table of the service by its name, or of the job queue as `pgboss.name`. */
export type TableOfSnapshot = { name: string; columns: string[] }

/** What a snapshot contains in addition to the rows. */
export type SnapshotHeader = {
  /** The workspace that the installation was set up with. */
  workspace_id: string
  /** The time of the snapshot by the clock of the database. */
  taken_at: string
  migrations: AppliedMigration[]
  /** Identify the secrets keys that the database accepts, several during a rotation; in hexadecimal digits. */
  secrets_key_checks: string[]
  sequences: { name: string; value: string }[]
  tables: TableOfSnapshot[]
}

/** What a restore needs of it. */
export type StoredHeader = Omit<SnapshotHeader, 'workspace_id' | 'taken_at'>

export type Snapshot = AsyncDisposable & {
  header: SnapshotHeader
  read: (table: TableOfSnapshot) => AsyncGenerator<CopiedRows>
}

/** Another process has a snapshot of the database open, or migrates it. */
export class SnapshotOpenError extends SetupError {}

/** Written by the migrations, or about processes that do not exist after a restore. */
const LEFT_OUT = ['kysely_migration', 'kysely_migration_lock', 'migration_checksums', 'worker_processes']
/** The jobs and what they need to run, in the order of their references. The statistics and warnings of the queue are left out. */
const JOB_TABLES = ['queue', 'schedule', 'subscription', 'job', 'job_dependency']
/** A large table takes minutes; the server ends a lost connection. */
const COPY_MS = 24 * 3_600_000
/** Values as text are the same on every server, and a table is read in the same order again. The server ends nothing early. */
const TEXT_FORMAT = `set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local synchronize_seqscans = off;
  set local max_parallel_workers_per_gather = 0; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`
/** A relation that an extension created. */
const OF_EXTENSION = `exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`

const quoted = (name: string) =>
  name.startsWith('pgboss.') ? `pgboss.${pg.escapeIdentifier(name.slice(7))}` : pg.escapeIdentifier(name)
const columnsOf = ({ columns }: TableOfSnapshot) => columns.map((column) => pg.escapeIdentifier(column)).join(', ')

/**
 * Opens a consistent snapshot of the database, which other sessions continue to change. Throws SetupError while another one is
 * open or a migration runs, and when the service has never been started on this database. The signal ends its connection, even
 * while a query waits.
 */
export async function openSnapshot(pool: pg.Pool, signal?: AbortSignal): Promise<Snapshot> {
  const client = await pool.connect()
  let isReleased = false
  const end = async () => {
    if (isReleased) return
    isReleased = true
    signal?.removeEventListener('abort', end)
    // Destroyed, not reused: this ends the transaction, the lock and the settings.
    client.release(true)
  }
  signal?.addEventListener('abort', end)
  try {
    signal?.throwIfAborted()
    await client.query(`begin isolation level repeatable read, read only; ${TEXT_FORMAT}`)
    // Before any table is locked: a migration that waits for this lock holds none, and requests do not queue behind it.
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${SCHEMA_LOCK}) as free`)
    if (!rows[0]?.free)
      throw new SnapshotOpenError('A backup or a migration of this database is running. Wait until it has ended.')
    await checkSetUp(client)
    const tables = await listTables(client)
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
    await checkUnchanged(client, pool, tables)
    return {
      header: await readHeader(client, tables),
      // A query, because COPY of a partitioned table itself reads no rows.
      read: (table) =>
        copyTo(client, `copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout`, COPY_MS),
      [Symbol.asyncDispose]: end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * Throws SnapshotOpenError when a migration was committed after the snapshot and before the locks: tables that it rewrote
 * would be empty in the snapshot.
 */
async function checkUnchanged(client: pg.ClientBase, pool: pg.Pool, tables: TableOfSnapshot[]): Promise<void> {
  const current = await pool.connect()
  try {
    const isSame =
      isDeepStrictEqual(await listTables(current), tables) &&
      isDeepStrictEqual(await listAppliedMigrations(kyselyOn(current)), await listAppliedMigrations(kyselyOn(client)))
    if (!isSame) throw new SnapshotOpenError('A migration ended while the backup began. Run it again.')
  } finally {
    current.release()
  }
}

async function checkSetUp(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ is_set_up: boolean }>(`select ${IS_SET_UP} as is_set_up`)
  if (!rows[0]?.is_set_up) throw new SetupError('This database is empty: start the service once, then back it up.')
}

async function readHeader(client: pg.ClientBase, tables: TableOfSnapshot[]): Promise<SnapshotHeader> {
  const { rows } = await client.query<{ workspace_id: string; taken_at: string }>(
    'select workspace_id, now()::text as taken_at from installation',
  )
  const [installation] = rows
  if (!installation) throw new SetupError('This database is not set up: start the service once.')
  const sequences = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  )
  return {
    ...installation,
    migrations: await listAppliedMigrations(kyselyOn(client)),
    secrets_key_checks: await listSecretsKeyChecks(client, tables),
    sequences: sequences.rows,
    tables,
  }
}

async function listSecretsKeyChecks(client: pg.ClientBase, tables: readonly TableOfSnapshot[]): Promise<string[]> {
  // Earlier versions could not rotate the key.
  const rotated = tables.some(({ name }) => name === 'secret_keys') ? 'union select master_check from secret_keys' : ''
  const { rows } = await client.query<{ value: string }>(
    `select encode(check_value, 'hex') as value
     from (select secrets_key_check from installation ${rotated}) as accepted (check_value)`,
  )
  return rows.map(({ value }) => value)
}

/** Tables of the service and of its queue, without those of extensions; columns without those that PostgreSQL computes. */
async function listTables(client: pg.ClientBase): Promise<TableOfSnapshot[]> {
  const { rows } = await client.query<TableOfSnapshot>(
    `select case when nspname = 'pgboss' then 'pgboss.' else '' end || relname as name,
       array_agg(attname::text order by attnum) as columns
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
     where relkind in ('r', 'p') and not relispartition
       and (nspname = current_schema() and relname <> all($1) or nspname = 'pgboss' and relname = any($2))
       and not ${OF_EXTENSION}
     group by nspname, relname
     order by nspname = 'pgboss', array_position($2, relname::text), relname collate "C"`,
    [LEFT_OUT, JOB_TABLES],
  )
  return rows
}

/** Kysely over one connection that the caller opens, closes and may also use directly. */
function kyselyOn(client: pg.ClientBase): Kysely<Database> {
  const pool = { connect: async () => ({ query: client.query.bind(client), release() {} }), end: async () => {} }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: pool as unknown as pg.Pool }) })
}

/** `rows` is the expected number, known when the data have been read. */
export type TableToLoad = TableOfSnapshot & { data: AsyncIterable<Buffer>; rows: () => number }

/** Throws SetupError unless the database has no tables of a service; an interrupted restore leaves none. */
export async function checkEmpty(connection: string | ServerConnection): Promise<void> {
  await withClient(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v')
         and relname not in ('kysely_migration', 'kysely_migration_lock')
         and not ${OF_EXTENSION}
       limit 1`,
    )
    if (rows[0]) {
      throw new SetupError(
        `A backup is restored into an empty database only, and this one has tables (${rows[0].name}). Create an empty database and set DATABASE_URL to it, or set DATA_DIR to a new folder.`,
      )
    }
  })
}

/**
 * Creates the schema of the snapshot in an empty database and loads its tables, all in one transaction. The schema of the job
 * queue must exist. Needs no more rights than the owner of the database has. Returns the tables and columns that the migrations
 * do not create, which the operator has added: they are restored as text.
 */
export async function loadSnapshot(
  connection: string | ServerConnection,
  header: StoredHeader,
  tables: AsyncIterable<TableToLoad>,
): Promise<string[]> {
  return await withClient(connection, (client) =>
    kyselyOn(client)
      .transaction()
      .execute(async (db) => {
        // More memory to build indexes with; the default is small for large tables.
        await client.query(`${TEXT_FORMAT}; set local maintenance_work_mem = '256MB'`)
        const names = header.migrations.map(({ name }) => name)
        // `checkEmpty` was before this transaction: a service may have started meanwhile.
        if (!isDeepStrictEqual((await migrate(db, new Set(names))).sort(), names.sort()))
          throw new SetupError(
            'Another process has created tables in this database. Stop it, and use an empty database.',
          )
        const own = await listTables(client)
        const added = await addMissing(client, own, header.tables)
        const rebuild = await dropKeysAndIndexes(client)
        // Migrations have inserted rows.
        await client.query(`truncate ${header.tables.map(({ name }) => quoted(name)).join(', ')} cascade`)
        for await (const table of tables) {
          // Rows of a table that was created in the same transaction need no later vacuum; partitions do not support it.
          const freeze = table.name.startsWith('pgboss.') ? '' : ' with (freeze)'
          const statement = `copy ${quoted(table.name)} (${columnsOf(table)}) from stdin${freeze}`
          const loaded = await copyFrom(client, statement, table.data)
          if (loaded !== table.rows()) throw new Error(`${loaded} of ${table.rows()} rows of ${table.name} were loaded`)
        }
        await rebuild()
        // Without effect for a sequence of the operator, which does not exist here.
        for (const { name, value } of header.sequences)
          await client.query('select setval(to_regclass(quote_ident($1)), $2)', [name, value])
        await releaseWork(client, own)
        // Without statistics the first queries would use bad plans.
        await client.query('analyze')
        return added
      }),
  )
}

/** Adds the tables and columns of the snapshot that the schema lacks, and returns their names. Throws SetupError for the job queue. */
async function addMissing(
  client: pg.ClientBase,
  present: readonly TableOfSnapshot[],
  tables: readonly TableOfSnapshot[],
): Promise<string[]> {
  const known = new Map(present.map(({ name, columns }) => [name, new Set(columns)]))
  const added: string[] = []
  for (const { name, columns } of tables) {
    const existing = known.get(name)
    const missing = columns.filter((column) => !existing?.has(column))
    if (missing.length === 0) continue
    if (name.startsWith('pgboss.')) {
      throw new SetupError(
        `The job queue of this version cannot load the jobs of this backup (${name}.${missing[0]}). Restore it with the version that made it, then upgrade.`,
      )
    }
    const definitions = missing.map((column) => `${pg.escapeIdentifier(column)} text`)
    await client.query(
      existing
        ? `alter table ${quoted(name)} ${definitions.map((definition) => `add column ${definition}`).join(', ')}`
        : `create table ${quoted(name)} (${definitions.join(', ')})`,
    )
    added.push(...(existing ? missing.map((column) => `${name}.${column}`) : [name]))
  }
  return added
}

/**
 * Drops foreign keys, indexes and unique constraints and disables triggers, which would run for each row. Returns the function
 * that brings them back; each foreign key is checked then.
 */
async function dropKeysAndIndexes(client: pg.ClientBase): Promise<() => Promise<void>> {
  const constraints = await client.query<{ at: string; name: string; definition: string; foreign: boolean }>(
    `select conrelid::regclass::text as at, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition,
       contype = 'f' as foreign
     from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('f', 'p', 'u', 'x')
       and conrelid <> all(array['kysely_migration', 'kysely_migration_lock', 'migration_checksums']::regclass[])
     order by contype = 'f' desc, 1, 2`,
  )
  const indexes = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class on pg_class.oid = indrelid where relnamespace = current_schema()::regnamespace
       and not exists (select from pg_constraint where conindid = indexrelid) order by 1`,
  )
  const triggers = await client.query<{ at: string }>(
    `select distinct tgrelid::regclass::text as at from pg_trigger join pg_class on pg_class.oid = tgrelid
     where not tgisinternal and relnamespace = current_schema()::regnamespace`,
  )
  for (const { at } of triggers.rows) await client.query(`alter table ${at} disable trigger user`)
  for (const { at, name } of constraints.rows) await client.query(`alter table ${at} drop constraint ${name}`)
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  return async () => {
    const add = ({ at, name, definition }: (typeof constraints.rows)[number]) =>
      client.query(`alter table ${at} add constraint ${name} ${definition}`)
    for (const constraint of constraints.rows) if (!constraint.foreign) await add(constraint)
    for (const { definition } of indexes.rows) await client.query(definition)
    for (const constraint of constraints.rows) if (constraint.foreign) await add(constraint)
    for (const { at } of triggers.rows) await client.query(`alter table ${at} enable trigger user`)
  }
}

/**
 * Releases the work of the processes that had it when the snapshot was taken: their jobs can start at once and do not count as
 * lost, and their leases end.
 */
async function releaseWork(client: pg.ClientBase, tables: readonly TableOfSnapshot[]): Promise<void> {
  await client.query(
    `update pgboss.job set state = 'created', started_on = null, heartbeat_on = null, start_after = now() where state = 'active'`,
  )
  for (const { name, columns } of tables) {
    if (!columns.includes('lease_until')) continue
    await client.query(`update ${quoted(name)} set lease_until = now() where lease_until > now()`)
  }
}

async function withClient<T>(
  connection: string | ServerConnection,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    application_name: 'bellwether-restore',
    keepAlive: true,
  })
  // Without a listener, a lost connection would end the process.
  let lost: Error | null = null
  client.on('error', (error) => {
    lost ??= error
  })
  await client.connect()
  try {
    return await run(client)
  } catch (error) {
    // The error of the rollback would hide it.
    const reason = lost as Error | null
    if (!reason) throw error
    throw new SetupError(
      `The connection to the database was lost: ${reason.message}. Nothing was restored: run it again.`,
    )
  } finally {
    await client.end()
  }
}

import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { connect, type Db, readServer } from '../db/connect.ts'
import { distribute } from '../db/distribution.ts'
import { findRunningServer, type ServerConnection, startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { SetupError } from '../shared/errors.ts'

const MINIMUM_POSTGRES = 150_000

type OpenDatabase = { connection: string | ServerConnection; db: Db; pool: pg.Pool } & AsyncDisposable

type Options = {
  /** Connects to the embedded server of a process that already runs instead of throwing. */
  share?: boolean
  /** Settings of the embedded server that override the defaults. */
  settings?: Record<string, string>
}

/** Connects to the configured PostgreSQL, or starts the embedded one, and migrates the schema. */
export async function openDatabase(config: Config, log: Logger, options: Options = {}): Promise<OpenDatabase> {
  await using stack = new AsyncDisposableStack()
  const opened = stack.use(await openServer(config, log, options))
  const applied = await migrateOn(opened.connection, log)
  if (applied.length > 0) log.info({ applied }, 'database schema is up to date')
  stack.move()
  return opened
}

/** The same without migrating: the schema may be that of another version, or absent. */
export async function openServer(
  config: Config,
  log: Logger,
  { share = false, settings = {} }: Options = {},
): Promise<OpenDatabase> {
  await using stack = new AsyncDisposableStack()
  const connection = config.DATABASE_URL ?? (share ? findRunningServer(config.DATA_DIR) : null) ?? (await embedded())
  const longestMs = config.DATABASE_JOB_TIMEOUT_SECONDS * 1000
  const { db, pool } = connect(connection, {
    size: config.DATABASE_POOL_SIZE,
    prepare: config.DATABASE_PREPARE,
    log,
    // A command may import for hours, so the limit for requests does not apply.
    limits: { usualMs: share ? longestMs : config.DATABASE_TIMEOUT_SECONDS * 1000, longestMs },
  })
  stack.defer(() => db.destroy())
  await checkServer(db, config)
  const open = stack.move()
  return { connection, db, pool, [Symbol.asyncDispose]: () => open.disposeAsync() }

  async function embedded(): Promise<ServerConnection> {
    const server = await startEmbedded({ dataDir: config.DATA_DIR, log, settings })
    stack.defer(server.stop)
    return server.connection
  }
}

/** Uses separate connections without a query timeout: a migration of large tables may take long. */
export async function migrateOn(connection: string | ServerConnection, log: Logger): Promise<string[]> {
  const { db } = connect(connection, { size: 2, prepare: false, log })
  try {
    return await migrate(db, undefined, () =>
      log.warn('a backup of the database is running; its migration begins when the backup has ended'),
    )
  } finally {
    await db.destroy()
  }
}

/** Distributes the tables of a Citus cluster, after migrating them, on a single connection without a query timeout. */
export async function distributeOn(connection: string, log: Logger): Promise<string[]> {
  await migrateOn(connection, log)
  const { db } = connect(connection, { size: 1, prepare: false, log })
  try {
    return await distribute(db, (table) => log.info({ table }, 'distributing a table'))
  } finally {
    await db.destroy()
  }
}

async function checkServer(db: Db, config: Config): Promise<void> {
  try {
    const plain = config.DATABASE_ENGINE === 'postgres' || config.DATABASE_ENGINE === 'citus'
    const { version, has_settings } = await readServer(db)
    if (plain && version < MINIMUM_POSTGRES) {
      throw new SetupError('DATABASE_URL must name a PostgreSQL 15 or later.')
    }
    // Otherwise a day would begin at another hour than with a direct connection.
    if (!has_settings) {
      throw new SetupError(
        'The time zone or date format of a connection does not reach PostgreSQL, because of a pooler or of options in DATABASE_URL. ' +
          `Set them for the database: alter database … set timezone to 'UTC'; alter database … set datestyle to 'ISO'.`,
      )
    }
  } catch (error) {
    if (error instanceof SetupError || !config.DATABASE_URL) throw error
    const { message, code } = error as NodeJS.ErrnoException
    throw new SetupError(`DATABASE_URL names a PostgreSQL that cannot be reached: ${message || code}`)
  }
}

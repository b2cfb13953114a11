import { type Command, Option } from 'commander'
import { createLogger } from '../app/log.ts'
import { distributeOn, openDatabase, openServer } from '../app/open-database.ts'
import { type Roles, type Service, startService } from '../app/service.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { hasCluster } from '../db/embedded.ts'
import { listPendingMigrations } from '../db/migrate.ts'
import { listPendingQueueMigrations, migrateQueue } from '../jobs/queue.ts'
import { edgarDisabledReason } from '../providers/filings/edgar.ts'
import { verificationProblem } from '../resources/integrations/email-verification.ts'
import { listMembers } from '../resources/members/store.ts'
import { createSignInLink } from '../resources/sessions/link.ts'
import { findInstallation } from '../resources/workspaces/store.ts'
import { SetupError } from '../shared/errors.ts'
import { recorded } from './context.ts'
import { EXIT_CODES } from './terminal/exit-codes.ts'

/** Grace period after which a shutdown that hangs is ended. */
const STOP_GRACE_MS = 15_000
/** A second Ctrl-C after this time ends the process at once. */
const REPEAT_MS = 1_000

export function serveCommand(program: Command): void {
  program
    .command('serve')
    .addOption(
      new Option('--only <part>', 'run only this part; needs DATABASE_URL and SECRETS_KEY').choices(['api', 'worker']),
    )
    .action(async ({ only }: { only?: 'api' | 'worker' }) => serve({ api: only !== 'worker', worker: only !== 'api' }))

  program
    .command('migrate')
    .option('--check', 'list the pending migrations and change nothing; exit code 1 if there are any')
    .option('--no-embedded', 'fail without DATABASE_URL instead of using the embedded PostgreSQL')
    .option('--json', 'print JSON')
    .action(({ check, ...options }: MigrateOptions) => (check ? checkSchema(options) : migrateSchema(options)))

  program
    .command('distribute')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => distributeTables(json))
}

type MigrateOptions = { check?: boolean; embedded: boolean; json?: boolean }

/** Throws SetupError without DATABASE_URL if the embedded database must not be used. */
function loadMigrateConfig(embedded: boolean): Config {
  const config = loadConfig()
  if (!embedded && !config.DATABASE_URL)
    throw new SetupError('Set DATABASE_URL: with --no-embedded the embedded PostgreSQL is not used.')
  return config
}

async function migrateSchema({ embedded, json }: MigrateOptions): Promise<void> {
  const config = loadMigrateConfig(embedded)
  const log = createLogger(config, 2)
  await using database = await openDatabase(config, log, { share: true })
  await migrateQueue({ connection: database.connection, config, log })
  process.stdout.write(json ? '{"migrated":true}\n' : 'The database schema is up to date.\n')
}

/** Throws SetupError when this version cannot migrate the database. */
async function checkSchema({ embedded, json }: MigrateOptions): Promise<void> {
  const config = loadMigrateConfig(embedded)
  if (!config.DATABASE_URL && !hasCluster(config.DATA_DIR))
    throw new SetupError(`There is no database in DATA_DIR ${config.DATA_DIR} yet. The first start creates it.`)
  await using database = await openServer(config, createLogger(config, 2), { share: true })
  const pending = [...(await listPendingMigrations(database.db)), ...(await listPendingQueueMigrations(database.db))]
  if (json) process.stdout.write(`${JSON.stringify({ pending })}\n`)
  else if (pending.length === 0) process.stdout.write('The database schema is up to date.\n')
  else process.stdout.write(`${pending.map((name) => `pending  ${name}\n`).join('')}`)
  if (pending.length > 0) process.exitCode = EXIT_CODES.failed
}

/** Throws SetupError for a database without the Citus extension, and while the service runs. */
async function distributeTables(json = false): Promise<void> {
  const config = loadMigrateConfig(false)
  const log = createLogger(config, 2)
  const tables = await distributeOn(config.DATABASE_URL as string, log)
  if (json) process.stdout.write(`${JSON.stringify({ distributed: tables })}\n`)
  else if (tables.length === 0) process.stdout.write('All tables are distributed.\n')
  else process.stdout.write(`${tables.length} tables are distributed now.\n`)
}

async function serve(roles: Roles): Promise<void> {
  const config = loadConfig()
  if (!(roles.api && roles.worker)) requireShared(config)
  const log = createLogger(config)
  const stop = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    let first = 0
    process.on(signal, () => {
      // npm forwards a signal that the terminal has already sent, so two in quick succession count as one.
      if (first > 0 && performance.now() - first > REPEAT_MS) process.exit(130)
      first ||= performance.now()
      stop.resolve(signal)
    })
  }

  const service = await startService({
    config,
    log,
    roles,
    // Printed at once, so that the key is not lost if the start fails later.
    onFirstKey: (key) => process.stdout.write(welcome(config.BELLWETHER_API_KEY ? null : key, hintsOf(config))),
  })
  // A worker serves no requests, even if PUBLIC_URL is set.
  const base = service.address && (config.PUBLIC_URL ?? service.address)
  if (base) process.stdout.write(await firstLinks(service, base))
  log.info(
    { address: service.address, roles },
    base ? `Bellwether is ready at ${base} (API reference: ${base}/docs)` : 'worker is ready',
  )

  const signal = await stop.promise
  log.info({ signal }, 'stopping: running requests and jobs may finish')
  setTimeout(
    () => {
      log.error('shutdown timed out')
      process.exit(1)
    },
    config.SHUTDOWN_TIMEOUT_SECONDS * 1000 + STOP_GRACE_MS,
  ).unref()
  await service[Symbol.asyncDispose]()
  log.info('stopped')
}

/** A part on its own embedded database would do nothing for the other parts, and with its own key read none of their secrets. */
function requireShared(config: Config): void {
  const missing = (['DATABASE_URL', 'SECRETS_KEY'] as const).filter((name) => config[name] === null)
  if (missing.length > 0)
    throw new SetupError(
      `Set ${missing.join(' and ')}: with --only, all processes need the same database and the same key. Without --only, one process runs everything.`,
    )
}

/** Printed once, by the start that sets up the database. The key is stored only as a hash. */
function welcome(key: string | null, hints: readonly string[]): string {
  const shown = `\nBellwether is set up. This is shown once.\n  API key   ${key ?? 'the one in BELLWETHER_API_KEY'}\n`
  return shown + hints.map((hint) => `  To do     ${hint}\n`).join('')
}

/**
 * Links to the console and the API reference, at each start until a browser has signed in. A key that the operator has set is
 * not printed.
 */
async function firstLinks({ deps, firstKey }: Service, base: string): Promise<string> {
  const { db, config, keys } = deps
  const installation = await findInstallation(db)
  if (!installation || installation.signed_in_at !== null) return ''
  const reference = `  API       ${base}/docs\n\n`
  const heading = firstKey ? '' : '\nBellwether is running, and no browser has signed in yet.\n'
  if (config.BELLWETHER_API_KEY) {
    const which = firstKey ? 'that key' : 'the key in BELLWETHER_API_KEY'
    return `${heading}  Open      ${base}/sign-in (with ${which})\n${reference}`
  }
  const owner = firstKey ? await keys.authenticate({ kind: 'key', secret: firstKey }) : null
  const { workspace_id } = installation
  const admin = owner ?? (await listMembers(db, workspace_id)).find(({ role }) => role === 'admin')
  if (!admin) return reference
  const change = { action: 'createSignInLink', path: '/members', id: admin.id }
  const request = { member_id: admin.id, key_id: owner?.key_id ?? null }
  const { url } = await recorded(db, workspace_id, change, () => createSignInLink(deps, workspace_id, base, request))
  return `${heading}  Open      ${url}\n            (signs you in, once, within 15 minutes; later: bellwether sign-in)\n${reference}`
}

/** Features that need configuration before they work. GET /v1/integrations reports the same at any time. */
function hintsOf(config: Config): string[] {
  return [verificationProblem(config), edgarDisabledReason(config)].filter((hint) => hint !== null)
}

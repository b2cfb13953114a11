import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { connect, type Db } from '../db/connect.ts'
import { describeQueues, describeServer } from '../db/diagnostics.ts'
import { findRunningServer, findServerHome } from '../db/embedded.ts'
import { countWorkers, readBackupAge } from '../db/metrics.ts'
import { listPendingMigrations } from '../db/migrate.ts'
import { DEAD_LETTERS, listPendingQueueMigrations } from '../jobs/queue.ts'
import type { Outbound } from '../outbound/client.ts'
import { edgarDisabledReason } from '../providers/filings/edgar.ts'
import { findClockLead } from '../providers/preflight/network.ts'
import { findOverdueBackup } from '../resources/attention/store.ts'
import { findInstallation } from '../resources/workspaces/store.ts'
import { readKeyRing } from '../setup/key-ring.ts'
import { SetupError } from '../shared/errors.ts'
import { loadSecrets, type Secrets, secretsKeyFile } from '../shared/secrets.ts'
import { VERSION } from '../shared/version.ts'

export type Check = {
  group: 'Reachability' | 'Configuration' | 'Machine' | 'Database' | 'Work'
  id: string
  label: string
  state: 'works' | 'warning' | 'failing' | 'off'
  message: string
}
type Outcome = Pick<Check, 'state' | 'message'>

const works = (message: string): Outcome => ({ state: 'works', message })
const warning = (message: string): Outcome => ({ state: 'warning', message })
const failing = (message: string): Outcome => ({ state: 'failing', message })
const off = (message: string): Outcome => ({ state: 'off', message })

/** Makes the checks of a group. */
const checksOf =
  (group: Check['group']) =>
  (id: string, label: string, outcome: Outcome): Check => ({ group, id, label, ...outcome })
const configuration = checksOf('Configuration')
const machine = checksOf('Machine')
const database = checksOf('Database')
const work = checksOf('Work')

const GB = 1e9
/** PostgreSQL stops when the disk is full, so that operators need time to react. */
const LOW_DISK = { warning: 5 * GB, failing: GB }
/** Signed requests and tokens of other services are refused at a difference of five minutes. */
const CLOCK_SECONDS = { warning: 30, failing: 300 }
const NODE_MAJOR = 24
const DATABASE_LIMIT_MS = 5_000
const LONG_WAIT_SECONDS = 900

const formatSize = (bytes: number) => (bytes < GB ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / GB).toFixed(1)} GB`)

/** What is set, and what is missing for which feature. */
export function checkConfiguration(config: Config): Check[] {
  const { PUBLIC_URL, LLM_BASE_URL, LLM_MODEL, OUTBOUND_CONTACT, METRICS_TOKEN } = config
  const edgar = edgarDisabledReason(config)
  return [
    configuration('public_url', 'Public address', checkPublicUrl(PUBLIC_URL)),
    configuration('secrets_key', 'Secrets key', checkSecretsKey(config)),
    configuration(
      'contact',
      'Contact for site owners',
      OUTBOUND_CONTACT ? works('Set.') : warning('Set OUTBOUND_CONTACT, so that site owners can contact you.'),
    ),
    configuration('edgar', 'SEC filings', edgar === null ? works('On.') : off(edgar)),
    configuration(
      'language_model',
      'Language model',
      LLM_BASE_URL && LLM_MODEL
        ? works(`${LLM_MODEL} at ${new URL(LLM_BASE_URL).host}; it was not asked.`)
        : off('Off: set LLM_BASE_URL and LLM_MODEL.'),
    ),
    configuration(
      'metrics',
      'Metrics',
      METRICS_TOKEN
        ? works('With METRICS_TOKEN.')
        : off('For this machine only: set METRICS_TOKEN to scrape them from others.'),
    ),
  ]
}

function checkPublicUrl(publicUrl: string | null): Outcome {
  if (!publicUrl) return warning('Set PUBLIC_URL to the address that members use: links in alerts and mail need it.')
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return works(`${publicUrl}.`)
  return warning(
    `PUBLIC_URL has no https: sessions and keys cross the network unencrypted. Put a proxy with TLS in front.`,
  )
}

function checkSecretsKey(config: Config): Outcome {
  const { SECRETS_KEY, DATABASE_URL, DATA_DIR } = config
  if (SECRETS_KEY) return works('From SECRETS_KEY. Keep a copy of it.')
  const file = secretsKeyFile(DATA_DIR)
  try {
    const secrets = readSecrets(config)
    if (DATABASE_URL)
      return warning(`Set SECRETS_KEY: with DATABASE_URL, every process needs the same key (now ${file}).`)
    return secrets ? works(`In ${file}. Keep a copy of it.`) : off(`The first start generates ${file}.`)
  } catch (error) {
    if (error instanceof SetupError) return failing(error.message)
    throw error
  }
}

/** The key of the configuration or the generated one; null if the first start will generate it. Throws SetupError if it is unusable. */
const readSecrets = ({ SECRETS_KEY, DATA_DIR }: Config): Secrets | null =>
  SECRETS_KEY || existsSync(secretsKeyFile(DATA_DIR)) ? loadSecrets(SECRETS_KEY, DATA_DIR) : null

/** Disk, permissions, versions and the clock. */
export async function checkMachine(config: Config, outbound: Outbound, signal: AbortSignal): Promise<Check[]> {
  const node = process.versions.node
  const lead = await findClockLead({ outbound, config }, signal)
  return [
    machine('version', 'Bellwether', works(`${VERSION} on ${process.platform} ${process.arch}.`)),
    machine(
      'node',
      'Node.js',
      Number(node.split('.')[0]) === NODE_MAJOR
        ? works(node)
        : warning(`${node}: only Node.js ${NODE_MAJOR} is tested.`),
    ),
    machine('disk', 'Disk', checkDisk(config)),
    machine('data_folder', 'Data folder', checkDataFolder(config)),
    machine('key_files', 'Key files', checkKeyFiles(config)),
    machine(
      'clock',
      'Clock',
      lead ? compareClocks(lead.seconds, lead.host) : off('No host with a date could be reached.'),
    ),
  ]
}

/** With both set, nothing is written to the data folder. */
const needsDataFolder = ({ DATABASE_URL, SECRETS_KEY }: Config) => !DATABASE_URL || !SECRETS_KEY
const NO_DATA_FOLDER = off('Not used: DATABASE_URL and SECRETS_KEY are set.')

/** The folder, or the nearest one above it that exists. */
function existingFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existingFolder(dirname(folder))
}

function checkDisk(config: Config): Outcome {
  if (!needsDataFolder(config)) return NO_DATA_FOLDER
  const { DATABASE_URL, DATA_DIR } = config
  const folder = DATABASE_URL ? DATA_DIR : findServerHome(DATA_DIR)
  const { bavail, bsize } = statfsSync(existingFolder(folder))
  const free = bavail * bsize
  const message = `${formatSize(free)} free for ${folder}.`
  if (free < LOW_DISK.failing) return failing(`${message} The database stops when the disk is full.`)
  return free < LOW_DISK.warning ? warning(message) : works(message)
}

function checkDataFolder(config: Config): Outcome {
  if (!needsDataFolder(config)) return NO_DATA_FOLDER
  const folder = existingFolder(config.DATA_DIR)
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return failing(
      `${folder} cannot be written (${(error as NodeJS.ErrnoException).code}): change its owner or DATA_DIR.`,
    )
  }
  if (folder !== config.DATA_DIR) return off(`The first start creates ${config.DATA_DIR}.`)
  const { mode, gid } = statSync(folder)
  // Kubernetes lets the group of a pod write to its volumes (fsGroup).
  const isOwnGroup = [process.getegid?.(), ...(process.getgroups?.() ?? [])].includes(gid)
  if ((mode & (isOwnGroup ? 0o002 : 0o022)) !== 0) {
    return failing(`Other users may write to ${folder}: run "chmod go-w ${folder}".`)
  }
  return works(`${folder} is writable.`)
}

function checkKeyFiles({ DATA_DIR }: Config): Outcome {
  const files = [secretsKeyFile(DATA_DIR), join(DATA_DIR, 'postgres.password')].filter((file) => existsSync(file))
  if (files.length === 0) return off(`There are none in ${DATA_DIR}.`)
  const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0)
  if (open.length === 0) return works('Only their owner can read them.')
  return failing(`Other users can read ${open.join(' and ')}: run "chmod 600 ${open.join(' ')}".`)
}

function compareClocks(lead: number, other: string): Outcome {
  const seconds = Math.abs(lead)
  const message = seconds < 2 ? `Agrees with ${other}.` : `${seconds} s ${lead > 0 ? 'ahead of' : 'behind'} ${other}.`
  if (seconds >= CLOCK_SECONDS.failing) return failing(`${message} Turn time synchronization (NTP) on.`)
  return seconds >= CLOCK_SECONDS.warning ? warning(`${message} Turn time synchronization (NTP) on.`) : works(message)
}

/** The database and the work in it, without starting or changing anything. */
export async function checkDatabase(config: Config, log: Logger): Promise<Check[]> {
  const connection = config.DATABASE_URL ?? findRunningServer(config.DATA_DIR)
  if (!connection) {
    return [database('database', 'PostgreSQL', off('The embedded one runs with the service: start it to check it.'))]
  }
  const limits = { usualMs: DATABASE_LIMIT_MS, longestMs: DATABASE_LIMIT_MS }
  const { db, pool } = connect(connection, { size: 2, prepare: false, log, limits })
  try {
    const server = await describeServer(db)
    const checks = [
      database('database', 'PostgreSQL', checkVersion(server.version, config)),
      database('database_size', 'Size', works(`${formatSize(server.bytes)}.`)),
      database(
        'database_rights',
        'Rights',
        server.may_create
          ? works(`${server.user} may create tables and schemas.`)
          : failing(
              `${server.user} may not create tables or schemas: migrations need "grant create" on the database and on its schema.`,
            ),
      ),
      database(
        'database_clock',
        'Clock',
        compareClocks(Math.round((Date.now() - server.now.getTime()) / 1000), 'PostgreSQL'),
      ),
    ]
    if (!server.is_set_up)
      return [...checks, database('schema', 'Schema', off('The first start sets the database up.'))]
    const schema = await checkSchema(async () => [
      ...(await listPendingMigrations(db)),
      ...(await listPendingQueueMigrations(db)),
    ])
    // The tables of the keys and of the backups may be part of pending migrations.
    const ofSchema =
      schema.state === 'works'
        ? [
            database('database_key', 'Secrets key', await compareKey(db, config)),
            work('backups', 'Backups', await checkBackups(db, config)),
          ]
        : []
    const workers = await countWorkers(db, config.WORKER_LOST_SECONDS)
    const { longest, dead } = await describeQueues(pool, DEAD_LETTERS)
    return [
      ...checks,
      database('schema', 'Schema', schema),
      ...ofSchema,
      work(
        'workers',
        'Workers',
        workers > 0
          ? works(`${workers} running.`)
          : failing(
              'None is running, so nothing is researched or delivered: start the service, or "serve --only worker".',
            ),
      ),
      work('queue', 'Queue', checkQueue(longest)),
      work(
        'dead_letters',
        'Failed jobs',
        dead === 0 ? works('None.') : warning(`${dead} failed at every attempt: the log has their errors.`),
      ),
    ]
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const name = config.DATABASE_URL ? 'DATABASE_URL names a PostgreSQL that' : 'The embedded PostgreSQL'
    return [database('database', 'PostgreSQL', failing(`${name} does not respond as expected: ${message || code}.`))]
  } finally {
    await db.destroy()
  }
}

function checkVersion(version: string, { DATABASE_URL, DATABASE_ENGINE }: Config): Outcome {
  const message = `${version}, ${DATABASE_URL ? 'of DATABASE_URL' : 'embedded'}.`
  const isPlain = DATABASE_ENGINE === 'postgres' || DATABASE_ENGINE === 'citus'
  return isPlain && Number.parseInt(version, 10) < 15
    ? failing(`${message} Version 15 or later is needed.`)
    : works(message)
}

async function checkSchema(listPending: () => Promise<string[]>): Promise<Outcome> {
  try {
    const pending = await listPending()
    if (pending.length === 0) return works(`That of Bellwether ${VERSION}.`)
    return warning(`${pending.length} migrations are pending, first ${pending[0]}: the next start applies them.`)
  } catch (error) {
    if (error instanceof SetupError) return failing(error.message)
    throw error
  }
}

async function compareKey(db: Db, config: Config): Promise<Outcome> {
  const fix = 'use the key that the database was set up with, without which stored secrets cannot be read.'
  try {
    const secrets = readSecrets(config)
    if (!secrets) return failing(`There is no secrets key here: ${fix}`)
    return (await readKeyRing(db, secrets))
      ? works('The database accepts it.')
      : failing(`The database does not accept it: ${fix}`)
  } catch (error) {
    if (error instanceof SetupError) return failing(error.message)
    throw error
  }
}

async function checkBackups(db: Db, { BACKUP_EVERY_HOURS }: Config): Promise<Outcome> {
  const age = await readBackupAge(db)
  const last = age === null ? 'There is none yet' : `The last one is ${Math.round(age / 3600)} hours old`
  if (BACKUP_EVERY_HOURS === 0)
    return off(`${last}, and none is scheduled: set BACKUP_EVERY_HOURS, unless PostgreSQL is backed up in another way.`)
  const installation = await findInstallation(db)
  const overdue = installation && (await findOverdueBackup(db, installation.workspace_id, BACKUP_EVERY_HOURS))
  if (overdue?.error) return failing(`${last}, and the last attempt had a problem: ${overdue.error}`)
  if (overdue) return failing(`${last}: it is overdue.`)
  return age === null ? warning(`${last}: a worker makes it within ten minutes.`) : works(`${last}.`)
}

function checkQueue(longest: { name: string; seconds: number } | null): Outcome {
  if (!longest) return works('No due job waits.')
  const message = `The oldest due job has waited ${Math.round(longest.seconds)} s (${longest.name}).`
  return longest.seconds >= LONG_WAIT_SECONDS ? warning(`${message} Add workers.`) : works(message)
}

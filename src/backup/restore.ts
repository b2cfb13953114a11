import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { removeEmbedded, type ServerConnection, startEmbedded } from '../db/embedded.ts'
import { checkMigrations } from '../db/migrate.ts'
import { checkEmpty, loadSnapshot } from '../db/snapshot.ts'
import { migrateQueue } from '../jobs/queue.ts'
import type { Outbound } from '../outbound/client.ts'
import { SetupError } from '../shared/errors.ts'
import { loadSecrets, secretsKeyFile } from '../shared/secrets.ts'
import { isKeyOf, parseKeyFile, readBackup, requireBackupKey } from './backup.ts'
import { openBackup } from './locations.ts'
import type { Manifest, RecordReader, TableTotals } from './records.ts'

type Deps = { config: Config; log: Logger; outbound: Outbound }

type ReadResult = Pick<Manifest, 'version' | 'created_at'> & { location: string; tables: TableTotals[] }

/** `restored_as_text`: the tables and columns that the operator has added. */
type Restored = ReadResult & { restored_as_text: string[] }

const WRONG_SECRETS_KEY = 'SECRETS_KEY is not the key of the installation this backup was made of. Set it to that key.'

/**
 * Restores a backup into the empty database of this connection, with the schema it was made with; the caller migrates. When
 * it is interrupted, the database stays empty and the restore can be repeated. Throws SetupError before anything is changed
 * when the database has tables, the backup does not fit this version, or the secrets key is another one.
 */
export async function restoreBackup(
  deps: Deps,
  connection: string | ServerConnection,
  location: string,
): Promise<Restored> {
  await checkEmpty(connection)
  let restored_as_text: string[] = []
  const read = await readLocation(deps, location, async (records) => {
    const manifest = await records.manifest()
    checkMigrations(manifest.migrations, 'backup')
    const undo = placeSecretsKey(manifest, deps.config)
    try {
      restored_as_text = await load(deps, connection, records)
    } catch (error) {
      undo()
      throw error
    }
  })
  return { ...read, restored_as_text }
}

type VerifyOptions = {
  /** Also loads it into a temporary database below TMPDIR, which builds every index and checks every foreign key. */
  restore?: boolean
  /** Also stops the temporary database, whatever it does. */
  signal?: AbortSignal
}

type Verified = ReadResult & { secrets_key: 'included' | 'SECRETS_KEY' | 'SECRETS_KEY, not set here' }

/** Reads a backup completely. Throws SetupError when it is damaged, or its secrets key does not open its stored secrets. */
export async function verifyBackup(
  deps: Deps,
  location: string,
  { restore = false, signal }: VerifyOptions = {},
): Promise<Verified> {
  let secrets_key: Verified['secrets_key'] = 'included'
  const read = await readLocation(
    deps,
    location,
    async (records) => {
      const manifest = await records.manifest()
      checkMigrations(manifest.migrations, 'backup')
      secrets_key = findSecretsKey(manifest, deps.config)
      if (restore) await loadTemporarily(deps, records, signal)
      else for await (const { data } of records.tables()) for await (const _rows of data);
    },
    signal,
  )
  return { ...read, secrets_key }
}

/** Where the secrets key is that a restore needs. */
function findSecretsKey({ secrets_key, secrets_key_checks }: Manifest, { SECRETS_KEY }: Config) {
  if (secrets_key !== null) {
    if (isKeyOf(secrets_key_checks, parseKeyFile(secrets_key))) return 'included'
    throw new SetupError('The secrets key in this backup is not the key of its database. Use another backup.')
  }
  if (!SECRETS_KEY) return 'SECRETS_KEY, not set here'
  if (isKeyOf(secrets_key_checks, SECRETS_KEY)) return 'SECRETS_KEY'
  throw new SetupError(WRONG_SECRETS_KEY)
}

async function readLocation(
  deps: Deps,
  location: string,
  use: (records: RecordReader) => Promise<void>,
  signal?: AbortSignal,
): Promise<ReadResult> {
  const key = requireBackupKey(deps.config)
  const backup = await openBackup(deps, location)
  return readBackup(
    backup.read(),
    key,
    async (records) => {
      await use(records)
      const { version, created_at } = await records.manifest()
      return { location: backup.location, version, created_at, tables: records.totals }
    },
    signal,
  )
}

async function loadTemporarily(deps: Deps, records: RecordReader, signal?: AbortSignal): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-verify-'))
  // As root, the server runs as another user inside it; the cluster itself is accessible to that user alone.
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  try {
    const server = await startEmbedded({ dataDir, log: deps.log, settings: LOADING })
    let stopped: Promise<void> | null = null
    const stop = () => {
      stopped ??= server.stop()
    }
    // The query that runs then fails, even one that rebuilds an index for minutes.
    signal?.addEventListener('abort', stop)
    try {
      signal?.throwIfAborted()
      await load(deps, server.connection, records)
    } finally {
      signal?.removeEventListener('abort', stop)
      stop()
      await stopped
    }
  } finally {
    removeEmbedded(dataDir)
  }
}

/** Server settings for the load: tables that are created and loaded in one transaction are not written twice. */
export const LOADING = { wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '4GB' }

async function load(
  { config, log }: Deps,
  connection: string | ServerConnection,
  records: RecordReader,
): Promise<string[]> {
  await migrateQueue({ connection, config, log })
  return loadSnapshot(connection, await records.manifest(), records.tables())
}

/** Checks the secrets key of this installation, or writes that of the backup to DATA_DIR. Returns how to undo it. */
function placeSecretsKey(manifest: Manifest, config: Config): () => void {
  const { secrets_key, secrets_key_checks } = manifest
  const { SECRETS_KEY, DATA_DIR } = config
  const file = secretsKeyFile(DATA_DIR)
  if (SECRETS_KEY || existsSync(file)) {
    if (isKeyOf(secrets_key_checks, loadSecrets(SECRETS_KEY, DATA_DIR).master)) return () => {}
    throw new SetupError(
      secrets_key === null || SECRETS_KEY
        ? WRONG_SECRETS_KEY
        : `${file} is the key of another installation. Remove it, and the key in the backup is used.`,
    )
  }
  findSecretsKey(manifest, config)
  if (secrets_key === null) {
    throw new SetupError(
      'This backup does not contain the secrets key. Set SECRETS_KEY to the key of the installation it was made of.',
    )
  }
  mkdirSync(DATA_DIR, { recursive: true })
  writeFileSync(file, secrets_key, { mode: 0o600, flush: true })
  return () => rmSync(file, { force: true })
}

import { existsSync, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type pg from 'pg'
import type { Config } from '../config/config.ts'
import { openSnapshot } from '../db/snapshot.ts'
import type { Outbound } from '../outbound/client.ts'
import { SetupError } from '../shared/errors.ts'
import { Secrets, secretsKeyFile } from '../shared/secrets.ts'
import { VERSION } from '../shared/version.ts'
import { openChunks, sealChunks } from './chunks.ts'
import { installationMark, nameAt, openLocation } from './locations.ts'
import { RecordReader, type TableTotals, writeRecords } from './records.ts'
import type { Target } from './target.ts'

export type BackupDeps = { config: Config; pool: pg.Pool; outbound: Outbound; now: () => Date }

export type FinishedBackup = { location: string; bytes: number; created_at: string; tables: TableTotals[] }

/** A backup: where it is stored, the mark of its installation, and the time of its snapshot. */
type Begun = { target: Target; name: string; mark: string; takenAt: string }

type Options = {
  /** A folder, or a file that ends with `.backup`. */
  location: string
  /** Called before the backup is written. Like `onStored`, while no other backup of this database can begin. */
  onBegin?: (begun: Begun) => Promise<void>
  onStored?: (stored: Begun) => Promise<void>
  signal?: AbortSignal | undefined
}

/** Backs up the database while the service runs. Throws SetupError when the configuration does not allow it. */
export async function backUp(
  deps: BackupDeps,
  { location, onBegin, onStored, signal }: Options,
): Promise<FinishedBackup> {
  const { config, pool, now } = deps
  const key = requireBackupKey(config)
  const { target, name } = openLocation(deps, location)
  await using snapshot = await openSnapshot(pool, signal)
  const { workspace_id, taken_at: takenAt, ...header } = snapshot.header
  const created = now()
  const manifest = {
    version: VERSION,
    created_at: created.toISOString(),
    ...header,
    secrets_key: readSecretsKey(config, header.secrets_key_checks),
  }
  const tables: TableTotals[] = []
  const mark = installationMark(workspace_id)
  const file = name ?? nameAt(mark, created)
  const begun = { target, name: file, mark, takenAt }
  await onBegin?.(begun)
  const bytes = await pipeline(
    writeRecords(manifest, snapshot.read, (totals) => tables.push(totals)),
    createZstdCompress(),
    (compressed: AsyncIterable<Buffer>) => sealChunks(compressed, key),
    (sealed: AsyncIterable<Buffer>) => target.write(file, sealed, signal),
    { signal },
  )
  await onStored?.(begun)
  return { location: target.nameOf(file), bytes, created_at: manifest.created_at, tables }
}

/** Throws SetupError without BACKUP_KEY. */
export function requireBackupKey({ BACKUP_KEY }: Config): Buffer {
  if (BACKUP_KEY) return BACKUP_KEY
  throw new SetupError(
    'Backups are encrypted. Set BACKUP_KEY to the key of your backups, or make one with "openssl rand -hex 32" and store it apart from them.',
  )
}

/** Throws SetupError without BACKUP_TARGET. */
export function requireBackupTarget({ BACKUP_TARGET }: Config): string {
  if (BACKUP_TARGET) return BACKUP_TARGET
  throw new SetupError('Name a folder or s3://bucket/folder, or set BACKUP_TARGET.')
}

/**
 * The generated secrets key; null when SECRETS_KEY is set, which the operator stores. Throws SetupError when it does not open
 * the stored secrets: a restore could not use them.
 */
function readSecretsKey({ SECRETS_KEY, DATA_DIR }: Config, checks: readonly string[]): string | null {
  const file = secretsKeyFile(DATA_DIR)
  if (SECRETS_KEY) {
    if (isKeyOf(checks, SECRETS_KEY)) return null
    throw new SetupError('SECRETS_KEY is not the key of this database. Set it to the key that the service uses.')
  }
  if (!existsSync(file)) {
    throw new SetupError(
      `The secrets key ${file} does not exist. Set DATA_DIR to the full path of the data folder of the service, or SECRETS_KEY to its key.`,
    )
  }
  const text = readFileSync(file, 'utf8')
  if (isKeyOf(checks, parseKeyFile(text))) return text
  throw new SetupError(
    `${file} is not the key of this database. Set DATA_DIR to the full path of the data folder of the service.`,
  )
}

/** The key in the text of a key file. */
export const parseKeyFile = (text: string) => Buffer.from(text.trim(), 'hex')

/** Whether the database with these checks accepts the secrets key. */
export const isKeyOf = (checks: readonly string[], key: Buffer) =>
  checks.includes(new Secrets(key).check.toString('hex'))

/** Reads a backup from its first to its last record. Throws SetupError when any part of it is damaged. */
export function readBackup<T>(
  source: AsyncIterable<Buffer>,
  key: Buffer,
  use: (records: RecordReader) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return pipeline(
    source,
    (sealed: AsyncIterable<Buffer>) => openChunks(sealed, key),
    createZstdDecompress(),
    (plain: AsyncIterable<Buffer>) => use(new RecordReader(plain)),
    { signal },
  )
}

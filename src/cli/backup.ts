import { constants, setPriority } from 'node:os'
import type { Command } from 'commander'
import type { Logger } from 'pino'
import { migrateOn, openServer } from '../app/open-database.ts'
import { openOutbound } from '../app/service.ts'
import { backUp, requireBackupTarget } from '../backup/backup.ts'
import { listBackups, openLocation } from '../backup/locations.ts'
import { LOADING, restoreBackup, verifyBackup } from '../backup/restore.ts'
import { backUpToTarget } from '../backup/scheduled.ts'
import type { Config } from '../config/config.ts'
import { hasCluster } from '../db/embedded.ts'
import type { Outbound } from '../outbound/client.ts'
import { SetupError } from '../shared/errors.ts'
import { loadCommandConfig, printRecords, recordedInAll } from './context.ts'
import { CliError, EXIT_CODES } from './terminal/exit-codes.ts'

type Json = { json?: boolean }

export function backupCommands(program: Command): void {
  const backup = program
    // An option after "verify" or "list" belongs to it, although "backup" has the same one.
    .enablePositionalOptions()
    .command('backup')
    .argument(
      '[target]',
      'a folder, a file that ends with .backup, or s3://bucket/folder; absent: BACKUP_TARGET, where old backups are removed',
    )
    .option('--json', 'print JSON')
    .action((target: string | undefined, { json }: Json) =>
      withOutbound(async (deps) => {
        // Requests come first: while this process waits for the CPU, PostgreSQL waits to send it more.
        setPriority(constants.priority.PRIORITY_LOW)
        const { DATABASE_URL, DATA_DIR } = deps.config
        if (!DATABASE_URL && !hasCluster(DATA_DIR)) {
          throw new SetupError(
            `There is no database in DATA_DIR ${DATA_DIR}. Set DATA_DIR to the full path of the data folder of the service, or set DATABASE_URL.`,
          )
        }
        await using database = await openServer(deps.config, deps.log, { share: true })
        const parts = { ...deps, ...database, now: () => new Date() }
        // Recorded after it was made: a pending entry would be in the backup, and without an outcome after a restore.
        const { tables, ...finished } = await untilStopped((signal) =>
          target ? backUp(parts, { location: target, signal }) : backUpToTarget(parts, signal),
        )
        await recordedInAll(database.db, 'backUp', async () => {})
        printRecords({ ...finished, tables: tables.length, rows: sum(tables) }, json)
      }),
    )

  backup
    .command('verify')
    .description('Check every byte of a backup, by default the newest one in BACKUP_TARGET')
    .argument('[location]', 'a backup, or a folder whose newest one is checked')
    .option('--restore', 'also restore it into a temporary database, below TMPDIR')
    .option('--json', 'print JSON')
    .action((location: string | undefined, { restore = false, json }: Json & { restore?: boolean }) =>
      withOutbound(async (deps) => {
        const verified = await untilStopped((signal) =>
          verifyBackup(deps, location ?? requireBackupTarget(deps.config), { restore, signal }),
        )
        const { tables, ...about } = verified
        printRecords(json ? verified : { ...about, tables: tables.length, rows: sum(tables), damaged: false }, json)
      }),
    )

  backup
    .command('list')
    .description('List the backups in a folder, by default BACKUP_TARGET, newest first')
    .argument('[folder]', 'a folder or s3://bucket/folder')
    .option('--json', 'print JSON')
    .action((folder: string | undefined, { json }: Json) =>
      withOutbound(async (deps) => {
        const { target } = openLocation(deps, folder ?? requireBackupTarget(deps.config))
        printRecords(await listBackups(target), json)
      }),
    )

  program
    .command('restore')
    .argument('<location>', 'a backup, or a folder whose newest one is restored')
    .option('--json', 'print JSON')
    .action((location: string, { json }: Json) =>
      withOutbound(async (deps) => {
        await using database = await openServer(deps.config, deps.log, { settings: LOADING })
        const { tables, restored_as_text, ...about } = await restoreBackup(deps, database.connection, location)
        await migrateOn(database.connection, deps.log)
        const counts = { ...about, tables: tables.length, rows: sum(tables) }
        const texts = restored_as_text.join(', ') || null
        printRecords({ ...counts, restored_as_text: json ? restored_as_text : texts }, json)
      }),
    )
}

const sum = (tables: { rows: number }[]) => tables.reduce((total, { rows }) => total + rows, 0)

/** Aborts at Ctrl-C and waits until the unfinished file or the temporary database is removed, which another Ctrl-C does not interrupt. */
async function untilStopped<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.on(name, abort)
  try {
    return await run(stop.signal)
  } catch (error) {
    if (stop.signal.aborted) throw new CliError(EXIT_CODES.interrupted, 'Stopped.')
    throw error
  } finally {
    for (const name of names) process.removeListener(name, abort)
  }
}

async function withOutbound<T>(
  run: (deps: { config: Config; log: Logger; outbound: Outbound }) => Promise<T>,
): Promise<T> {
  const { config, log } = loadCommandConfig()
  await using outbound = openOutbound(config, log)
  return await run({ config, log, outbound })
}

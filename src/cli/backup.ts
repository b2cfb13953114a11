import { constants, setPriority } from 'node:os'
import type { Command } from 'commander'
import type { Logger } from 'pino'
import { migrateOn, openServer } from '../app/open-database.ts'
import { openOutbound } from '../app/service.ts'
import { backUp } from '../backup/backup.ts'
import { listBackups, openLocation } from '../backup/locations.ts'
import { LOADING, restoreBackup, verifyBackup } from '../backup/restore.ts'
import { backUpToTarget } from '../backup/scheduled.ts'
import type { Config } from '../config/config.ts'
import type { Outbound } from '../outbound/client.ts'
import { SetupError } from '../shared/errors.ts'
import { loadCommandConfig, printRecords, recordedInAll } from './context.ts'

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
        await using database = await openServer(deps.config, deps.log, { share: true })
        const parts = { ...deps, ...database, now: () => new Date() }
        // Recorded after it was made: a pending entry would be in the backup, and without an outcome after a restore.
        const { tables, ...finished } = target ? await backUp(parts, { location: target }) : await backUpToTarget(parts)
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
        using stop = abortOnSignals()
        const { signal } = stop
        const verified = await verifyBackup(deps, location ?? configuredTarget(deps.config), { restore, signal })
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
        const { target } = openLocation(deps, folder ?? configuredTarget(deps.config))
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
        const { tables, ...about } = await restoreBackup(deps, database.connection, location)
        await migrateOn(database.connection, deps.log)
        printRecords({ ...about, tables: tables.length, rows: sum(tables) }, json)
      }),
    )
}

const sum = (tables: { rows: number }[]) => tables.reduce((total, { rows }) => total + rows, 0)

function configuredTarget({ BACKUP_TARGET }: Config): string {
  if (BACKUP_TARGET) return BACKUP_TARGET
  throw new SetupError('Name a folder or s3://bucket/folder, or set BACKUP_TARGET.')
}

/** Aborts at Ctrl-C until it is disposed of, so that the temporary database is removed. */
function abortOnSignals(): { signal: AbortSignal } & Disposable {
  const stop = new AbortController()
  const abort = () => stop.abort(new SetupError('Stopped.'))
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.once(name, abort)
  return {
    signal: stop.signal,
    [Symbol.dispose]() {
      for (const name of names) process.removeListener(name, abort)
    },
  }
}

async function withOutbound<T>(
  run: (deps: { config: Config; log: Logger; outbound: Outbound }) => Promise<T>,
): Promise<T> {
  const { config, log } = loadCommandConfig()
  await using outbound = openOutbound(config, log)
  return await run({ config, log, outbound })
}

import type { Logger } from 'pino'
import type { Db } from '../db/connect.ts'
import { SnapshotOpenError } from '../db/snapshot.ts'
import { defineJob } from '../jobs/define.ts'
import { type BackupDeps, backUp, type FinishedBackup, requireBackupTarget } from './backup.ts'
import { isNameOf, listBackups } from './locations.ts'
import { isBackupDue, recordBackup, recordFailedBackup } from './store.ts'
import type { Target } from './target.ts'

/** A backup of a hundred gigabytes to a slow bucket. */
const LONGEST_HOURS = 12
/** For the queue: later, so that the failure of a backup that takes too long is recorded. */
const JOB_SECONDS = (LONGEST_HOURS + 1) * 3600

/** Backs up to BACKUP_TARGET, removes all but the newest BACKUP_KEEP backups of this installation there, and records the result. */
export async function backUpToTarget(
  deps: BackupDeps & { db: Db; log: Logger },
  signal?: AbortSignal,
): Promise<FinishedBackup> {
  const { config, db, log } = deps
  const location = requireBackupTarget(config)
  let failure: Error | null = null
  try {
    return await backUp(deps, {
      location,
      signal,
      async onBegin({ target, mark }) {
        // First: the remains of killed backups may fill the folder.
        await target.removeUnfinished((other) => isNameOf(mark, other)).catch(keepFailure)
      },
      async onStored({ target, name, mark, takenAt }) {
        await recordBackup(db, takenAt)
        await removeOld(target, { mark, name, keep: config.BACKUP_KEEP }).catch(keepFailure)
        if (!failure) return
        log.warn({ err: failure }, 'the backup was stored, but old ones could not be removed')
        await recordFailedBackup(db, `The backup was stored, but old ones could not be removed: ${failure.message}`)
      },
    })
  } catch (error) {
    if (signal?.reason?.name === 'TimeoutError')
      await recordFailedBackup(db, `It did not end within ${LONGEST_HOURS} hours.`)
    else if (!signal?.aborted && !(error instanceof SnapshotOpenError))
      await recordFailedBackup(db, (error as Error).message)
    throw error
  }

  function keepFailure(error: Error) {
    failure ??= error
  }
}

/** Removes all but the newest backups of this installation. Not by time alone: after a clock was set back, the new one is not the newest. */
async function removeOld(target: Target, { mark, name, keep }: { mark: string; name: string; keep: number }) {
  const others = (await listBackups(target)).filter((one) => one.installation === mark && one.name !== name)
  for (const old of others.slice(keep - 1)) await target.remove(old.name)
}

/** Backs up when BACKUP_EVERY_HOURS have passed. After a failure, the next run tries again. */
export const takeDueBackup = defineJob<object>({
  name: 'take-due-backup',
  schedule: '*/10 * * * *',
  concurrency: 1,
  retries: 0,
  timeout: JOB_SECONDS,
  async run(deps, _payload, { signal }) {
    const { config, db, log } = deps
    if (config.BACKUP_EVERY_HOURS === 0 || !(await isBackupDue(db, config.BACKUP_EVERY_HOURS))) return
    try {
      const limit = AbortSignal.timeout(LONGEST_HOURS * 3_600_000)
      const { location, bytes } = await backUpToTarget(deps, AbortSignal.any([signal, limit]))
      log.info({ location, bytes }, 'the database was backed up')
    } catch (err) {
      signal.throwIfAborted()
      if (err instanceof SnapshotOpenError) return
      log.error({ err }, 'the backup failed')
    }
  },
})

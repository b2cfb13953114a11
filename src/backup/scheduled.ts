import type { Db } from '../db/connect.ts'
import { SnapshotOpenError } from '../db/snapshot.ts'
import { defineJob } from '../jobs/define.ts'
import { SetupError } from '../shared/errors.ts'
import { type BackupDeps, backUp, type FinishedBackup } from './backup.ts'
import { isNameOf, listBackups } from './locations.ts'
import { isBackupDue, recordBackup, recordFailedBackup } from './store.ts'

/** A backup of a hundred gigabytes to a slow bucket. */
const LONGEST_HOURS = 12
/** For the queue: later, so that the failure of a backup that takes too long is recorded. */
const JOB_SECONDS = (LONGEST_HOURS + 1) * 3600

/** Backs up to BACKUP_TARGET, removes all but the newest BACKUP_KEEP backups of this installation there, and records the result. */
export async function backUpToTarget(deps: BackupDeps & { db: Db }, signal?: AbortSignal): Promise<FinishedBackup> {
  const { BACKUP_TARGET: location, BACKUP_KEEP } = deps.config
  if (!location) throw new SetupError('Name a folder or s3://bucket/folder, or set BACKUP_TARGET.')
  try {
    return await backUp(deps, {
      location,
      signal,
      async onStored({ target, name, mark }) {
        // Before the removal, which may fail: the next backup is still made when it is due.
        await recordBackup(deps.db)
        await target.removeUnfinished((other) => isNameOf(mark, other))
        // Not by time alone: after a clock was set back, the new backup is not the newest one.
        const others = (await listBackups(target)).filter((one) => one.installation === mark && one.name !== name)
        for (const old of others.slice(BACKUP_KEEP - 1)) await target.remove(old.name)
      },
    })
  } catch (error) {
    if (signal?.reason?.name === 'TimeoutError')
      await recordFailedBackup(deps.db, `It did not end within ${LONGEST_HOURS} hours.`)
    else if (!signal?.aborted && !(error instanceof SnapshotOpenError))
      await recordFailedBackup(deps.db, (error as Error).message)
    throw error
  }
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

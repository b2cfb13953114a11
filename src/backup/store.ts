import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** Records a backup to BACKUP_TARGET by the time of its snapshot. */
export async function recordBackup(db: Db, takenAt: string): Promise<void> {
  await db
    .updateTable('installation')
    .set({ backed_up_at: takenAt, backup_failed_at: null, backup_error: null })
    .execute()
}

export async function recordFailedBackup(db: Db, message: string): Promise<void> {
  await db.updateTable('installation').set({ backup_failed_at: sql`now()`, backup_error: message }).execute()
}

/** Whether the last backup to BACKUP_TARGET is this old, or there is none. */
export async function isBackupDue(db: Db, hours: number): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select coalesce(backed_up_at < now() - make_interval(hours => ${hours}), true) as due from installation`.execute(db)
  return rows[0]?.due ?? false
}

import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Number of workers with a heartbeat in the last `seconds`. */
export async function countWorkers(db: Db, seconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from worker_processes
    where seen_at > now() - make_interval(secs => ${seconds}::float8)`.execute(db)
  return rows[0]?.count ?? 0
}

/** The result of the last call of each provider; `kind` is null when it succeeded. */
export function listProviderStates(db: Db) {
  return db.selectFrom('provider_health').select(['provider', 'kind']).execute()
}

/** Seconds since the last backup to BACKUP_TARGET; null without one. */
export async function readBackupAge(db: Db): Promise<number | null> {
  const { rows } = await sql<{ age: number | null }>`
    select extract(epoch from now() - backed_up_at)::float8 as age from installation`.execute(db)
  return rows[0]?.age ?? null
}

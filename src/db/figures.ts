import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Workers that gave a sign within so many seconds. */
export async function countWorkers(db: Db, seconds: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from worker_processes
    where seen_at > now() - make_interval(secs => ${seconds}::float8)`.execute(db)
  return rows[0]?.count ?? 0
}

/** How every provider fared the last time it was asked; `kind` is null where it worked. */
export function listProviderStates(db: Db) {
  return db.selectFrom('provider_health').select(['provider', 'kind']).execute()
}

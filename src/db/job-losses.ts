import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** No job is retried for so long. */
const KEEP_DAYS = 30

/** Counts that a job lost its worker. Answers how often that was so by now. */
export async function countLoss(db: Db, jobId: string): Promise<number> {
  const { rows } = await sql<{ losses: number }>`
    with old as (delete from job_losses where lost_at < now() - make_interval(days => ${KEEP_DAYS}))
    insert into job_losses as known (job_id, losses) values (${jobId}, 1)
    on conflict (job_id) do update set losses = known.losses + 1, lost_at = now()
    returning losses`.execute(db)
  return rows[0]?.losses ?? 0
}

export async function forgetLosses(db: Db, jobId: string): Promise<void> {
  await sql`delete from job_losses where job_id = ${jobId}`.execute(db)
}

import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** A worker says so often that it is there: several times within the silence after which it counts as dead. */
export const seenEvery = (lostSeconds: number) => lostSeconds / 10
/** Who died over a job has given no sign for this part of the time after which the job goes to others. */
const SILENT_PART = 1 / 4
/** No job is retried for so long. */
const KEEP_DAYS = 30

export async function seeWorker(db: Db, id: string): Promise<void> {
  await sql`
    insert into worker_processes (id) values (${id}) on conflict (id) do update set seen_at = now()`.execute(db)
}

export async function removeWorker(db: Db, id: string): Promise<void> {
  await sql`delete from worker_processes where id = ${id}`.execute(db)
}

/** Forgets what is too old to matter. */
export async function purgeLostWorkers(db: Db): Promise<void> {
  await sql`
    with old as (delete from job_losses where lost_at < now() - make_interval(days => ${KEEP_DAYS}))
    delete from worker_processes where seen_at < now() - make_interval(days => ${KEEP_DAYS})`.execute(db)
}

/**
 * Counts that the worker of a job has died over it, and answers how often by now. Counts nothing, and answers 0, when no
 * worker has died since the job was made or lost one before: then only its signs of life did not arrive, as when
 * PostgreSQL was away for a while. Who is dead may have taken the job just after it was seen last.
 */
export async function countLoss(db: Db, job: { id: string; createdOn: Date }, lostSeconds: number): Promise<number> {
  const { rows } = await sql<{ losses: number }>`
    insert into job_losses as known (job_id, losses)
    select ${job.id}::uuid, 1 where exists (
      select from worker_processes where seen_at < now() - make_interval(secs => ${lostSeconds * SILENT_PART}::float8)
        and seen_at > coalesce((select lost_at from job_losses where job_id = ${job.id}), ${job.createdOn}::timestamptz)
          - make_interval(secs => ${2 * seenEvery(lostSeconds)}::float8))
    on conflict (job_id) do update set losses = known.losses + 1, lost_at = now()
    returning losses`.execute(db)
  return rows[0]?.losses ?? 0
}

export async function forgetLosses(db: Db, jobId: string): Promise<void> {
  await sql`delete from job_losses where job_id = ${jobId}`.execute(db)
}

import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** Heartbeat interval of a worker process: ten times shorter than the time after which its jobs are given to others. */
export const heartbeatInterval = (lostSeconds: number) => lostSeconds / 10
/** A worker without a heartbeat for this part of the time has lost a job that was given to another worker. */
const SILENT_PART = 1 / 4
/** Longer than any job is retried. */
const KEEP_DAYS = 30

export type WorkerState = {
  id: string
  /** The jobs that it runs or is about to start. */
  jobs: readonly string[]
  /** Whether the process was suspended since its last heartbeat, long enough to lose its jobs. */
  froze: boolean
}

/**
 * Writes the heartbeat of a worker and the jobs it holds. If it froze since its last heartbeat, it has lost the jobs it held
 * then. If it ran all the time, only its writes failed, as during an outage of PostgreSQL: losses that other workers counted
 * for this gap are deleted.
 */
export async function writeHeartbeat(db: Db, { id, jobs, froze }: WorkerState, lostSeconds: number): Promise<void> {
  await sql`
    with silent as (
      select jobs, seen_at from worker_processes
      where id = ${id} and seen_at < now() - make_interval(secs => ${lostSeconds * SILENT_PART}::float8)
    ), lost as (
      insert into job_losses (job_id, worker_id, silent_since)
      select unnest(jobs), ${id}::uuid, seen_at from silent where ${froze}::boolean
      on conflict do nothing
    ), kept as (
      delete from job_losses using silent where worker_id = ${id} and silent_since = seen_at and not ${froze}::boolean
    )
    insert into worker_processes (id, jobs) values (${id}, ${jobs}::uuid[])
    on conflict (id) do update set seen_at = now(), jobs = excluded.jobs`.execute(db)
}

export async function removeWorker(db: Db, id: string): Promise<void> {
  await sql`delete from worker_processes where id = ${id}`.execute(db)
}

/** Deletes losses and worker rows older than KEEP_DAYS. */
export async function purgeWorkerHeartbeats(db: Db): Promise<void> {
  await sql`
    with old as (delete from job_losses where lost_at < now() - make_interval(days => ${KEEP_DAYS}))
    delete from worker_processes where seen_at < now() - make_interval(days => ${KEEP_DAYS})`.execute(db)
}

/**
 * Records the workers that died or froze while they held a job, and returns how many have. A worker that is alive has
 * reported its gap already (writeHeartbeat). Records nothing when only its writes failed.
 */
export async function countLosses(db: Db, jobId: string, lostSeconds: number): Promise<number> {
  await sql`
    insert into job_losses (job_id, worker_id, silent_since)
    select ${jobId}::uuid, id, seen_at from worker_processes
    where ${jobId}::uuid = any(jobs) and seen_at < now() - make_interval(secs => ${lostSeconds * SILENT_PART}::float8)
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ losses: number }>`
    select count(*)::int as losses from job_losses where job_id = ${jobId}`.execute(db)
  return rows[0]?.losses ?? 0
}

export async function resetLosses(db: Db, jobId: string): Promise<void> {
  await sql`delete from job_losses where job_id = ${jobId}`.execute(db)
}

import { withQueryTimeout } from '../db/client.ts'
import type { PushChannel } from '../db/schema.ts'
import type { Deps, EnqueueOptions } from '../deps/deps.ts'
import { insertPushRun, type NewPushRun } from '../resources/push-runs/store.ts'
import type { RunTarget } from '../resources/push-runs/work-store.ts'
import { isId } from '../shared/ids.ts'
import type { Viewer } from '../shared/member.ts'
import type { PushJob, RunPayload } from './push-job.ts'

/** Up to this many records are pushed while the caller waits; more become a run in the background. */
export const INLINE_LIMIT = 100

/** A way out for the rows of a run. */
export type Channel = {
  name: PushChannel
  /** Pushes rows that are due, then waits for the next by enqueueing itself. */
  job: PushJob
  /** Jobs that share one run, so that as many worker processes can. */
  jobsPerRun: number
  /** Throws when what a run goes to is no longer there. */
  checkTarget: (deps: Pick<Deps, 'db' | 'secrets'>, workspaceId: string, target: RunTarget) => Promise<void>
}

/**
 * What a caller asks to push. Every id counts as it was sent, so that the figures add up to what the caller counts; one
 * that came before is pushed once, and what is no id names nothing: both are `surplus`.
 */
export function readIds(given: readonly string[]): { ids: string[]; surplus: string[]; asked: number } {
  const ids = new Set<string>()
  const surplus: string[] = []
  for (const sent of given) {
    const id = sent.toLowerCase()
    if (isId(id) && !ids.has(id)) ids.add(id)
    else surplus.push(sent)
  }
  return { ids: [...ids], surplus, asked: given.length }
}

/** Stores a run with its rows and its jobs, all or nothing: jobs that start at once, or one that starts later. */
export function startRun(
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  viewer: Viewer,
  channel: Channel,
  run: Omit<NewPushRun, 'channel'>,
  later?: EnqueueOptions,
) {
  const store = () =>
    db.transaction().execute(async (db) => {
      const { run_id, total } = await insertPushRun(db, viewer, { ...run, channel: channel.name })
      const payload = { workspace_id: viewer.workspace_id, run_id }
      if (later) await jobs.enqueue(db, channel.job, payload, later)
      else await enqueueRun({ db, jobs }, channel, payload)
      return { run_id, total, status: 'running' as const }
    })
  // A million rows take longer than what a request usually asks for.
  return withQueryTimeout(config.DATABASE_JOB_TIMEOUT_SECONDS * 1000, store)
}

export async function enqueueRun({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, channel: Channel, run: RunPayload) {
  for (let n = 0; n < channel.jobsPerRun; n++) await jobs.enqueue(db, channel.job, run)
}

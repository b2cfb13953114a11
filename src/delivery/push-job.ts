import type { Deps } from '../deps.ts'
import { defineJob, type Job } from '../jobs/define.ts'
import { deadlineAfter } from '../jobs/leased-work.ts'
import { failPushRun, findPushWork, finishOrWait, type PushWork, touchPushRun } from '../resources/push-runs/store.ts'
import type { RunPayload } from './run.ts'

/** A job works for so long and hands on to a new one, so that no job runs for hours. */
const DEADLINE_MS = 5 * 60_000

/** What came of the rows that were due: why the run cannot go on, or for how long it has to wait at least. */
export type PushProgress = { ended: string | null; waitSeconds?: number }

type Push = (
  deps: Deps,
  run: PushWork & RunPayload,
  deadline: AbortSignal,
  shutdown: AbortSignal,
) => Promise<PushProgress>

/** Declares the job of a channel: it pushes the rows of a run that are due, then waits for the next by enqueueing itself. */
export function definePushJob(name: string, push: Push): Job<RunPayload> {
  const job = defineJob<RunPayload>({
    name,
    concurrency: 4,
    async run(deps, payload, { signal }) {
      const { workspace_id, run_id } = payload
      const run = await findPushWork(deps.db, workspace_id, run_id)
      if (run?.status !== 'running') return
      const { ended, waitSeconds = 0 } = await push(
        deps,
        { ...run, ...payload },
        deadlineAfter(DEADLINE_MS, signal),
        signal,
      )
      if (ended) return failPushRun(deps.db, workspace_id, run_id, ended)
      const wait = await finishOrWait(deps.db, workspace_id, run_id)
      if (wait === null) return
      await touchPushRun(deps.db, workspace_id, run_id)
      await deps.jobs.enqueue(deps.db, job, payload, { startAfter: Math.ceil(Math.max(wait, waitSeconds)) })
    },
  })
  return job
}

import type { Deps } from '../deps/deps.ts'
import { defineJob, type Job } from '../jobs/define.ts'
import { deadlineAfter } from '../jobs/leased-work.ts'
import {
  endInlinePush,
  failPushRun,
  findPushWork,
  finishOrWait,
  type PushWork,
  touchPushRun,
} from '../resources/push-runs/work-store.ts'

/**
 * A job works for so long and hands on to a new one, which stands behind what others have to push meanwhile: a run of a hundred
 * thousand rows holds nobody up for longer.
 */
const DEADLINE_MS = 15_000

const INTERRUPTED = 'The service stopped during the push. It may have arrived; push it again.'

export type RunPayload = { workspace_id: string; run_id: string }

/** The result of pushing the rows that were due: why the run cannot go on, or for how long it has to wait at least. */
export type PushProgress = { ended: string | null; waitSeconds?: number }

type Push = (
  deps: Deps,
  run: PushWork & RunPayload,
  deadline: AbortSignal,
  shutdown: AbortSignal,
) => Promise<PushProgress>

export type PushJob = Job<RunPayload> & {
  /**
   * Pushes the rows of a run that are due, until none is or the deadline passes. Rows in hand then are finished, those of an
   * inline push only until `shutdown` aborts. Returns in how many seconds there is more to do, or null when the run is over.
   */
  work: (deps: Deps, payload: RunPayload, deadline: AbortSignal, shutdown: AbortSignal) => Promise<number | null>
}

/** Declares the job of a channel: it pushes the rows of a run that are due, then waits for the next by enqueueing itself. */
export function definePushJob(name: string, push: Push): PushJob {
  async function work(deps: Deps, payload: RunPayload, deadline: AbortSignal, shutdown: AbortSignal) {
    const { workspace_id, run_id } = payload
    const run = await findPushWork(deps.db, workspace_id, run_id)
    if (run?.status !== 'running') return null
    // Its process was killed. The caller got no answer and did not ask for the background.
    if (run.is_overdue) {
      await endInlinePush(deps.db, workspace_id, run_id, INTERRUPTED)
      return null
    }
    const { ended, waitSeconds = 0 } = await push(deps, { ...run, ...payload }, deadline, shutdown)
    if (ended) {
      await failPushRun(deps.db, workspace_id, run_id, ended)
      return null
    }
    const wait = await finishOrWait(deps.db, workspace_id, run_id)
    return wait === null ? null : Math.max(wait, waitSeconds)
  }

  const job = defineJob<RunPayload>({
    name,
    concurrency: 4,
    async run(deps, payload, { signal }) {
      const { workspace_id, run_id } = payload
      const wait = await work(deps, payload, deadlineAfter(DEADLINE_MS, signal), signal)
      if (wait === null) return
      await touchPushRun(deps.db, workspace_id, run_id)
      await deps.jobs.enqueue(deps.db, job, payload, { startAfter: Math.ceil(wait) })
    },
  })
  return Object.assign(job, { work })
}

import type { Deps } from '../../deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { failPushRun, findPushWork, finishOrWait, touchPushRun } from '../../resources/push-runs/store.ts'
import { findTarget } from '../../resources/webhook-destinations/store.ts'
import type { RunPayload } from '../run.ts'
import { sendRows } from './worker.ts'

/** A job works for so long and hands on to a new one, so that no job runs for hours. */
const DEADLINE_MS = 5 * 60_000

/** Sends the rows of a run that are due, then waits for the next by enqueueing itself. */
export const pushWebhook = defineJob<RunPayload>({
  name: 'push-webhook',
  concurrency: 4,
  async run(deps, payload, { signal }) {
    const { workspace_id, run_id } = payload
    const wait = await runUntilDeadline(deps, payload, deadlineAfter(DEADLINE_MS, signal))
    if (wait === null) return
    await touchPushRun(deps.db, workspace_id, run_id)
    await deps.jobs.enqueue(deps.db, pushWebhook, payload, { startAfter: Math.ceil(wait) })
  },
})

/** Answers in how many seconds there is more to do, or null when the run is over. */
async function runUntilDeadline(
  deps: Deps,
  { workspace_id, run_id }: RunPayload,
  deadline: AbortSignal,
): Promise<number | null> {
  const { db, secrets } = deps
  const run = await findPushWork(db, workspace_id, run_id)
  if (run?.status !== 'running') return null
  const target = run.destination_id ? await findTarget(db, workspace_id, run.destination_id, secrets) : null
  if (!target) {
    await failPushRun(db, workspace_id, run_id, 'The destination was deleted.')
    return null
  }
  const ended = await sendRows(
    deps,
    { workspaceId: workspace_id, runId: run_id, recordType: run.record_type, target },
    deadline,
  )
  if (ended) {
    await failPushRun(db, workspace_id, run_id, ended)
    return null
  }
  return finishOrWait(db, workspace_id, run_id)
}

import type { Deps } from '../../deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { isCrmProvider } from '../../providers/crm/registry.ts'
import { failPushRun, findPushWork, finishOrWait, touchPushRun } from '../../resources/push-runs/store.ts'
import type { RunPayload } from '../run.ts'
import { QUOTA_PATIENCE_SECONDS } from './push-batch.ts'
import { openCrm } from './session.ts'
import { pushDueRows, QUOTA_SECONDS } from './worker.ts'

/** A job works for so long and hands on to a new one, so that no job runs for hours. */
const DEADLINE_MS = 5 * 60_000

/** Pushes the rows of a run that are due, then waits for the next by enqueueing itself. */
export const pushCrm = defineJob<RunPayload>({
  name: 'push-crm',
  concurrency: 4,
  async run(deps, payload, { signal }) {
    const { workspace_id, run_id } = payload
    const wait = await runUntilDeadline(deps, payload, signal)
    if (wait === null) return
    await touchPushRun(deps.db, workspace_id, run_id)
    await deps.jobs.enqueue(deps.db, pushCrm, payload, { startAfter: Math.ceil(wait) })
  },
})

/** Answers in how many seconds there is more to do, or null when the run is over. */
async function runUntilDeadline(
  deps: Deps,
  { workspace_id, run_id }: RunPayload,
  signal: AbortSignal,
): Promise<number | null> {
  const { db } = deps
  const run = await findPushWork(db, workspace_id, run_id)
  if (run?.status !== 'running') return null
  const providers = run.providers.filter(isCrmProvider)
  const opened = await Promise.all(providers.map((provider) => openCrm(deps, workspace_id, provider, signal)))
  const targets = opened.filter((target) => target !== null)
  if (targets.length === 0) {
    await failPushRun(db, workspace_id, run_id, 'The CRM was disconnected.')
    return null
  }
  const work = {
    workspaceId: workspace_id,
    runId: run_id,
    recordType: run.record_type,
    providers,
    targets,
  }
  const { ended, waits } = await pushDueRows(deps, work, deadlineAfter(DEADLINE_MS, signal), signal)
  const patient = Date.parse(run.opened_at) + QUOTA_PATIENCE_SECONDS * 1000 > deps.now().getTime()
  if (ended || (waits && !patient)) {
    await failPushRun(db, workspace_id, run_id, ended ?? waits ?? '')
    return null
  }
  const wait = await finishOrWait(db, workspace_id, run_id)
  return waits && wait !== null ? Math.max(wait, QUOTA_SECONDS) : wait
}

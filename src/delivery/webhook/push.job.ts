import { findTarget } from '../../resources/webhook-destinations/store.ts'
import { definePushJob } from '../push-job.ts'
import { sendRows } from './worker.ts'

/** Sends the rows of a run to its destination. */
export const pushWebhook = definePushJob('push-webhook', async (deps, run, deadline, shutdown) => {
  const { workspace_id, run_id, record_type, destination_id, scoped_to, is_inline } = run
  const target = destination_id ? await findTarget(deps.db, workspace_id, destination_id, deps.secrets) : null
  if (!target) return { ended: 'The destination was deleted.' }
  const work = { viewer: { workspace_id, scoped_to }, runId: run_id, recordType: record_type, target }
  return { ended: await sendRows(deps, work, deadline, is_inline ? shutdown : undefined) }
})

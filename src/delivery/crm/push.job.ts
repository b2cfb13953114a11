import { isCrmProvider } from '../../providers/crm/registry.ts'
import { definePushJob } from '../push-job.ts'
import { QUOTA_PATIENCE_SECONDS } from './push-batch.ts'
import { openCrm } from './session.ts'
import { pushDueRows, QUOTA_SECONDS } from './worker.ts'

/** Pushes the rows of a run to its CRMs. */
export const pushCrm = definePushJob('push-crm', async (deps, run, deadline, shutdown) => {
  const { workspace_id, run_id, record_type, opened_at, scoped_to, is_inline } = run
  const providers = run.providers.filter(isCrmProvider)
  const opened = await Promise.all(providers.map((provider) => openCrm(deps, workspace_id, provider, shutdown)))
  const targets = opened.filter((target) => target !== null)
  if (targets.length === 0) return { ended: 'The CRM was disconnected.' }
  const viewer = { workspace_id, scoped_to }
  const work = { viewer, runId: run_id, recordType: record_type, isInline: is_inline, providers, targets }
  const { ended, waits } = await pushDueRows(deps, work, deadline, shutdown)
  if (!waits || ended) return { ended }
  // A quota that is used up comes back within a day; a run that has waited for longer has something else to wait for.
  const isPatient = Date.parse(opened_at) + QUOTA_PATIENCE_SECONDS * 1000 > deps.now().getTime()
  return isPatient ? { ended: null, waitSeconds: QUOTA_SECONDS } : { ended: waits }
})

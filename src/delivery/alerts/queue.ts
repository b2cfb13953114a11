import type { Deps } from '../../deps/deps.ts'
import { getWanted } from '../../resources/notifications/store.ts'
import { SEND_JOBS } from './send.job.ts'
import { hastenSuggestions, mergeAlert } from './store.ts'

/** While a discovery run goes on, people hear of what it suggests this often. */
const SUGGESTIONS_SECONDS = 600

export type Alert =
  | { type: 'signal.detected'; account_id: string; run_id: string | null; detection_ids: readonly string[] }
  | { type: 'account.suggested'; run_id: string; account_ids: readonly string[] }
  | { type: 'people.job_changed'; account_id: string; run_id: null; move_ids: readonly string[] }

/**
 * Has people told of new detections on an active account, of accounts a discovery run suggests, or of people of an account
 * who moved. Call it in the transaction that writes them: the alert exists exactly when they do. What one run finds on one
 * account within a few seconds is one alert; what a run suggests is one when the run ends, or one every ten minutes. Nobody
 * is told of the same detection, account or move twice, however often this is called. Answers false when nobody wants to know, or nothing was new.
 */
export async function queueAlert(
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  workspaceId: string,
  alert: Alert,
): Promise<boolean> {
  const wanted = await getWanted(db, workspaceId)
  if (!wanted[alert.type] || wanted.channels.length === 0) return false
  const delaySeconds = alert.type === 'account.suggested' ? SUGGESTIONS_SECONDS : config.ALERT_DELAY_SECONDS
  const merged = await mergeAlert(db, workspaceId, {
    type: alert.type,
    run_id: alert.run_id,
    account_id: alert.type === 'account.suggested' ? null : alert.account_id,
    record_ids: recordsOf(alert),
    channels: wanted.channels,
    delaySeconds,
  })
  if (!merged) return false
  for (const channel of merged.channels) {
    const payload = { workspace_id: workspaceId, alert_id: merged.id }
    await jobs.enqueue(db, SEND_JOBS[channel], payload, { startAfter: delaySeconds })
  }
  return true
}

function recordsOf(alert: Alert): readonly string[] {
  if (alert.type === 'signal.detected') return alert.detection_ids
  return alert.type === 'account.suggested' ? alert.account_ids : alert.move_ids
}

/** Sends what a discovery run has suggested and nobody was told of yet. Call it in the transaction that ends the run. */
export async function sendSuggestions(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  runId: string,
): Promise<void> {
  for (const { alert_id, channel } of await hastenSuggestions(db, workspaceId, runId)) {
    await jobs.enqueue(db, SEND_JOBS[channel], { workspace_id: workspaceId, alert_id })
  }
}

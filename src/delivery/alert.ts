import type { Deps } from '../deps/deps.ts'
import { getAlertPreferences } from '../resources/notifications/store.ts'
import { makeSuggestionsDue, mergeAlert } from './alerts/store.ts'
import { ALERT_JOBS } from './job.ts'

/** Suggested accounts of a discovery run that has not ended are sent this often. */
const SUGGESTIONS_SECONDS = 600

export type NewAlert =
  | { type: 'signal.detected'; account_id: string; run_id: string | null; detection_ids: readonly string[] }
  | { type: 'account.suggested'; run_id: string; account_ids: readonly string[] }
  | { type: 'people.job_changed'; account_id: string; run_id: null; move_ids: readonly string[] }

/**
 * Queues an alert about new detections on an active account, accounts a discovery run suggests, or people of an account
 * who moved. Call it in the transaction that writes them, so that the alert exists exactly when they do. The detections
 * of one run on one account within a few seconds are one alert; the suggestions of a run are one alert when the run ends,
 * or one every ten minutes. A detection, account or move is in one alert only, however often this is called. Returns
 * false when alerts of the type are switched off, or nothing was new.
 */
export async function queueAlert(
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  workspaceId: string,
  alert: NewAlert,
): Promise<boolean> {
  const wanted = await getAlertPreferences(db, workspaceId)
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
    const key = { workspace_id: workspaceId, alert_id: merged.id }
    await jobs.enqueue(db, ALERT_JOBS[channel], key, { startAfter: delaySeconds })
  }
  return true
}

function recordsOf(alert: NewAlert): readonly string[] {
  if (alert.type === 'signal.detected') return alert.detection_ids
  return alert.type === 'account.suggested' ? alert.account_ids : alert.move_ids
}

/** Sends the suggestions of a discovery run that wait in its open alert. Call it in the transaction that ends the run. */
export async function sendSuggestions(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  runId: string,
): Promise<void> {
  for (const { alert_id, channel } of await makeSuggestionsDue(db, workspaceId, runId)) {
    await jobs.enqueue(db, ALERT_JOBS[channel], { workspace_id: workspaceId, alert_id })
  }
}

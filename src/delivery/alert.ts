import type { Deps } from '../deps/deps.ts'
import { mergeAlert } from './alerts/match-store.ts'
import { makeSuggestionsDue } from './alerts/store.ts'
import { ALERT_JOBS } from './job.ts'

/** Suggested accounts of a discovery run that has not ended are sent this often. */
const SUGGESTIONS_SECONDS = 600

export type NewAlert =
  | { type: 'signal.detected'; account_id: string; run_id: string | null; detection_ids: readonly string[] }
  | { type: 'account.suggested'; run_id: string; account_ids: readonly string[] }
  | { type: 'people.job_changed'; run_id: null; move_ids: readonly string[] }
  | { type: 'work_item.done'; account_id: string; run_id: null; work_item_ids: readonly string[] }

/**
 * Queues alerts about new detections on an active account, accounts a discovery run suggests, people who moved, or work
 * items that are done, for every receiver that the notification settings or a rule name. Call it once in the transaction
 * that writes them, so that the alerts exist exactly when they do. The detections of one run on one account within a few
 * seconds are one alert; the suggestions of a run are one alert when the run ends, or one every ten minutes; a scheduled
 * rule collects everything until its next slot. A detection, account or move reaches a receiver once, however often this is
 * called. Returns false when no rule matches, or nothing was new.
 */
export async function queueAlert(
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  workspaceId: string,
  alert: NewAlert,
): Promise<boolean> {
  const { is_new, deliveries } = await mergeAlert(db, workspaceId, {
    type: alert.type,
    run_id: alert.run_id,
    record_ids: recordsOf(alert),
    delaySeconds: alert.type === 'account.suggested' ? SUGGESTIONS_SECONDS : config.ALERT_DELAY_SECONDS,
  })
  for (const { alert_id, channel, wait } of deliveries) {
    const key = { workspace_id: workspaceId, alert_id }
    await jobs.enqueue(db, ALERT_JOBS[channel], key, { startAfter: Math.round(wait) })
  }
  return is_new
}

function recordsOf(alert: NewAlert): readonly string[] {
  switch (alert.type) {
    case 'signal.detected':
      return alert.detection_ids
    case 'account.suggested':
      return alert.account_ids
    case 'people.job_changed':
      return alert.move_ids
    case 'work_item.done':
      return alert.work_item_ids
  }
}

/** Sends the suggestions of a discovery run that wait in its open alerts. Call it in the transaction that ends the run. */
export async function sendSuggestions(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
  runId: string,
): Promise<void> {
  for (const { alert_id, channel } of await makeSuggestionsDue(db, workspaceId, runId)) {
    await jobs.enqueue(db, ALERT_JOBS[channel], { workspace_id: workspaceId, alert_id })
  }
}

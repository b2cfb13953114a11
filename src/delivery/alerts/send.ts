import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Deps } from '../../deps/deps.ts'
import { isOn, targetOf } from '../../resources/notifications/channels.ts'
import { getSettings } from '../../resources/notifications/store.ts'
import { afterAttempt } from '../attempt.ts'
import { deliverOn, noteProblem } from './channel.ts'
import { readContent } from './content-store.ts'
import { toMessage } from './message.ts'
import { closeAlert, type DeliveryResult } from './store.ts'

/**
 * Makes one attempt to deliver what the alert says now. `attempts` were made before. Dropped when there is nothing left
 * to tell, or nobody wants it on this channel any more. Keeps the channel's visible problem up to date.
 */
export async function send(
  deps: Deps,
  workspaceId: string,
  alertId: string,
  channel: AlertChannel,
  attempts: number,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const { db, config, secrets } = deps
  const alert = await closeAlert(db, workspaceId, alertId)
  const content = alert && (await readContent(db, workspaceId, alert, config.PUBLIC_URL))
  if (!content) return dropped('There is nothing left to tell.')
  const settings = await getSettings(db, workspaceId, secrets)
  if (!isOn(settings, channel)) return dropped('The channel was switched off.')
  // The id is stable, so that a receiver knows an alert it has seen.
  const told = { id: `msg_${alertId.replaceAll('-', '')}`, content, message: toMessage(content) }
  const { status, message, ...attempt } = await deliverOn(deps, workspaceId, settings, channel, told, signal)
  const next = afterAttempt({ status, ...attempt }, attempts, config.PUSH_RETRY_SECONDS)
  if (next.state !== 'pending') await noteProblem(db, workspaceId, channel, next.state === 'sent' ? null : message)
  return { ...next, status, message, target: targetOf(settings, channel) }
}

const dropped = (message: string): DeliveryResult => ({
  state: 'dropped',
  retry_in: 0,
  status: null,
  message,
  target: null,
})

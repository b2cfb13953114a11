import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { createWebhookSecret, WebhookSigner } from '../../outbound/signing.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import type { ChatMessage } from '../../providers/chat/types.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { findConnection, setConnectionProblem } from '../../resources/connections/store.ts'
import { channelTarget, isChannelOn } from '../../resources/notifications/settings.ts'
import {
  type AlertSettings,
  ensureWebhookSecret,
  getAlertSettings,
  setWebhookProblem,
} from '../../resources/notifications/store.ts'
import { postSigned } from '../channel/post.ts'
import type { Attempt, DeliveryTask } from '../channel/types.ts'
import { readAlertContent } from './content-store.ts'
import { toChatMessage } from './message.ts'
import type { AlertContent, TestAlert } from './schema.ts'
import { type AlertKey, type AlertRow, alertQueue, closeAlert, recordAlert } from './store.ts'

/** Includes the wait for the rate limit of a busy chat channel. */
const CHAT_TIME_LIMIT_MS = 90_000

type AlertAttempt = Attempt<AlertRow> & {
  /** The masked receiver; null when nothing was sent. */
  target: string | null
}

/** The delivery of an alert on one channel: a queue of one row with the content the alert has when it is sent. */
export function openAlert(
  deps: Deps,
  channel: AlertChannel,
  key: AlertKey,
  shutdown: AbortSignal,
): DeliveryTask<AlertRow, AlertAttempt> {
  const { db, config, secrets, log } = deps
  const { workspace_id, alert_id } = key
  return {
    queue: alertQueue(db, key, channel),
    concurrency: 1,
    async send([row]) {
      if (!row) return []
      const alert = await closeAlert(db, key)
      const content = alert && (await readAlertContent(db, workspace_id, alert, config.PUBLIC_URL))
      if (!content) return [skipped(row, 'There is nothing left to report.')]
      const settings = await getAlertSettings(db, workspace_id, secrets)
      if (!isChannelOn(settings, channel)) return [skipped(row, 'The channel was switched off.')]
      // The id is the same in every attempt, so that a receiver can deduplicate alerts.
      const outgoing = { id: `msg_${alert_id.replaceAll('-', '')}`, content, message: toChatMessage(content) }
      const attempt = await postAlert(deps, workspace_id, settings, channel, outgoing, shutdown)
      // A failure during the shutdown proves nothing about the receiver, so it is not an attempt.
      if (attempt.result === 'retry' && shutdown.aborted) return []
      return [{ ...attempt, row, target: channelTarget(settings, channel) }]
    },
    async record(leaseId, results) {
      for (const { row, state, status, message, retry_in, target, result } of results) {
        const isFinal = state === 'sent' || state === 'failed'
        if (isFinal) await setChannelProblem(db, workspace_id, channel, state === 'sent' ? null : message)
        const stored = state === 'skipped' ? 'dropped' : state
        if (!(await recordAlert(db, key, leaseId, { state: stored, retry_in, status, message, target }))) continue
        const fields = { alert_id, channel, state: stored, status, reason: message, attempt: row.attempts + 1 }
        if (result === 'sent') log.info(fields, 'alert sent')
        else log.warn(fields, state === 'pending' ? 'alert not sent yet' : 'alert not sent')
      }
    },
  }
}

const skipped = (row: AlertRow, message: string): AlertAttempt => ({
  row,
  result: 'skipped',
  status: null,
  message,
  retryAfter: null,
  target: null,
})

/** The content of an alert for both channels: JSON for the webhook, a message for the chat. */
type OutgoingAlert = { id: string; content: AlertContent | TestAlert; message: ChatMessage }

type PostedAlert = {
  result: 'sent' | 'retry' | 'failed'
  status: number | null
  message: string | null
  retryAfter: number | null
}

/** Posts an alert once to a channel that has a target. */
export async function postAlert(
  deps: Deps,
  workspaceId: string,
  { webhook_url, webhook_secret, chat_channel }: AlertSettings,
  channel: AlertChannel,
  { id, content, message }: OutgoingAlert,
  stop: AbortSignal,
): Promise<PostedAlert> {
  const { db, secrets, outbound } = deps
  if (channel === 'webhook') {
    const secret = webhook_secret ?? (await ensureWebhookSecret(db, workspaceId, secrets, createWebhookSecret()))
    const target = { url: webhook_url ?? '', signer: new WebhookSigner([secret]) }
    const { result, status, message, retryAfter } = await postSigned(outbound, target, id, JSON.stringify(content))
    return { result: result === 'over' ? 'failed' : result, status, message, retryAfter }
  }
  const connection = await findConnection(db, workspaceId, 'chat', secrets)
  if (!connection) return { result: 'failed', status: null, message: 'No chat is connected.', retryAfter: null }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(CHAT_TIME_LIMIT_MS)])
  return chatVendor.post(toProviderDeps(deps, signal), connection.credential.token, chat_channel, message)
}

/** Stores why a channel does not work, as people see it, or that it works (null). */
export function setChannelProblem(
  db: Db,
  workspaceId: string,
  channel: AlertChannel,
  problem: string | null,
): Promise<void> {
  if (channel === 'webhook') return setWebhookProblem(db, workspaceId, problem)
  return setConnectionProblem(db, workspaceId, 'chat', problem)
}

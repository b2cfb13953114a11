import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Deps } from '../../deps.ts'
import { createWebhookSecret, WebhookSigner } from '../../outbound/signing.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import { forProviders } from '../../providers/types.ts'
import { findConnection, setProblem } from '../../resources/connections/store.ts'
import { ensureSecret, getSettings, type Settings, setWebhookProblem } from '../../resources/notifications/store.ts'
import { type AttemptResult, afterAttempt, deliver } from '../attempt.ts'
import { type AlertContent, readContent } from './content-store.ts'
import { toMessage } from './message.ts'
import { closeAlert, type DeliveryResult } from './store.ts'

/** Waiting for its turn in a busy channel included. */
const CHAT_TIME_LIMIT_MS = 90_000

type Attempt = Pick<AttemptResult, 'result' | 'status' | 'message' | 'retryAfter'>

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
  const attempt = await (channel === 'webhook'
    ? toWebhook(deps, workspaceId, settings, alertId, content)
    : toChat(deps, workspaceId, settings, content, signal))
  if (!attempt) return dropped('The channel was switched off.')
  const next = afterAttempt(attempt, attempts, config.PUSH_RETRY_SECONDS)
  if (next.state !== 'pending') {
    const problem = next.state === 'sent' ? null : attempt.message
    if (channel === 'webhook') await setWebhookProblem(db, workspaceId, problem)
    else await setProblem(db, workspaceId, 'chat', problem)
  }
  return { ...next, status: attempt.status, message: attempt.message }
}

const dropped = (message: string): DeliveryResult => ({ state: 'dropped', retry_in: 0, status: null, message })

/** Null when the webhook is off. The id is stable, so that a receiver knows an alert it has seen. */
async function toWebhook(
  { db, secrets, outbound }: Deps,
  workspaceId: string,
  { webhook_enabled, webhook_url, webhook_secret }: Settings,
  alertId: string,
  content: AlertContent,
): Promise<Attempt | null> {
  if (!webhook_enabled || !webhook_url) return null
  const secret = webhook_secret ?? (await ensureSecret(db, workspaceId, secrets, createWebhookSecret()))
  const id = `msg_${alertId.replaceAll('-', '')}`
  return deliver(outbound, { url: webhook_url, signer: new WebhookSigner([secret]) }, id, JSON.stringify(content))
}

/** Null when the chat is off. */
async function toChat(
  deps: Deps,
  workspaceId: string,
  { chat_enabled, chat_channel }: Settings,
  content: AlertContent,
  stop: AbortSignal,
): Promise<Attempt | null> {
  if (!chat_enabled || !chat_channel) return null
  const connection = await findConnection(deps.db, workspaceId, 'chat', deps.secrets)
  if (!connection) return { result: 'failed', status: null, message: 'No chat is connected.', retryAfter: null }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(CHAT_TIME_LIMIT_MS)])
  return chatVendor.post(forProviders(deps, signal), connection.credential.token, chat_channel, toMessage(content))
}

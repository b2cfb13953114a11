import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { createWebhookSecret, WebhookSigner } from '../../outbound/signing.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import type { ChatMessage } from '../../providers/chat/types.ts'
import { toProviderDeps } from '../../providers/types.ts'
import { findConnection, setProblem } from '../../resources/connections/store.ts'
import { ensureSecret, type Settings, setWebhookProblem } from '../../resources/notifications/store.ts'
import { type AttemptResult, deliver } from '../attempt.ts'
import type { AlertContent, TestAlert } from './schema.ts'

/** Waiting for its turn in a busy channel included. */
const CHAT_TIME_LIMIT_MS = 90_000

type Attempt = Pick<AttemptResult, 'result' | 'status' | 'message' | 'retryAfter'>

/** The same for both channels: what a webhook gets, and what people read. */
export type OutgoingAlert = { id: string; content: AlertContent | TestAlert; message: ChatMessage }

/** Makes one attempt to tell something on a channel that leads somewhere. */
export async function deliverOn(
  deps: Deps,
  workspaceId: string,
  { webhook_url, webhook_secret, chat_channel }: Settings,
  channel: AlertChannel,
  { id, content, message }: OutgoingAlert,
  stop: AbortSignal,
): Promise<Attempt> {
  const { db, secrets, outbound } = deps
  if (channel === 'webhook') {
    const secret = webhook_secret ?? (await ensureSecret(db, workspaceId, secrets, createWebhookSecret()))
    const signer = new WebhookSigner([secret])
    return deliver(outbound, { url: webhook_url ?? '', signer }, id, JSON.stringify(content))
  }
  const connection = await findConnection(db, workspaceId, 'chat', secrets)
  if (!connection) return { result: 'failed', status: null, message: 'No chat is connected.', retryAfter: null }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(CHAT_TIME_LIMIT_MS)])
  return chatVendor.post(toProviderDeps(deps, signal), connection.credential.token, chat_channel, message)
}

/** Keeps what people see of a channel up to date: why it does not work, or that it does (null). */
export function noteProblem(db: Db, workspaceId: string, channel: AlertChannel, problem: string | null): Promise<void> {
  if (channel === 'webhook') return setWebhookProblem(db, workspaceId, problem)
  return setProblem(db, workspaceId, 'chat', problem)
}

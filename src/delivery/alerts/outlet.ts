import type { AlertChannel } from '../../db/alert-tables.ts'
import type { Deps } from '../../deps/deps.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { sendMail } from '../../outbound/mail.ts'
import { createWebhookSecret, WebhookSigner } from '../../outbound/signing.ts'
import { maskUrl } from '../../outbound/url-policy.ts'
import { chatVendor } from '../../providers/chat/registry.ts'
import type { ChatMessage } from '../../providers/chat/types.ts'
import { type ProviderDeps, toProviderDeps } from '../../providers/types.ts'
import type { SendingRule } from '../../resources/alert-rules/store.ts'
import { createUnsubscribeToken } from '../../resources/alert-rules/unsubscribe.ts'
import { findConnection } from '../../resources/connections/store.ts'
import { channelTarget, type SettingsChannel } from '../../resources/notifications/settings.ts'
import { type AlertSettings, ensureWebhookSecret } from '../../resources/notifications/store.ts'
import type { DeliveryRow } from '../../resources/webhook-destinations/delivery-store.ts'
import { findWebhookTarget } from '../../resources/webhook-destinations/store.ts'
import { type PostResult, postJson, postSigned } from '../channel/post.ts'
import { toLogEntry } from '../webhook/channel.ts'
import type { Digest } from './digest.ts'
import { renderDigest } from './email.ts'
import type { AlertContent, TestAlert } from './schema.ts'
import { toTeamsMessage } from './teams-card.ts'

/** Includes the wait for the rate limit of a busy chat channel or mail server. */
const TIME_LIMIT_MS = 90_000

/** The place that receives an alert. `target` is shown to members, without secrets. */
export type Outlet = { target: string } & (
  | { channel: 'webhook'; url: string; secrets: string[]; destination_id: string | null }
  | { channel: 'chat'; chat_channel: string }
  | { channel: 'chat_dm'; email: string }
  | { channel: 'teams'; url: string }
  | { channel: 'email'; to: { name: string; address: string }; unsubscribe_url: string | null }
)

/** An alert in the form of its channel: JSON for webhooks, a message for chats, a digest for mail. */
export type WrittenAlert =
  | { as: 'json'; content: AlertContent | TestAlert }
  | { as: 'message'; message: ChatMessage }
  | { as: 'digest'; digest: Digest }

export type PostedAlert = {
  result: 'sent' | 'retry' | 'failed'
  status: number | null
  message: string | null
  retryAfter: number | null
  /** The entry for the delivery log of a webhook destination. */
  logged?: { destination_id: string; row: Omit<DeliveryRow, 'attempt'> }
}

type Parts = Pick<Deps, 'db' | 'secrets' | 'config'>

/** A channel of the notification settings; null when it has no target. */
export async function settingsOutlet(
  { db, secrets }: Parts,
  workspaceId: string,
  settings: AlertSettings,
  channel: SettingsChannel,
): Promise<Outlet | null> {
  const target = channelTarget(settings, channel)
  const { webhook_url, webhook_secret, chat_channel } = settings
  if (target === null) return null
  if (channel === 'chat') return { channel, target, chat_channel }
  const secret = webhook_secret ?? (await ensureWebhookSecret(db, workspaceId, secrets, createWebhookSecret()))
  return { channel, target, url: webhook_url ?? '', secrets: [secret], destination_id: null }
}

/** The channel of a rule; null when its target was deleted. */
export async function ruleOutlet(
  { db, secrets, config: { PUBLIC_URL } }: Parts,
  workspace_id: string,
  rule: SendingRule,
): Promise<Outlet | null> {
  const { channel, receiver, chat_channel, destination_id, teams_url } = rule
  if (channel === 'chat') return chat_channel ? { channel, target: chat_channel, chat_channel } : null
  if (channel === 'teams') return teams_url ? { channel, target: maskUrl(teams_url), url: teams_url } : null
  if (channel === 'webhook') {
    const found = destination_id ? await findWebhookTarget(db, workspace_id, destination_id, secrets) : null
    return found && { channel, target: maskUrl(found.url), url: found.url, secrets: found.secrets, destination_id }
  }
  if (!receiver) return null
  const { id: member_id, name, email } = receiver
  if (channel === 'chat_dm') return { channel, target: email, email }
  const token = createUnsubscribeToken(secrets, { workspace_id, rule_id: rule.id, member_id })
  const unsubscribe_url = PUBLIC_URL && `${PUBLIC_URL}/unsubscribe?token=${token}`
  return { channel, target: email, to: { name, address: email }, unsubscribe_url }
}

/** The form in which a channel carries an alert. */
export const formOf = (channel: AlertChannel): WrittenAlert['as'] =>
  channel === 'webhook' ? 'json' : channel === 'email' ? 'digest' : 'message'

/** Posts an alert once. `id` is the same in every attempt, so that a receiver can deduplicate alerts. */
export async function postAlert(
  deps: Deps,
  workspaceId: string,
  outlet: Outlet,
  id: string,
  alert: WrittenAlert,
  stop: AbortSignal,
): Promise<PostedAlert> {
  const { db, secrets, outbound, config } = deps
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIME_LIMIT_MS)])
  const { channel } = outlet
  if (channel === 'webhook' && alert.as === 'json') {
    const target = { url: outlet.url, signer: new WebhookSigner(outlet.secrets) }
    const posted = await postSigned(outbound, target, id, JSON.stringify(alert.content))
    const { destination_id } = outlet
    if (destination_id === null) return toPosted(posted)
    const row = { ...toLogEntry(posted), record_id: null, webhook_id: id }
    return { ...toPosted(posted), logged: { destination_id, row } }
  }
  if (channel === 'email' && alert.as === 'digest') {
    const { to, unsubscribe_url } = outlet
    const { PUBLIC_URL } = config
    const settings = PUBLIC_URL && `${PUBLIC_URL}/settings/alerts`
    const mail = renderDigest(alert.digest, { open: PUBLIC_URL, unsubscribe: unsubscribe_url, settings })
    return sendMail(deps, { message_id: id, to, ...mail, unsubscribe_url }, signal)
  }
  if (channel === 'webhook' || channel === 'email' || alert.as !== 'message')
    throw new Error(`An alert on the channel ${channel} cannot be sent as ${alert.as}.`)
  const { message } = alert
  if (channel === 'teams')
    return toPosted(await postJson(outbound, outlet.url, JSON.stringify(toTeamsMessage(message))))
  const connection = await findConnection(db, workspaceId, 'chat', secrets)
  if (!connection) return { result: 'failed', status: null, message: 'No chat is connected.', retryAfter: null }
  const { token, signing_secret } = connection.credential
  const chat = toProviderDeps(deps, signal)
  // Without the secret, clicks could not be verified.
  const shown = signing_secret ? message : { ...message, actions: null }
  if (channel === 'chat_dm') return postToPerson(chat, token, outlet.email, shown)
  return chatVendor.post(chat, token, outlet.chat_channel, shown)
}

/** Sends a direct message to the person with this email address in the chat. */
async function postToPerson(
  chat: ProviderDeps,
  token: string,
  email: string,
  message: ChatMessage,
): Promise<PostedAlert> {
  const none = { status: null, retryAfter: null }
  try {
    const found = await chatVendor.findUserByEmail(chat, token, email)
    if ('refused' in found) return { ...none, result: 'failed', message: found.refused }
    if ('unavailable' in found) return { ...none, result: 'retry', message: found.unavailable }
    return await chatVendor.post(chat, token, found.id, message)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { retryAfter = null } = error
    return { ...none, result: 'retry', message: `The chat could not be reached. ${error.message}`, retryAfter }
  }
}

const toPosted = ({ result, status, message, retryAfter }: PostResult): PostedAlert => ({
  result: result === 'over' ? 'failed' : result,
  status,
  message,
  retryAfter,
})

import { createHash } from 'node:crypto'
import { lookupTable } from '../../engine/text/lookup-table.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { readRetryAfter } from '../../outbound/response-headers.ts'
import type { ProviderDeps } from '../types.ts'
import { toBlocks, toText } from './slack-blocks.ts'
import { verifyInteraction } from './slack-interaction.ts'
import type { ChatMessage, ChatResult, ChatVendor } from './types.ts'

const API = 'https://slack.com/api'
const TIMEOUTS = { headers: 15_000, body: 10_000, total: 20_000 }
const MAX_ANSWER_BYTES = 256 * 1024

/** Slack allows about one message per second and channel. */
const INTERVAL_MS = 1_100
/** Slack allows 50 updates and lookups of each kind per minute and workspace. */
const TIER_3 = { intervalMs: 1_200, burst: 20, concurrency: 4 }

type SlackUser = {
  id?: string
  deleted?: boolean
  is_bot?: boolean
  name?: string
  real_name?: string
  profile?: { email?: string; real_name?: string }
}
type SlackBody = {
  ok: boolean
  error?: string
  team?: string
  user?: SlackUser | string
  channel?: string
  ts?: string
}

const NEW_TOKEN = 'Connect the chat again with a token that works.'

/** The message for each documented error. `{channel}` is replaced by the channel. */
const REFUSED = lookupTable<string>({
  channel_not_found: 'The channel {channel} does not exist in the chat, or the app may not see it.',
  not_in_channel: 'The app is not a member of {channel}. Invite it there.',
  is_archived: 'The channel {channel} is archived.',
  restricted_action: 'A setting of the chat does not let the app post to {channel}.',
  restricted_action_read_only_channel: 'The channel {channel} is read-only.',
  restricted_action_thread_only_channel: 'The channel {channel} accepts replies in threads only.',
  restricted_action_non_threadable_channel: 'The channel {channel} does not accept this message.',
  invalid_auth: `The chat does not accept the token. ${NEW_TOKEN}`,
  not_authed: `The chat does not accept the token. ${NEW_TOKEN}`,
  token_revoked: `The token was revoked. ${NEW_TOKEN}`,
  token_expired: `The token has expired. ${NEW_TOKEN}`,
  account_inactive: `The token belongs to an account or workspace that was deleted. ${NEW_TOKEN}`,
  no_permission: `The token may not post messages. ${NEW_TOKEN}`,
  missing_scope: 'The token may not post messages: it lacks the scope chat:write.',
  not_allowed_token_type: `This kind of token cannot post messages. ${NEW_TOKEN}`,
  access_denied: `The token may not post messages. ${NEW_TOKEN}`,
  org_login_required: 'The chat workspace is being moved to another organisation and accepts no messages.',
  ekm_access_denied: 'The administrators of the chat have suspended posting.',
  msg_too_long: 'The chat found the message too long.',
})

const INSTALL_AGAIN = 'Add it to the app in the chat and connect the chat again.'

/** The messages for errors with another meaning when a message is changed. */
const NOT_UPDATED = lookupTable<string>({
  message_not_found: 'The message was deleted in the chat.',
  cant_update_message: 'Only the app that posted the message can change it. Connect the chat again with its token.',
  edit_window_closed: 'A setting of the chat does not allow changing a message of this age.',
  is_inactive: 'The message is in a channel or thread that is closed.',
  missing_scope: `The token may not change messages: it lacks the scope chat:write. ${INSTALL_AGAIN}`,
})

/** The messages for errors when a person is looked up. `{channel}` is replaced by the id or the email address. */
const NOT_FOUND = lookupTable<string>({
  users_not_found: 'No person in the chat has the email address {channel}. Use the same address in both places.',
  user_not_found: 'The chat does not know the person {channel}.',
  user_not_visible: 'The app may not see the person {channel} in the chat.',
  missing_scope: `The token may not look up people: it lacks the scopes users:read and users:read.email. ${INSTALL_AGAIN}`,
  no_permission: `The token may not look up people. ${NEW_TOKEN}`,
  not_allowed_token_type: `This kind of token cannot look up people. ${NEW_TOKEN}`,
  access_denied: `The token may not look up people. ${NEW_TOKEN}`,
})

/** Temporary errors. */
const TEMPORARY = lookupTable<string>({
  rate_limited: 'The chat requests a pause: too many messages.',
  ratelimited: 'The chat requests a pause: too many messages.',
  message_limit_exceeded: 'The chat requests a pause: too many messages.',
  internal_error: 'The chat had an internal error.',
  fatal_error: 'The chat had an internal error.',
  service_unavailable: 'The chat is not available at the moment.',
  request_timeout: 'The chat did not receive the whole message.',
  team_added_to_org: 'The chat workspace is being moved to another organisation.',
})

const post: ChatVendor['post'] = (deps, token, channel, message) => {
  const body = {
    channel,
    ...contentOf(message),
    // Previews of the evidence links would hide the message.
    unfurl_links: false,
    unfurl_media: false,
  }
  // Channels of two workspaces may have one name, so the rate limit is per token and channel.
  const pace = { kind: `slack ${hashOf(token)} ${channel}`, intervalMs: INTERVAL_MS, concurrency: 1 }
  return write(deps, 'chat.postMessage', token, body, pace)
}

const update: ChatVendor['update'] = (deps, token, channel, ts, message) => {
  const pace = { kind: `slack ${hashOf(token)} chat.update`, ...TIER_3 }
  return write(deps, 'chat.update', token, { channel, ts, ...contentOf(message) }, pace, NOT_UPDATED)
}

const contentOf = (message: ChatMessage) => ({ text: toText(message), blocks: toBlocks(message) })

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url').slice(0, 12)

async function write(
  deps: ProviderDeps,
  method: string,
  token: string,
  body: { channel: string; [field: string]: unknown },
  pace: Pace,
  refused?: Sentences,
): Promise<ChatResult> {
  try {
    return classifyResponse(await call(deps, method, token, body, pace), body.channel, refused)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { message, retryAfter = null } = error
    return { result: 'retry', status: null, message: `The chat could not be reached. ${message}`, retryAfter }
  }
}

/** Most failures are a 200 with `ok: false`. */
function classifyResponse(response: OutboundResponse, channel: string, refused?: Sentences): ChatResult {
  const { status } = response
  const retryAfter = readRetryAfter(response.headers['retry-after'])
  if (status === 429) return { result: 'retry', status, message: TEMPORARY.rate_limited as string, retryAfter }
  const body = read(response)
  if (!body)
    return { result: 'retry', status, message: `The chat answered ${status} and nothing readable.`, retryAfter }
  if (body.ok) return { result: 'sent', status, message: null, retryAfter: null }
  const { error = 'no reason given' } = body
  const temporary = TEMPORARY[error]
  if (temporary || status >= 500)
    return { result: 'retry', status, message: temporary ?? `The chat answered ${status}.`, retryAfter }
  return { result: 'failed', status, message: sentence(error, channel, refused), retryAfter: null }
}

type Sentences = Readonly<Record<string, string>>

function sentence(error: string, channel: string, refused?: Sentences): string {
  const message = (refused?.[error] ?? REFUSED[error])?.replace('{channel}', () => channel)
  // The error code is documented by the chat.
  return message ?? `The chat refused the message (${error.slice(0, 100)}).`
}

const identify: ChatVendor['identify'] = async (deps, token) => {
  const found = readLookup(await call(deps, 'auth.test', token, {}), '')
  return 'body' in found ? { team: found.body.team ?? '' } : found
}

const findUser: ChatVendor['findUser'] = async (deps, token, userId) => {
  const found = await lookUp(deps, 'users.info', token, { user: userId }, userId)
  if (!('body' in found)) return found
  const { id, deleted, is_bot, name, real_name, profile } = userOf(found.body)
  if (!id || deleted || is_bot) return { refused: `${userId} is not an active person in the chat.` }
  // Without the scope, the response has no address and no error.
  if (!profile?.email)
    return { refused: `The token may not read email addresses: it lacks the scope users:read.email. ${INSTALL_AGAIN}` }
  return { user: { id, email: profile.email, name: profile.real_name || real_name || name || profile.email } }
}

const findUserByEmail: ChatVendor['findUserByEmail'] = async (deps, token, email) => {
  const found = await lookUp(deps, 'users.lookupByEmail', token, { email }, email)
  if (!('body' in found)) return found
  const { id, deleted, is_bot } = userOf(found.body)
  return id && !deleted && !is_bot ? { id } : { refused: `${email} is not an active person in the chat.` }
}

const userOf = ({ user }: SlackBody): SlackUser => (typeof user === 'object' ? user : {})

async function lookUp(
  deps: ProviderDeps,
  method: string,
  token: string,
  query: Record<string, string>,
  subject: string,
): Promise<LookupResult> {
  const pace = { kind: `slack ${hashOf(token)} ${method}`, ...TIER_3 }
  return readLookup(await call(deps, method, token, new URLSearchParams(query), pace), subject, NOT_FOUND)
}

type LookupResult = { body: SlackBody } | { refused: string } | { unavailable: string }

function readLookup(response: OutboundResponse, subject: string, refused?: Sentences): LookupResult {
  const body = read(response)
  if (body?.ok) return { body }
  if (response.status === 429) return { unavailable: TEMPORARY.rate_limited as string }
  if (!body?.error) return { unavailable: `The chat answered ${response.status} and nothing readable.` }
  const temporary = TEMPORARY[body.error]
  if (temporary || response.status >= 500) return { unavailable: temporary ?? `The chat answered ${response.status}.` }
  return { refused: sentence(body.error, subject, refused) }
}

function call(
  { outbound, signal }: ProviderDeps,
  method: string,
  token: string,
  // Methods that read accept forms only.
  body: object | URLSearchParams,
  pace?: Pace,
): Promise<OutboundResponse> {
  const isForm = body instanceof URLSearchParams
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return outbound.request(`${API}/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': `${type}; charset=utf-8` },
    body: isForm ? body.toString() : JSON.stringify(body),
    redirects: 'refuse',
    timeouts: TIMEOUTS,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
    ...(pace ? { pace } : {}),
  })
}

function read(response: OutboundResponse): SlackBody | null {
  try {
    const body = JSON.parse(response.text()) as SlackBody | null
    return typeof body?.ok === 'boolean' ? body : null
  } catch {
    // Not JSON: the page of a proxy, or a truncated response.
    return null
  }
}

export const slack: ChatVendor = {
  label: 'Slack',
  tokenName: 'a bot token',
  post,
  update,
  origin: new URL(API).origin,
  identify,
  findUser,
  findUserByEmail,
  verifyInteraction,
}

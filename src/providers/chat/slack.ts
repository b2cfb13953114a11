import { createHash } from 'node:crypto'
import { lookupTable } from '../../engine/text/lookup-table.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { readRetryAfter } from '../../outbound/response-headers.ts'
import type { ProviderDeps } from '../types.ts'
import { toBlocks, toText } from './slack-blocks.ts'
import type { ChatMessage, ChatResult, ChatVendor } from './types.ts'

const API = 'https://slack.com/api'
const TIMEOUTS = { headers: 15_000, body: 10_000, total: 20_000 }
const MAX_ANSWER_BYTES = 256 * 1024

/** Slack allows about one message per second and channel. */
const INTERVAL_MS = 1_100

type SlackBody = { ok: boolean; error?: string; team?: string; user?: { id?: string } }

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

/** The messages for errors of the search for a person. `{channel}` is replaced by the email address. */
const NOT_FOUND = lookupTable<string>({
  users_not_found: 'The chat has no member with the email address {channel}.',
  missing_scope: 'The token may not look up people by email: it lacks the scope users:read.email.',
})

const postToPerson: ChatVendor['postToPerson'] = async (deps, token, email, message) => {
  try {
    const response = await call(deps, 'users.lookupByEmail', token, new URLSearchParams({ email }))
    const user = read(response)?.user?.id
    if (!user) return classifyResponse(response, email, NOT_FOUND)
    return await postTo(deps, token, user, email, message)
  } catch (error) {
    return unreachable(error)
  }
}

const post: ChatVendor['post'] = async (deps, token, channel, message) => {
  try {
    return await postTo(deps, token, channel, channel, message)
  } catch (error) {
    return unreachable(error)
  }
}

function unreachable(error: unknown): ChatResult {
  if (!(error instanceof OutboundError)) throw error
  const { message, retryAfter = null } = error
  return { result: 'retry', status: null, message: `The chat could not be reached. ${message}`, retryAfter }
}

/** Posts to the id or name of a channel, or to the id of a person; `name` is shown in error messages. */
async function postTo(
  deps: ProviderDeps,
  token: string,
  channel: string,
  name: string,
  message: ChatMessage,
): Promise<ChatResult> {
  const body = {
    channel,
    text: toText(message),
    blocks: toBlocks(message),
    // Previews of the evidence links would hide the message.
    unfurl_links: false,
    unfurl_media: false,
  }
  // Channels of two workspaces may have one name, so the rate limit is per token and channel.
  const tokenHash = createHash('sha256').update(token).digest('base64url').slice(0, 12)
  const response = await call(deps, 'chat.postMessage', token, body, {
    kind: `slack ${tokenHash} ${channel}`,
    intervalMs: INTERVAL_MS,
    concurrency: 1,
  })
  return classifyResponse(response, name)
}

/** Most failures are a 200 with `ok: false`. */
function classifyResponse(
  response: OutboundResponse,
  channel: string,
  refused: Readonly<Record<string, string>> = {},
): ChatResult {
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

function sentence(error: string, channel: string, refused: Readonly<Record<string, string>> = {}): string {
  const message = (refused[error] ?? REFUSED[error])?.replace('{channel}', channel)
  // The error code is documented by the chat.
  return message ?? `The chat refused the message (${error.slice(0, 100)}).`
}

const identify: ChatVendor['identify'] = async (deps, token) => {
  const response = await call(deps, 'auth.test', token, {})
  const body = read(response)
  if (body?.ok) return { team: body.team ?? '' }
  if (response.status === 429) return { unavailable: TEMPORARY.rate_limited as string }
  if (!body?.error) return { unavailable: `The chat answered ${response.status} and nothing readable.` }
  const temporary = TEMPORARY[body.error]
  if (temporary || response.status >= 500) return { unavailable: temporary ?? `The chat answered ${response.status}.` }
  return { refused: sentence(body.error, '') }
}

function call(
  { outbound, signal }: ProviderDeps,
  method: string,
  token: string,
  // Methods that read accept forms only.
  body: object | URLSearchParams,
  pace?: { kind: string; intervalMs: number; concurrency: number },
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

export const slack: ChatVendor = { label: 'Slack', tokenName: 'a bot token', post, postToPerson, identify }

import { createHash } from 'node:crypto'
import { lookupTable } from '../../engine/text/lookup-table.ts'
import type { OutboundResponse } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { readRetryAfter } from '../../outbound/response-headers.ts'
import type { ProviderDeps } from '../types.ts'
import { toBlocks, toText } from './slack-blocks.ts'
import type { ChatAnswer, ChatMessage, ChatVendor } from './types.ts'

const API = 'https://slack.com/api'
const TIMEOUTS = { headers: 15_000, body: 10_000, total: 20_000 }
const MAX_ANSWER_BYTES = 256 * 1024

/** About one message a second and channel is allowed; a little slower stays within it. */
const INTERVAL_MS = 1_100

type SlackAnswer = { ok: boolean; error?: string; team?: string; needed?: string }

const NEW_TOKEN = 'Connect the chat again with a token that works.'

/** What a person has to know of each documented error. `{channel}` is the channel. */
const REFUSED = lookupTable<string>({
  channel_not_found: 'The chat does not know the channel {channel}, or the app may not see it.',
  not_in_channel: 'The app is not a member of {channel}. Invite it there.',
  is_archived: 'The channel {channel} is archived.',
  restricted_action: 'A setting of the chat does not let the app post to {channel}.',
  restricted_action_read_only_channel: 'The channel {channel} is read-only.',
  restricted_action_thread_only_channel: 'The channel {channel} takes answers in threads only.',
  restricted_action_non_threadable_channel: 'The channel {channel} does not take this message.',
  invalid_auth: `The chat does not accept the token. ${NEW_TOKEN}`,
  not_authed: `The chat does not accept the token. ${NEW_TOKEN}`,
  token_revoked: `The token was revoked. ${NEW_TOKEN}`,
  token_expired: `The token has expired. ${NEW_TOKEN}`,
  account_inactive: `The token belongs to an account or workspace that was deleted. ${NEW_TOKEN}`,
  no_permission: `The token may not post messages. ${NEW_TOKEN}`,
  missing_scope: 'The token may not post messages: it lacks the scope chat:write.',
  not_allowed_token_type: `This kind of token cannot post messages. ${NEW_TOKEN}`,
  access_denied: `The token may not post messages. ${NEW_TOKEN}`,
  org_login_required: 'The chat workspace is being moved to another organisation and takes no messages.',
  ekm_access_denied: 'The administrators of the chat have suspended posting.',
  msg_too_long: 'The chat found the message too long.',
})

/** What passes by itself. */
const PASSING = lookupTable<string>({
  rate_limited: 'The chat asks for a pause: too many messages.',
  ratelimited: 'The chat asks for a pause: too many messages.',
  message_limit_exceeded: 'The chat asks for a pause: too many messages.',
  internal_error: 'The chat had an error of its own.',
  fatal_error: 'The chat had an error of its own.',
  service_unavailable: 'The chat is not available at the moment.',
  request_timeout: 'The chat did not get the whole message.',
  team_added_to_org: 'The chat workspace is being moved to another organisation.',
})

async function post(deps: ProviderDeps, token: string, channel: string, message: ChatMessage): Promise<ChatAnswer> {
  const body = {
    channel,
    text: toText(message),
    blocks: toBlocks(message),
    // The links are evidence to follow, not pictures to look at.
    unfurl_links: false,
    unfurl_media: false,
  }
  try {
    // Channels of two workspaces may share a name, so the pace is one for each token and channel.
    const lane = createHash('sha256').update(token).digest('base64url').slice(0, 12)
    const answer = await call(deps, 'chat.postMessage', token, body, {
      kind: `slack ${lane} ${channel}`,
      intervalMs: INTERVAL_MS,
      concurrency: 1,
    })
    return classifyResponse(answer, channel)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { message, retryAfter = null } = error
    return { result: 'retry', status: null, message: `The chat could not be reached. ${message}`, retryAfter }
  }
}

/** Failures come as 200 with `ok: false`, but not all of them. */
function classifyResponse(answer: OutboundResponse, channel: string): ChatAnswer {
  const { status } = answer
  const retryAfter = readRetryAfter(answer.headers['retry-after'])
  if (status === 429) return { result: 'retry', status, message: PASSING.rate_limited as string, retryAfter }
  const said = read(answer)
  if (!said)
    return { result: 'retry', status, message: `The chat answered ${status} and nothing readable.`, retryAfter }
  if (said.ok) return { result: 'sent', status, message: null, retryAfter: null }
  const { error = 'no reason given' } = said
  const passing = PASSING[error]
  if (passing || status >= 500)
    return { result: 'retry', status, message: passing ?? `The chat answered ${status}.`, retryAfter }
  return { result: 'failed', status, message: sentence(error, channel), retryAfter: null }
}

function sentence(error: string, channel: string): string {
  const known = REFUSED[error]?.replace('{channel}', channel)
  // The chat's own word for it: a person can look it up.
  return known ?? `The chat refused the message (${error.slice(0, 100)}).`
}

const identify: ChatVendor['identify'] = async (deps, token) => {
  const answer = await call(deps, 'auth.test', token, {})
  const said = read(answer)
  if (said?.ok) return { team: said.team ?? '' }
  if (answer.status === 429) return { unavailable: PASSING.rate_limited as string }
  if (!said?.error) return { unavailable: `The chat answered ${answer.status} and nothing readable.` }
  const passing = PASSING[said.error]
  if (passing || answer.status >= 500) return { unavailable: passing ?? `The chat answered ${answer.status}.` }
  return { refused: sentence(said.error, '') }
}

function call(
  { outbound, signal }: ProviderDeps,
  method: string,
  token: string,
  body: object,
  pace?: { kind: string; intervalMs: number; concurrency: number },
): Promise<OutboundResponse> {
  return outbound.request(`${API}/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
    redirects: 'refuse',
    timeouts: TIMEOUTS,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
    ...(pace ? { pace } : {}),
  })
}

function read(answer: OutboundResponse): SlackAnswer | null {
  try {
    const said = JSON.parse(answer.text()) as SlackAnswer | null
    return typeof said?.ok === 'boolean' ? said : null
  } catch {
    // Not JSON: a proxy's page, or half an answer.
    return null
  }
}

export const slack: ChatVendor = { label: 'Slack', tokenName: 'a bot token', post, identify }

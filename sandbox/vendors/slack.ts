import { createHmac } from 'node:crypto'
import type { SandboxRequest, SandboxResponse, Vendor } from '../types.ts'

/** A message in a channel, or to a person. `channel` is as posted; `channel_id` and `ts` identify the message. */
export type PostedMessage = {
  token: string
  channel: string
  channel_id: string
  ts: string
  text: string
  blocks: unknown[]
}

/** A request that Slack sends to an app. */
export type SlackCallback = { headers: Record<string, string>; body: string }

type ClickOptions = {
  /** The id of the person who clicks. */
  user?: string
  /** The block whose button is clicked; without it, the first button with the label. */
  block?: number
  /** The time of the signature. */
  at?: Date
  /** Another secret makes a forged request. */
  secret?: string
}

/** How the next requests fail: with an API error, or at the transport level. */
export type SlackFailure = { error: string } | { status: number; headers?: Record<string, string>; body?: string }

export type Slack = Vendor & {
  /** All messages, newest last. */
  messages: PostedMessage[]
  /** Makes the next posts to a channel fail, in this order; the name of another method addresses its requests. */
  fail: (channel: string, ...failures: SlackFailure[]) => void
  /** Signs its requests to the app. */
  signingSecret: string
  /** The request for a click on a button of a message. Delivering it twice is a replay. */
  click: (message: PostedMessage, button: string, options?: ClickOptions) => SlackCallback
  /** Sends a request to the app, as Slack does. */
  deliver: (url: string, callback: SlackCallback) => Promise<Response>
}

type Options = {
  team?: string
  /** Tokens it accepts; any well-formed token by default. */
  tokens?: readonly string[]
  /** Existing channels, by name or id; any channel by default. */
  channels?: readonly string[]
  /** The ids of people by their email addresses; by default every address is a person with the id `U` and the address. */
  users?: Readonly<Record<string, string>>
  /** The scopes of the tokens. */
  scopes?: readonly string[]
  signingSecret?: string
}

const TEAM_ID = 'T0SANDBOX'
const SCOPES = ['chat:write', 'users:read', 'users:read.email']

/**
 * Slack's API at its real host: posts, updates, direct messages, people and `auth.test`, with the documented limits and
 * errors; and its requests to the app.
 */
export function createSlack({
  team = 'Sandbox',
  tokens,
  channels,
  users,
  scopes = SCOPES,
  signingSecret = 'sandbox-signing-secret',
}: Options = {}): Slack {
  const messages: PostedMessage[] = []
  const failures = new Map<string, SlackFailure[]>()

  function answer({ url, method, headers, body }: SandboxRequest): SandboxResponse {
    if (method !== 'POST') return refuse('invalid_post_type')
    const token = /^Bearer (xox[a-z]-\S+)$/.exec(headers.authorization ?? '')?.[1]
    if (!headers.authorization) return refuse('not_authed')
    if (!token || (tokens && !tokens.includes(token))) return refuse('invalid_auth')
    const name = url.pathname.replace('/api/', '')
    const call = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (!call) return refuse('unknown_method')
    if (name !== 'chat.postMessage') {
      const failure = planned(name)
      if (failure) return failure
    }
    const needed = call.scope && !scopes.includes(call.scope) ? call.scope : null
    if (needed) return json({ ok: false, error: 'missing_scope', needed, provided: scopes.join(',') })
    return call.run(token, body, headers['content-type'] ?? '')
  }

  const methods: Record<
    string,
    { scope?: string; run: (token: string, body: string, type: string) => SandboxResponse }
  > = {
    'auth.test': { run: () => json({ ok: true, team, team_id: TEAM_ID, user: 'bellwether' }) },
    'chat.postMessage': { scope: 'chat:write', run: post },
    'chat.update': { scope: 'chat:write', run: update },
    'users.info': {
      scope: 'users:read',
      run: (_token, body, type) => person('user_not_found', emailOf(formField(body, type, 'user'))),
    },
    'users.lookupByEmail': {
      scope: 'users:read.email',
      run: (_token, body, type) => person('users_not_found', formField(body, type, 'email')),
    },
  }

  const idOf = (email: string) => (users ? users[email] : email && `U${email}`)

  function emailOf(id: string): string {
    if (!users) return id.startsWith('U') ? id.slice(1) : ''
    return Object.entries(users).find(([, known]) => known === id)?.[0] ?? ''
  }

  function person(unknown: string, email: string): SandboxResponse {
    const id = idOf(email)
    if (!id) return refuse(unknown)
    const name = email.split('@', 1)[0]
    const profile = { real_name: name, ...(scopes.includes('users:read.email') ? { email } : {}) }
    return json({ ok: true, user: { id, team_id: TEAM_ID, name, deleted: false, is_bot: false, profile } })
  }

  function planned(name: string): SandboxResponse | null {
    const next = failures.get(name)?.shift()
    if (!next) return null
    return 'error' in next ? refuse(next.error) : next
  }

  function post(token: string, body: string): SandboxResponse {
    const { channel, text = '', blocks = [] } = JSON.parse(body) as Partial<PostedMessage>
    const failure = planned(channel ?? '')
    if (failure) return failure
    const isPerson = /^[UW]/.test(channel ?? '')
    const isKnown = isPerson ? emailOf(channel ?? '') : !channels || channels.includes(channel ?? '')
    if (!channel || !isKnown) return refuse('channel_not_found')
    const wrong = contentProblem(text, blocks)
    if (wrong) return refuse(wrong)
    const ts = `${1_700_000_000 + messages.length}.000100`
    const message = { token, channel, channel_id: channelId(channel), ts, text, blocks }
    messages.push(message)
    return json({ ok: true, channel: message.channel_id, ts })
  }

  function update(token: string, body: string): SandboxResponse {
    const { channel, ts, text = '', blocks = [] } = JSON.parse(body) as Partial<PostedMessage>
    const inChannel = messages.filter(({ channel_id }) => channel_id === channel)
    // Names are not accepted here.
    if (inChannel.length === 0) return refuse('channel_not_found')
    const message = inChannel.find((message) => message.ts === ts)
    if (!message) return refuse('message_not_found')
    if (message.token !== token) return refuse('cant_update_message')
    const wrong = contentProblem(text, blocks)
    if (wrong) return refuse(wrong)
    Object.assign(message, { text, blocks })
    return json({ ok: true, channel, ts, text })
  }

  function click(message: PostedMessage, button: string, options: ClickOptions = {}): SlackCallback {
    const { user = 'U0CLICKER', at = new Date(), secret = signingSecret, block } = options
    const blocks = (message.blocks as SlackBlock[]).filter((_, place) => block === undefined || place === block)
    const elements = blocks.flatMap(({ type, elements = [], accessory }) => [
      ...(type === 'actions' ? elements : []),
      ...(accessory ? [accessory] : []),
    ])
    const action = elements.find(({ text }) => typeof text === 'object' && text.text === button)
    if (!action) throw new Error(`The message has no button ${button}.`)
    const payload = {
      type: 'block_actions',
      team: { id: TEAM_ID, domain: 'sandbox' },
      user: { id: user, team_id: TEAM_ID },
      container: { type: 'message', message_ts: message.ts, channel_id: message.channel_id },
      channel: { id: message.channel_id },
      message: { ts: message.ts, text: message.text, blocks: message.blocks },
      response_url: `https://hooks.slack.com/actions/${TEAM_ID}/1/secret`,
      actions: [{ ...action, action_ts: message.ts }],
    }
    return signedCallback(new URLSearchParams({ payload: JSON.stringify(payload) }).toString(), secret, at)
  }

  return {
    name: 'slack',
    hosts: ['slack.com'],
    answer,
    messages,
    fail: (channel, ...more) => void failures.set(channel, [...(failures.get(channel) ?? []), ...more]),
    signingSecret,
    click,
    deliver: (url, { headers, body }) => fetch(url, { method: 'POST', headers, body }),
  }
}

/** A form with Slack's signature (https://docs.slack.dev/authentication/verifying-requests-from-slack). */
export function signedCallback(body: string, secret: string, at: Date): SlackCallback {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
    },
    body,
  }
}

/** Methods that read do not accept JSON. */
function formField(body: string, type: string, name: string): string {
  return (type.startsWith('application/x-www-form-urlencoded') && new URLSearchParams(body).get(name)) || ''
}

function channelId(channel: string): string {
  return `${/^[UW]/.test(channel) ? 'D' : 'C'}${channel.replaceAll(/\W/g, '').toUpperCase()}`
}

function contentProblem(text: string, blocks: unknown[]): string | null {
  if (!text && blocks.length === 0) return 'no_text'
  if (text.length > 40_000) return 'msg_too_long'
  return areValid(blocks) ? null : 'invalid_blocks'
}

type SlackText = { type: string; text: string }
type SlackElement = { type: string; text?: SlackText | string; action_id?: string; value?: string; url?: string }
type SlackBlock = { type: string; text?: SlackText; elements?: SlackElement[]; accessory?: SlackElement }

/** The limits that a message meets in practice. */
function areValid(blocks: unknown[]): boolean {
  return (
    blocks.length <= 50 &&
    (blocks as SlackBlock[]).every(({ type, text, elements }) => {
      if (type === 'header') return text?.type === 'plain_text' && isBetween(text.text, 1, 150)
      if (type === 'section') return isBetween(text?.text, 1, 3_000)
      if (type === 'context')
        return (
          !!elements &&
          elements.length <= 10 &&
          elements.every(({ text }) => typeof text === 'string' && isBetween(text, 1, 3_000))
        )
      if (type === 'actions') return areButtons(elements ?? [])
      return type === 'divider'
    })
  )
}

function areButtons(elements: SlackElement[]): boolean {
  const ids = new Set(elements.map(({ action_id }) => action_id))
  return (
    isBetween(elements, 1, 25) &&
    ids.size === elements.length &&
    elements.every(
      ({ type, text, action_id, value = 'x', url = 'https://x' }) =>
        type === 'button' &&
        typeof text === 'object' &&
        text.type === 'plain_text' &&
        isBetween(text.text, 1, 75) &&
        isBetween(action_id, 1, 255) &&
        isBetween(value, 1, 2_000) &&
        isBetween(url, 1, 3_000) &&
        URL.canParse(url),
    )
  )
}

function isBetween(text: { length: number } | undefined, min: number, max: number): boolean {
  return text !== undefined && text.length >= min && text.length <= max
}

function refuse(error: string): SandboxResponse {
  return json({ ok: false, error })
}

function json(body: object): SandboxResponse {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) }
}

import type { SandboxRequest, SandboxResponse, Vendor } from '../types.ts'

/** A message in a channel. */
export type PostedMessage = { token: string; channel: string; text: string; blocks: unknown[] }

/** How the next requests fail: with an API error, or at the transport level. */
export type SlackFailure = { error: string } | { status: number; headers?: Record<string, string>; body?: string }

export type Slack = Vendor & {
  /** All messages, newest last. */
  messages: PostedMessage[]
  /** Makes the next posts to a channel fail, in this order; the name of another method addresses its requests. */
  fail: (channel: string, ...failures: SlackFailure[]) => void
}

type Options = {
  team?: string
  /** Tokens it accepts; any well-formed token by default. */
  tokens?: readonly string[]
  /** Existing channels, by name or id; any channel by default. */
  channels?: readonly string[]
  /** The ids of people by their email addresses; by default every address is a person with the id `U` and the address. */
  users?: Readonly<Record<string, string>>
}

/** Slack's API at its real host: posts, direct messages and `auth.test`, with the documented limits and errors. */
export function createSlack({ team = 'Sandbox', tokens, channels, users }: Options = {}): Slack {
  const messages: PostedMessage[] = []
  const failures = new Map<string, SlackFailure[]>()

  function answer({ url, method, headers, body }: SandboxRequest): SandboxResponse {
    if (method !== 'POST') return refuse('invalid_post_type')
    const token = /^Bearer (xox[a-z]-\S+)$/.exec(headers.authorization ?? '')?.[1]
    if (!headers.authorization) return refuse('not_authed')
    if (!token || (tokens && !tokens.includes(token))) return refuse('invalid_auth')
    if (url.pathname === '/api/auth.test') return planned('auth.test') ?? json({ ok: true, team, user: 'bellwether' })
    if (url.pathname === '/api/users.lookupByEmail') return planned('users.lookupByEmail') ?? lookUp(headers, body)
    if (url.pathname !== '/api/chat.postMessage') return refuse('unknown_method')
    return post(token, body)
  }

  function lookUp(headers: SandboxRequest['headers'], body: string): SandboxResponse {
    // This method does not accept JSON.
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const email = (isForm && new URLSearchParams(body).get('email')) || ''
    const id = users ? users[email] : email && `U${email}`
    return id ? json({ ok: true, user: { id, name: email.split('@', 1)[0] } }) : refuse('users_not_found')
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
    if (!channel || (channels && !channels.includes(channel))) return refuse('channel_not_found')
    if (!text && blocks.length === 0) return refuse('no_text')
    if (text.length > 40_000) return refuse('msg_too_long')
    if (!areValid(blocks)) return refuse('invalid_blocks')
    messages.push({ token, channel, text, blocks })
    return json({ ok: true, channel, ts: `${messages.length}.000100` })
  }

  return {
    name: 'slack',
    hosts: ['slack.com'],
    answer,
    messages,
    fail: (channel, ...more) => void failures.set(channel, [...(failures.get(channel) ?? []), ...more]),
  }
}

type SlackText = { type: string; text: string }
type SlackBlock = { type: string; text?: SlackText; elements?: SlackText[] }

/** The limits that a message meets in practice. */
function areValid(blocks: unknown[]): boolean {
  return (
    blocks.length <= 50 &&
    (blocks as SlackBlock[]).every(({ type, text, elements }) => {
      if (type === 'header') return text?.type === 'plain_text' && isBetween(text.text, 1, 150)
      if (type === 'section') return isBetween(text?.text, 1, 3_000)
      if (type === 'context')
        return !!elements && elements.length <= 10 && elements.every((e) => isBetween(e.text, 1, 3_000))
      return type === 'divider'
    })
  )
}

function isBetween(text: string | undefined, min: number, max: number): boolean {
  return text !== undefined && text.length >= min && text.length <= max
}

function refuse(error: string): SandboxResponse {
  return json({ ok: false, error })
}

function json(body: object): SandboxResponse {
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) }
}

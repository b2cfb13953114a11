import type { ProviderDeps } from '../types.ts'

/** The content of a message; the vendor formats it. `_md` is Markdown, all other fields are plain text. */
export type ChatMessage = {
  title: string
  /** The whole message in one line, for notifications and screen readers. */
  summary: string
  sections: ChatSection[]
  /** A link to more details. */
  link: { text: string; url: string } | null
  /** Buttons that change a work item. */
  actions?: ChatActions | null
}

export type ChatActions = { work_item_id: string; open_url: string | null }

export type ChatSection = {
  heading: string | null
  text_md: string | null
  /** Small print. */
  note: string | null
  links: { text: string; url: string }[]
  /** The finding it shows: with `actions` it has a button that marks it as wrong. */
  detection_id?: string
}

export type ChatResult = {
  /** sent: it is in the channel. retry: another attempt may succeed. failed: the chat refused it. */
  result: 'sent' | 'retry' | 'failed'
  status: number | null
  /** The reason of the failure, in a sentence. */
  message: string | null
  /** Seconds the chat requests to wait. */
  retryAfter: number | null
}

/** `refused` needs a person to change something; `unavailable` is temporary. Both are sentences for people. */
type Lookup<T> = T | { refused: string } | { unavailable: string }

export type ChatUser = { id: string; email: string; name: string }

/** A click on a button of a message. */
export type ChatInteraction = {
  user_id: string
  action: 'done' | 'snooze' | 'wrong'
  /** How long to snooze; null for the other actions. */
  snooze_until: 'tomorrow' | 'next_monday' | null
  work_item_id: string
  /** The finding that is wrong; null for the other actions. */
  detection_id: string | null
  channel: string
  ts: string
  /** Identifies the request: a replayed one has the same signature. */
  signature: string
}

/** Why a request is not accepted as a click in the chat. */
export type InteractionRefusal = 'not_signed' | 'wrong_time' | 'wrong_signature' | 'too_large' | 'malformed'

export class InteractionRefusedError extends Error {
  readonly reason: InteractionRefusal

  constructor(reason: InteractionRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InteractionRefusedError'
    this.reason = reason
  }
}

export type ChatVendor = {
  /** The address of its API. */
  origin: string
  /** The name people use. */
  label: string
  /** The kind of token that connects it. */
  tokenName: string
  /** Posts a message. Every response of the chat is a result; only bugs are thrown. */
  post: (deps: ProviderDeps, token: string, channel: string, message: ChatMessage) => Promise<ChatResult>
  /** Replaces a posted message, in the same way; without `actions` its buttons disappear. */
  update: (deps: ProviderDeps, token: string, channel: string, ts: string, message: ChatMessage) => Promise<ChatResult>
  /** Returns the team of a token. Throws OutboundError when the chat cannot be reached, as all lookups. */
  identify: (deps: ProviderDeps, token: string) => Promise<Lookup<{ team: string }>>
  /** The person with this id in the chat. */
  findUser: (deps: ProviderDeps, token: string, userId: string) => Promise<Lookup<{ user: ChatUser }>>
  /** The id of the person with this email address in the chat; a message can be posted to it. */
  findUserByEmail: (deps: ProviderDeps, token: string, email: string) => Promise<Lookup<{ id: string }>>
  /**
   * Verifies that the chat sent a request, and parses the click. Null for a click without an action, such as on a link.
   * The caller rejects signatures that it has seen before. Throws InteractionRefusedError.
   */
  verifyInteraction: (
    headers: Readonly<Record<string, string | string[] | undefined>>,
    rawBody: Buffer | string,
    signingSecret: string,
    now: Date,
  ) => ChatInteraction | null
}

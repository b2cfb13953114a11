import type { ProviderDeps } from '../types.ts'

/** The content of a message; the vendor formats it. `_md` is Markdown, all other fields are plain text. */
export type ChatMessage = {
  title: string
  /** The whole message in one line, for notifications and screen readers. */
  summary: string
  sections: ChatSection[]
  /** A link to more details. */
  link: { text: string; url: string } | null
}

export type ChatSection = {
  heading: string | null
  text_md: string | null
  /** Small print. */
  note: string | null
  links: { text: string; url: string }[]
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

export type ChatVendor = {
  /** The name people use. */
  label: string
  /** The kind of token that connects it. */
  tokenName: string
  /** Posts a message. Every response of the chat is a result; only bugs are thrown. */
  post: (deps: ProviderDeps, token: string, channel: string, message: ChatMessage) => Promise<ChatResult>
  /** Sends a direct message to the person with this email address in the chat, in the same way. */
  postToPerson: (deps: ProviderDeps, token: string, email: string, message: ChatMessage) => Promise<ChatResult>
  /** Returns the team of a token; `unavailable` is temporary. Throws OutboundError when the chat cannot be reached. */
  identify: (
    deps: ProviderDeps,
    token: string,
  ) => Promise<{ team: string } | { refused: string } | { unavailable: string }>
}

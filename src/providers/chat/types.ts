import type { ProviderDeps } from '../types.ts'

/** A message as the service words it; the vendor gives it a form. `_md` is Markdown, everything else plain text. */
export type ChatMessage = {
  title: string
  /** All of it in a line, for notifications and screen readers. */
  summary: string
  sections: ChatSection[]
  /** Where to read on. */
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
  /** sent: it is in the channel. retry: worth another attempt. failed: it will not be taken as things stand. */
  result: 'sent' | 'retry' | 'failed'
  status: number | null
  /** What went wrong, for a person. */
  message: string | null
  /** Seconds the chat asks us to wait. */
  retryAfter: number | null
}

export type ChatVendor = {
  /** What people call it. */
  label: string
  /** What it is connected with. */
  tokenName: string
  /** Posts a message. Never throws for what the chat does: whatever it answers is an answer. */
  post: (deps: ProviderDeps, token: string, channel: string, message: ChatMessage) => Promise<ChatResult>
  /** Who a token speaks for; `unavailable` passes. Throws OutboundError when the chat cannot be reached. */
  identify: (
    deps: ProviderDeps,
    token: string,
  ) => Promise<{ team: string } | { refused: string } | { unavailable: string }>
}

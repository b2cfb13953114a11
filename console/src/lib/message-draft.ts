import type { Schemas } from '../api/client.ts'

/** Strips Markdown from a drafted message; the URL of a link follows its text in parentheses. */
export function markdownToPlainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^[\]\n]{0,500})\]\(([^()\s]{1,2000})\)/g, '$1 ($2)')
    .replaceAll(/(?<!\\)\*\*/g, '')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .trim()
}

/** A message as plain text. A short message and the opening of a call have no subject. */
export type MessageDraft = { subject: string | null; body: string }

const SUBJECT = /^Subject:[ \t]*(.*)\n+/

function parseDraft(markdown: string): MessageDraft {
  const message = markdownToPlainText(markdown)
  const subject = SUBJECT.exec(message)
  return { subject: subject?.[1] ?? null, body: subject ? message.slice(subject[0].length) : message }
}

type Drafted = { draft: Schemas['SignalDetection']['draft']; drafted_message_md: string | null }

/** The drafted email; null if there is none. `signature` is added where no one has signed. */
export function emailOf({ draft, drafted_message_md }: Drafted, signature: string | null): MessageDraft | null {
  if (drafted_message_md === null) return null
  const email = draft?.body ? { subject: draft.subject, body: draft.body } : parseDraft(drafted_message_md)
  return draft && !draft.is_signed && signature ? { ...email, body: `${email.body}\n\n${signature}` } : email
}

/** A mailto: URL that opens the message in the default mail app. */
export function mailtoUrl(email: string, { subject, body }: MessageDraft): string {
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject ?? '')}&body=${encodeURIComponent(body)}`
}

/** The whole message as text for the clipboard. */
export const draftText = ({ subject, body }: MessageDraft): string =>
  subject === null ? body : `Subject: ${subject}\n\n${body}`

const GREETING = /^[^\n]{1,60}[,!]\s*\n+/

/** The first two sentences after the greeting. */
export function openingOf({ body }: MessageDraft): string {
  const text = body.replace(GREETING, '')
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)
  return [...sentences]
    .slice(0, 2)
    .map(({ segment }) => segment.trim())
    .join(' ')
}

/** Strips Markdown from a drafted message; the URL of a link follows its text in parentheses. */
export function markdownToPlainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^[\]\n]{0,500})\]\(([^()\s]{1,2000})\)/g, '$1 ($2)')
    .replaceAll(/(?<!\\)\*\*/g, '')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .trim()
}

/** A drafted message as plain text. */
export type MessageDraft = { subject: string | null; body: string }

const SUBJECT = /^Subject:[ \t]*(.*)\n+/

export function parseDraft(markdown: string): MessageDraft {
  const message = markdownToPlainText(markdown)
  const subject = SUBJECT.exec(message)
  return { subject: subject?.[1] ?? null, body: subject ? message.slice(subject[0].length) : message }
}

/** Puts the first name of the recipient into a generic greeting. Skips titles such as "Dr.". */
export function addressDraft(draft: MessageDraft, fullName: string): MessageDraft {
  const given = fullName.split(' ').find((word) => !word.endsWith('.'))
  return given ? { ...draft, body: draft.body.replace(/^Hello,/, () => `Hi ${given},`) } : draft
}

/** A mailto: URL that opens the message in the default mail app. */
export function mailtoUrl(email: string, { subject, body }: MessageDraft): string {
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject ?? '')}&body=${encodeURIComponent(body)}`
}

/** The whole message as text for the clipboard. */
export const draftText = ({ subject, body }: MessageDraft): string =>
  subject === null ? body : `Subject: ${subject}\n\n${body}`

const GREETING = /^(?:Hi|Hello)\b[^\n]{0,80},\s*\n+/

/** The first two sentences after the greeting. */
export function openingOf({ body }: MessageDraft): string {
  const text = body.replace(GREETING, '')
  const sentences = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)
  return [...sentences]
    .slice(0, 2)
    .map(({ segment }) => segment.trim())
    .join(' ')
}

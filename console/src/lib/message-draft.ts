/** A drafted message as one sends it: its markup is taken off, links stand behind their words. */
export function markdownToPlainText(markdown: string): string {
  return markdown
    .replaceAll(/\[([^[\]\n]{0,500})\]\(([^()\s]{1,2000})\)/g, '$1 ($2)')
    .replaceAll(/(?<!\\)\*\*/g, '')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .trim()
}

/** A drafted message as it is sent: without the marks of Markdown. */
export type MessageDraft = { subject: string | null; body: string }

const SUBJECT = /^Subject:[ \t]*(.*)\n+/

export function parseDraft(markdown: string): MessageDraft {
  const message = markdownToPlainText(markdown)
  const subject = SUBJECT.exec(message)
  return { subject: subject?.[1] ?? null, body: subject ? message.slice(subject[0].length) : message }
}

/** Whom it greets by their first name; null where it greets nobody in particular. */
export function greetedFirstName({ body }: MessageDraft): string | null {
  return /^Hi ([^,\n]+),/.exec(body)?.[1] ?? null
}

/** The message to somebody: what greets nobody in particular greets them. Titles before a name are none to be called by. */
export function addressDraft(draft: MessageDraft, fullName: string): MessageDraft {
  const given = fullName.split(' ').find((word) => !word.endsWith('.'))
  return given ? { ...draft, body: draft.body.replace(/^Hello,/, () => `Hi ${given},`) } : draft
}

/** Opens the message in the reader's own mail program. */
export function mailtoUrl(email: string, { subject, body }: MessageDraft): string {
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject ?? '')}&body=${encodeURIComponent(body)}`
}

import type { Digest } from './digest.ts'

type Links = { open: string | null; unsubscribe: string | null; settings: string | null }

/** The digest as the subject and the text of a mail. */
export function renderDigest({ rule_name, entries }: Digest, _links: Links) {
  const text = entries.map(({ account }) => account.name).join('\n')
  return { subject: rule_name, text, html: '' }
}

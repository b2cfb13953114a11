import { describeProof } from '../../engine/draft/event.ts'
import type { ChatMessage, ChatSection } from '../../providers/chat/types.ts'
import type { Digest } from './digest.ts'
import type { JobChanges, ShownAlert } from './schema.ts'

/** A chat message fits a screen; the webhook carries more. */
const MAX_SHOWN = 5
const MAX_LINKS = 3

/** The alert as a chat message. */
export function toChatMessage({ type, data }: ShownAlert): ChatMessage {
  if (type === 'account.suggested') {
    const { accounts, total } = data
    const title = total === 1 ? '1 new suggested account' : `${total} new suggested accounts`
    const shown = accounts.slice(0, MAX_SHOWN).map(
      ({ name, domain, score, why_now_md, url }): ChatSection => ({
        heading: domain ? `${name} (${domain})` : name,
        text_md: why_now_md,
        note: `Score ${score}`,
        links: url ? [{ text: 'Open the account', url }] : [],
      }),
    )
    return {
      title,
      summary: summaryOf(title, shown, total),
      sections: [...shown, ...more(total, 'account')],
      link: null,
    }
  }
  if (type === 'people.job_changed') return movesMessage(data)
  const { account, detections, total } = data
  const where = account.domain ? `${account.name} (${account.domain})` : account.name
  const title = total === 1 ? `New signal at ${where}` : `${total} new signals at ${where}`
  const shown = detections.slice(0, MAX_SHOWN).map(
    ({ id, signal_id, signal_name, headline, alpha, detected_at, evidence }): ChatSection => ({
      detection_id: id,
      heading: headline,
      text_md: null,
      note: `${signal_name}, ${detected_at}, strength ${alpha} of 100`,
      links: evidence
        .flatMap((proof) => {
          const { source_url: url } = proof
          return url ? [{ text: shorten(describeProof(proof, account.name, signal_id)), url }] : []
        })
        .filter(({ url }) => /^https?:\/\//i.test(url))
        .slice(0, MAX_LINKS),
    }),
  )
  return {
    title,
    summary: summaryOf(title, shown, total),
    sections: [
      ...(account.why_now_md
        ? [{ heading: 'Why now', text_md: account.why_now_md, note: `Account score ${account.score}`, links: [] }]
        : []),
      ...shown,
      ...more(total, 'signal'),
    ],
    link: account.url ? { text: `Open ${account.name}`, url: account.url } : null,
  }
}

/** The digest as one chat message with a link to Today. */
export function toDigestMessage({ rule_name, entries, total }: Digest, todayUrl: string | null): ChatMessage {
  const title = `${rule_name}: ${total === 1 ? '1 account' : `${total} accounts`}`
  const shown = entries.slice(0, MAX_SHOWN).map(
    ({ account: { name, domain, score, url }, events, person }): ChatSection => ({
      heading: domain ? `${name} (${domain})` : name,
      text_md: withoutLinks(events.flatMap(({ headline, source_url }) => (source_url ? [] : headline))),
      note: [`Score ${score}`, person && [person.full_name, person.title].filter(Boolean).join(', ')]
        .filter(Boolean)
        .join(' · '),
      links: [
        ...events.flatMap(({ headline, source_url }) =>
          source_url ? [{ text: shorten(headline), url: source_url }] : [],
        ),
        ...(url ? [{ text: `Open ${name}`, url }] : []),
      ].slice(0, MAX_LINKS + 1),
    }),
  )
  return {
    title,
    summary: summaryOf(title, shown, total),
    sections: [...shown, ...more(total, 'account')],
    link: todayUrl ? { text: 'Open Today', url: todayUrl } : null,
  }
}

function movesMessage({ account, moves, total }: JobChanges): ChatMessage {
  const title = total === 1 ? `1 person at ${account.name} moved` : `${total} people at ${account.name} moved`
  const shown = moves.slice(0, MAX_SHOWN).map(
    ({ text, happened_on, evidence }): ChatSection => ({
      heading: text,
      text_md: null,
      note: happened_on ?? evidence.map(({ source, seen_on }) => `${source}, ${seen_on}`)[0] ?? null,
      links: evidence
        .filter(({ url }) => /^https?:\/\//i.test(url))
        .map(({ url, quote }) => ({ text: shorten(quote ?? url), url }))
        .slice(0, MAX_LINKS),
    }),
  )
  return {
    title,
    summary: summaryOf(title, shown, total),
    sections: [...shown, ...more(total, 'move')],
    link: account.url ? { text: `Open ${account.name}`, url: account.url } : null,
  }
}

/** Plain texts as Markdown: one from outside must not become a link. */
function withoutLinks(texts: string[]): string | null {
  return texts.filter(Boolean).join('\n').replaceAll('](', '] (') || null
}

/** The text of a notification: the headings of the shown items and the number of the others. */
function summaryOf(title: string, shown: readonly ChatSection[], total: number): string {
  const names = shown.map(({ heading }) => heading).join('; ')
  const left = total - shown.length
  return `${title}: ${names}${left > 0 ? ` and ${left} more` : ''}`
}

function more(total: number, what: string): ChatSection[] {
  const left = total - MAX_SHOWN
  if (left <= 0) return []
  return [{ heading: null, text_md: `and ${left} more ${what}${left === 1 ? '' : 's'}`, note: null, links: [] }]
}

function shorten(claim: string): string {
  return claim.length > 200 ? `${claim.slice(0, 199)}…` : claim
}

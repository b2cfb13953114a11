import type { ChatMessage, ChatSection } from '../../providers/chat/types.ts'
import type { AlertContent } from './content-store.ts'

/** A chat shows what fits a screen; the webhook has more. */
const MAX_SHOWN = 5
const MAX_LINKS = 3

/** The alert as people read it in a chat. */
export function toMessage({ type, data }: AlertContent): ChatMessage {
  if (type === 'account.suggested') {
    const { accounts, total } = data
    return {
      title: total === 1 ? '1 new suggested account' : `${total} new suggested accounts`,
      sections: [
        ...accounts.slice(0, MAX_SHOWN).map(
          ({ name, domain, score, why_now_md, url }): ChatSection => ({
            heading: domain ? `${name} (${domain})` : name,
            text_md: why_now_md,
            note: `Score ${score}`,
            links: url ? [{ text: 'Open the account', url }] : [],
          }),
        ),
        ...more(total, 'account'),
      ],
      link: null,
    }
  }
  const { account, detections, total } = data
  const where = account.domain ? `${account.name} (${account.domain})` : account.name
  return {
    title: total === 1 ? `New signal at ${where}` : `${total} new signals at ${where}`,
    sections: [
      ...(account.why_now_md
        ? [{ heading: 'Why now', text_md: account.why_now_md, note: `Account score ${account.score}`, links: [] }]
        : []),
      ...detections.slice(0, MAX_SHOWN).map(
        ({ signal_name, headline, alpha, detected_at, evidence }): ChatSection => ({
          heading: headline ?? signal_name,
          text_md: null,
          note: `${signal_name}, ${detected_at}, alpha ${alpha}`,
          links: evidence
            .flatMap(({ claim, source_url }) => (source_url ? [{ text: shorten(claim), url: source_url }] : []))
            .filter(({ url }) => /^https?:\/\//i.test(url))
            .slice(0, MAX_LINKS),
        }),
      ),
      ...more(total, 'signal'),
    ],
    link: account.url ? { text: `Open ${account.name}`, url: account.url } : null,
  }
}

function more(total: number, what: string): ChatSection[] {
  const left = total - MAX_SHOWN
  if (left <= 0) return []
  return [{ heading: null, text_md: `and ${left} more ${what}${left === 1 ? '' : 's'}`, note: null, links: [] }]
}

function shorten(claim: string): string {
  return claim.length > 200 ? `${claim.slice(0, 199)}…` : claim
}

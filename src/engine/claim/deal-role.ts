// The role of a company in a deal, by the position of its name relative to the verb or noun of the deal: the fallback
// for sentences that match no frame of signals/acquisition.ts.
import type { DealRole } from '../signals/index.ts'

type Range = { start: number; end: number }

const MERGER = /\b(?:merg(?:es?|ed|ing|ers?)|business combination|combin(?:es?|ed|ing) with)\b/gi
const SALE = /\b(?:sells?|sold|selling|sale (?:of|to)|divest(?:s|ed|ing|iture)?|offload(?:s|ed)?)\b/gi
const PURCHASE =
  /\b(?:acqui(?:res?|red|ring|sitions?)|purchas(?:es?|ed|ing)|buys?(?!-)|buying|bought|takeovers?|take(?:s|n)? over|taken private|took over|taking over|snap(?:s|ped) up|bid(?:s|ding)? for|offer for|stake)\b/gi
const DEAL_PATTERNS = [
  ['merger', MERGER],
  ['sale', SALE],
  ['purchase', PURCHASE],
] as const
const COMPANY_PRONOUNS = /\b(?:we|our|it|its|the company)\b/gi
const PASSIVE = /\b(?:is|are|was|were|be|been|being|agreed to be|to be) (?:\w+ly )?$/i

/** The role of the company named at `mentions`; undefined for a sentence without a deal word. */
export function findDealRole(sentence: string, mentions: readonly Range[]): DealRole | undefined {
  const names = mentions.length > 0 ? mentions : rangesOf(sentence, COMPANY_PRONOUNS)
  const deals = DEAL_PATTERNS.flatMap(([kind, pattern]) => rangesOf(sentence, pattern).map((deal) => ({ kind, deal })))
  let nearest: { distance: number; role: DealRole } | undefined
  for (const name of names) {
    for (const { kind, deal } of deals) {
      const isBefore = name.end <= deal.start
      const distance = isBefore ? deal.start - name.end : name.start - deal.end
      if (distance < 0 || (nearest && distance >= nearest.distance)) continue
      nearest = { distance, role: kind === 'merger' ? 'merging' : roleAt(sentence, kind, deal, name, isBefore) }
    }
  }
  return nearest?.role ?? (deals[0]?.kind === 'merger' ? 'merging' : undefined)
}

function roleAt(sentence: string, kind: 'sale' | 'purchase', deal: Range, name: Range, isBefore: boolean): DealRole {
  const between = isBefore ? sentence.slice(name.end, deal.start) : sentence.slice(deal.end, name.start)
  const isPassive = PASSIVE.test(sentence.slice(0, deal.start)) || /^\s+by\b/i.test(sentence.slice(deal.end))
  if (kind === 'sale') {
    if (isBefore) return isPassive ? 'acquired' : 'seller'
    if (/\bto (?:the )?$/i.test(between)) return 'acquirer'
    return /\bby (?:the )?$/i.test(between) ? 'seller' : 'acquired'
  }
  const isOffered = /^ (?:bid|offer|approach|proposal)? ?(?:from|by)\b/i.test(sentence.slice(deal.end))
  if (isBefore) return isPassive || isOffered ? 'acquired' : 'acquirer'
  if (/\bby (?:[\w-]+ ){0,3}$/i.test(between)) return 'acquirer'
  return /\bfrom (?:the )?$/i.test(between) ? 'seller' : 'acquired'
}

function rangesOf(text: string, pattern: RegExp): Range[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
}

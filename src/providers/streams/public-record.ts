import { cutText } from '../../engine/text/storable.ts'
import type { CompanyRef, FoundDocument, SiteHints } from '../types.ts'
import type { StreamItem } from './types.ts'

const MAX_TITLE_CHARS = 300
const MAX_TEXT_CHARS = 4_000

export type PublicRecord = {
  key: string
  company: CompanyRef
  signal_id: 'customer_win' | 'funding' | 'layoffs'
  /** What the record states, in one sentence. */
  claim: string
  /** Further lines of text. */
  more: readonly (string | null)[]
  url: string
  day: string
  hints?: SiteHints
}

/** A public record of an event of a company, which the record proves by its type. */
export function toStreamItem({ key, company, signal_id, claim, more, url, day, hints }: PublicRecord): StreamItem {
  const document: FoundDocument = {
    url,
    kind: 'mention',
    title: cutText(claim, MAX_TITLE_CHARS),
    text: cutText([claim, ...more.filter((line) => line !== null)].join('\n'), MAX_TEXT_CHARS),
    published_date: day,
    // check-words-ignore: the name of the database column
    tells: [{ signal_id, claim }],
  }
  return { key, company, document, about: [signal_id], ...(hints && { hints }) }
}

/** "the Department of Energy". */
export function withArticle(name: string): string {
  return /^the /i.test(name) ? name : `the ${name}`
}

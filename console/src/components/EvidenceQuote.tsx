import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import classes from './EvidenceQuote.module.css'
import { hostOf, SafeLink } from './links.tsx'
import { CalendarDate } from './time.tsx'

type Evidence = Schemas['SignalDetection']['evidence'][number]
type Passage = Pick<Schemas['EvidencePassage'], 'title' | 'before' | 'after' | 'document_kept'>

const ROLES: Record<NonNullable<Evidence['role']>, string> = {
  acquirer: 'the buyer',
  acquired: 'being bought',
  merging: 'merging',
  seller: 'the seller',
}

/** At the end of a line rather than at the start of the next. */
const DOT = '\u00a0· '

type Props = {
  evidence: Evidence
  passage?: Passage | undefined
  /** What stands above it already, and is not said again. */
  heading?: string | undefined
}

/** Whether it was reckoned from a list rather than read in a sentence: its words are ours then and no quotation. */
export const isComputed = ({ quote }: Evidence): boolean => quote === null

/** Whether it is a product that the company's pages load. */
const isDetectedTechnology = ({ claim, quote }: Evidence): boolean => quote === null && / adopts \S/.test(claim)

/** Pages add their own name to a title: "It happened | The Company". */
function isSameTitle(title: string | null, shown: string | null | undefined): boolean {
  const plain = (text: string) => text.trim().replace(/[.!]$/, '').toLowerCase()
  if (!title || !shown) return false
  return plain(title) === plain(shown) || plain(title.replace(/\s+[|–—-]\s+[^|–—]*$/, '')) === plain(shown)
}

/** The sentence that proves a finding, with what it names marked, where it was read and when; around it what stands there. */
export function EvidenceQuote({ evidence: proof, passage, heading }: Props) {
  const { quote, claim, source_url, published_date, role } = proof
  const host = source_url ? hostOf(source_url) : null
  const link =
    source_url && host ? (
      <SafeLink to={source_url} size="xs" className={classes.link}>
        {host} <ExternalLink size={11} aria-label="(opens another site)" />
      </SafeLink>
    ) : (
      source_url && <span>{source_url}</span>
    )
  const published = published_date && (
    <>
      {DOT}published <CalendarDate on={published_date} />
    </>
  )
  if (isComputed(proof)) {
    return (
      <div className={classes.figure}>
        <p className={classes.counted}>{claim}</p>
        <p className={classes.source}>
          {isDetectedTechnology(proof) && link ? (
            <>Seen in the source of a page of {link}</>
          ) : link ? (
            <>Counted from the positions listed at {link}</>
          ) : (
            'Counted from the positions it lists'
          )}
          {published}
        </p>
      </div>
    )
  }
  return (
    <figure className={classes.figure}>
      {passage?.title && ![quote, heading].some((shown) => isSameTitle(passage.title, shown)) && (
        <p className={classes.title}>{passage.title}</p>
      )}
      <blockquote className={classes.quote}>
        {passage?.before && <span className={classes.around}>{passage.before} </span>}
        <span className={passage?.before || passage?.after ? classes.sentence : undefined}>
          {quote ? <HighlightedQuote quote={quote} details={proof.details} /> : claim}
        </span>
        {passage?.after && <span className={classes.around}> {passage.after}</span>}
      </blockquote>
      <figcaption className={classes.source}>
        {link}
        {published}
        {role && `${DOT}the company is ${ROLES[role]}`}
        {passage && !passage.document_kept && `${DOT}the page is no longer kept, only this sentence`}
        {passage?.document_kept && quote && passage.before === null && `${DOT}the page says something else now`}
      </figcaption>
    </figure>
  )
}

/** What the sentence names: sums, people, places. A place that does not hold what it should is passed over. */
function HighlightedQuote({ quote, details }: { quote: string; details: Evidence['details'] }) {
  const { amount, people, position, places, partners, product, date } = details ?? {}
  // "Today" tells nobody anything: the day stands beside the finding.
  const named = date && /\d/.test(date.text) ? date : null
  const spans = [amount, position, product, named, ...(people ?? []), ...(places ?? []), ...(partners ?? [])]
    .filter((span) => span != null)
    .filter(({ text, start, end }) => text !== '' && quote.slice(start, end) === text)
    .sort((a, b) => a.start - b.start)
  const parts: ReactNode[] = []
  let from = 0
  for (const { start, end, text } of spans) {
    if (start < from) continue
    parts.push(quote.slice(from, start), <mark key={start}>{text}</mark>)
    from = end
  }
  return (
    <>
      {parts}
      {quote.slice(from)}
    </>
  )
}

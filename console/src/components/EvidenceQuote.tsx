import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import classes from './EvidenceQuote.module.css'
import { hostOf, SafeLink } from './links.tsx'
import { CalendarDate } from './time.tsx'

type Evidence = Schemas['SignalDetection']['evidence'][number]
type Passage = Pick<Schemas['EvidencePassage'], 'title' | 'before' | 'after' | 'document_kept'>

const ROLES: Record<NonNullable<Evidence['role']>, string> = {
  acquirer: 'the acquirer',
  acquired: 'the acquisition target',
  merging: 'a merger party',
  seller: 'the seller',
}

/** The no-break space keeps the dot at the end of the line. */
const DOT = '\u00a0· '

type Props = {
  evidence: Evidence
  passage?: Passage | undefined
  /** The heading above the quote; an equal page title is not repeated. */
  heading?: string | undefined
}

/** Whether the claim is computed from a list, so that there is no sentence to quote. */
export const isComputed = ({ quote }: Evidence): boolean => quote === null

/** Whether the evidence is a technology detected in the HTML of the company's pages. */
const isDetectedTechnology = ({ claim, quote }: Evidence): boolean => quote === null && / adopts \S/.test(claim)

/** Compares titles without the site name that pages append: "Headline | Site". */
function isSameTitle(title: string | null, shown: string | null | undefined): boolean {
  const plain = (text: string) => text.trim().replace(/[.!]$/, '').toLowerCase()
  if (!title || !shown) return false
  return plain(title) === plain(shown) || plain(title.replace(/\s+[|–—-]\s+[^|–—]*$/, '')) === plain(shown)
}

/** The sentence that supports a finding: with highlighted details, its context, source and date. */
export function EvidenceQuote({ evidence, passage, heading }: Props) {
  const { quote, claim, source_url, published_date, role } = evidence
  const host = source_url ? hostOf(source_url) : null
  const link =
    source_url && host ? (
      <SafeLink to={source_url} size="xs" className={classes.link}>
        {host} <ExternalLink size={11} aria-label="(opens in a new tab)" />
      </SafeLink>
    ) : (
      source_url && <span>{source_url}</span>
    )
  const published = published_date && (
    <>
      {DOT}published <CalendarDate on={published_date} />
    </>
  )
  if (isComputed(evidence)) {
    return (
      <div className={classes.figure}>
        <p className={classes.counted}>{claim}</p>
        <p className={classes.source}>
          {isDetectedTechnology(evidence) && link ? (
            <>Detected on {link}</>
          ) : link ? (
            <>Based on job listings at {link}</>
          ) : (
            'Based on its job listings'
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
          {quote ? <HighlightedQuote quote={quote} details={evidence.details} /> : claim}
        </span>
        {passage?.after && <span className={classes.around}> {passage.after}</span>}
      </blockquote>
      <figcaption className={classes.source}>
        {link}
        {published}
        {role && `${DOT}the company is ${ROLES[role]}`}
        {passage && !passage.document_kept && `${DOT}full page no longer stored`}
        {passage?.document_kept && quote && passage.before === null && `${DOT}page has changed since`}
      </figcaption>
    </figure>
  )
}

/** Highlights amounts, people and places in the quote. Spans that do not match the quote are skipped. */
function HighlightedQuote({ quote, details }: { quote: string; details: Evidence['details'] }) {
  const { amount, people, position, places, partners, product, date } = details ?? {}
  // Only dates with digits: "today" is meaningless here, and the date of the finding is shown anyway.
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

import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import classes from './EvidenceQuote.module.css'
import { hostOf, SafeLink } from './SafeLink.tsx'
import { Day } from './When.tsx'

type Proof = Schemas['SignalDetection']['evidence'][number]
type Passage = Pick<Schemas['EvidencePassage'], 'title' | 'before' | 'after' | 'document_kept'>

const ROLES: Record<NonNullable<Proof['role']>, string> = {
  acquirer: 'the buyer',
  acquired: 'being bought',
  merging: 'merging',
  seller: 'the seller',
}

/** At the end of a line rather than at the start of the next. */
const DOT = '\u00a0· '

/** The sentence that proves a finding, with what it names marked, where it was read and when; around it what stands there. */
export function EvidenceQuote({ proof, passage }: { proof: Proof; passage?: Passage | undefined }) {
  const { quote, claim, source_url, published_date, role } = proof
  const host = source_url ? hostOf(source_url) : null
  return (
    <figure className={classes.figure}>
      {passage?.title && passage.title !== quote && <p className={classes.title}>{passage.title}</p>}
      <blockquote className={classes.quote}>
        {passage?.before && <span className={classes.around}>{passage.before} </span>}
        <span className={passage?.before || passage?.after ? classes.sentence : undefined}>
          {quote ? <Marked quote={quote} details={proof.details} /> : claim}
        </span>
        {passage?.after && <span className={classes.around}> {passage.after}</span>}
      </blockquote>
      <figcaption className={classes.source}>
        {source_url && host ? (
          <SafeLink to={source_url} size="xs" className={classes.link}>
            {host} <ExternalLink size={11} aria-label="(opens another site)" />
          </SafeLink>
        ) : (
          source_url && <span>{source_url}</span>
        )}
        {published_date && (
          <>
            {DOT}published <Day on={published_date} />
          </>
        )}
        {role && `${DOT}the company is ${ROLES[role]}`}
        {passage && !passage.document_kept && `${DOT}the page is no longer kept, only this sentence`}
        {passage?.document_kept && quote && passage.before === null && `${DOT}the page says something else now`}
      </figcaption>
    </figure>
  )
}

/** What the sentence names: sums, people, places. A place that does not hold what it should is passed over. */
function Marked({ quote, details }: { quote: string; details: Proof['details'] }) {
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

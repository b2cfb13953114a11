import { Group, Text } from '@mantine/core'
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

/** The sentence that proves a finding, with what it names marked, where it was read and when; around it what stands there. */
export function EvidenceQuote({ proof, passage }: { proof: Proof; passage?: Passage | undefined }) {
  const { quote, claim, source_url, published_date, role } = proof
  const host = source_url ? hostOf(source_url) : null
  return (
    <figure className={classes.figure}>
      {passage?.title && passage.title !== quote && (
        <Text size="sm" fw={600} lineClamp={2}>
          {passage.title}
        </Text>
      )}
      <blockquote className={classes.quote}>
        {passage?.before && <span className={classes.around}>{passage.before} </span>}
        {quote ? <Marked quote={quote} details={proof.details} /> : claim}
        {passage?.after && <span className={classes.around}> {passage.after}</span>}
      </blockquote>
      <Group component="figcaption" gap={6} className={classes.source}>
        {source_url && host ? (
          <SafeLink to={source_url} size="xs" className={classes.link}>
            {host}
            <ExternalLink size={11} aria-label="(opens another site)" />
          </SafeLink>
        ) : (
          source_url && <span>{source_url}</span>
        )}
        {published_date && (
          <span>
            · published <Day on={published_date} />
          </span>
        )}
        {role && <span>· the company is {ROLES[role]}</span>}
        {passage && !passage.document_kept && <span>· the page is no longer kept, only this sentence</span>}
        {passage?.document_kept && quote && passage.before === null && <span>· the page says something else now</span>}
      </Group>
    </figure>
  )
}

/** What the sentence names: sums, people, places. A place that does not hold what it should is passed over. */
function Marked({ quote, details }: { quote: string; details: Proof['details'] }) {
  const { amount, people, position, places, partners, product, date } = details ?? {}
  const spans = [amount, position, product, date, ...(people ?? []), ...(places ?? []), ...(partners ?? [])]
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

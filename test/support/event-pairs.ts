import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DocumentClassifier } from '../../src/engine/classifier/index.ts'
import { type DetectResult, detect } from '../../src/engine/detect/index.ts'
import { createFingerprint, type EventReport, isSameEvent } from '../../src/engine/events/index.ts'
import { findingsIn } from '../../src/research/detector.ts'

type Article = { title: string; text: string; date: string; url: string }

/** Two articles about one company; fixtures/event-pairs/README.md defines their relation. */
export type Pair = {
  id: string
  signal_id: string
  company: string
  relation: 'same' | 'follow-up' | 'different'
  a: Article
  b: Article
}

/** Ordinary texts; the others are deliberately hard. */
export const isPlain = ({ id }: Pair) => id.startsWith('p-')

/** A third of the hard pairs is measured and not printed, so that nothing is tuned on it. */
export const isKept = (pair: Pair) => !isPlain(pair) && hashOf(pair) % 3 === 0

const hashOf = ({ id }: Pair) => createHash('sha256').update(id).digest()[0] as number

export function readPairs(): Pair[] {
  return readFileSync(new URL('../fixtures/event-pairs/pairs.ndjson', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair)
}

/** The finding of the signal in an article, as in research; null when detection misses it. */
export async function findIn(
  pair: Pair,
  article: Article,
  classifier: DocumentClassifier,
): Promise<EventReport | null> {
  const { title, text, url, date } = article
  const input = { id: url, company: { name: pair.company, domain: null }, title, text, url, published_at: date }
  const [result] = await detect([input], { classifier })
  const document = { url, title, text, published_date: date, kind: 'article' as const }
  return findingsIn(document, result as DetectResult, new Set([pair.signal_id]), date)[0] ?? null
}

/** The report of an article whose signal is given: the headline, with the text as context. */
export const givenReport = ({ signal_id }: Pair, { title, text, url, date }: Article): EventReport => ({
  signal_id,
  claim: title,
  quote: title,
  source_url: url,
  date,
  published_date: date,
  context: `${title}\n${text}`,
})

export type Judged = { pair: Pair; isSame: boolean }

/** Whether the reports count as one event, in either order. */
export function judge(pair: Pair, a: EventReport, b: EventReport): Judged {
  const [one, other] = [createFingerprint(a, pair.company), createFingerprint(b, pair.company)]
  return { pair, isSame: isSameEvent(one, other) }
}

/** How well "the same event" is distinguished: a follow-up and another event both count as different. */
export function scoreOf(judged: readonly Judged[]) {
  const said = judged.filter(({ isSame }) => isSame)
  const same = judged.filter(({ pair }) => pair.relation === 'same').length
  const right = said.filter(({ pair }) => pair.relation === 'same').length
  const precision = right / (said.length || 1)
  const recall = right / (same || 1)
  return { pairs: judged.length, same, precision, recall, f1: (2 * right) / (said.length + same || 1) }
}

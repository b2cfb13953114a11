// Candidates of one company in one document, each with its features, and which side of a deal the company is on.
import type { CompanyIdentity } from '../company-names.ts'
import { wordText } from '../company-names.ts'
import type { Sentence } from '../sentences.ts'
import type { DealRole } from '../signals/index.ts'
import { type Document, isShort, type SignalCandidate } from './document.ts'
import { type CandidateFeatures, extractFeatures } from './features.ts'
import { headlineNgrams } from './headline-ngrams.ts'
import { type Prominence, prominenceOf } from './prominence.ts'

/** `title`: features of the headline's words, one list for all candidates of a signal. */
export type SentenceEvidence = CandidateFeatures & { candidate: SignalCandidate; title: readonly string[] }

/** Everything in the document that may be a signal of the company; null when it does not name the company. */
export function gatherEvidence(
  document: Document,
  company: CompanyIdentity,
  url: string,
  published: string | null,
): { prominence: Prominence; evidence: SentenceEvidence[] } | null {
  const prominence = prominenceOf(document, company, url, published)
  if (!prominence) return null
  const evidence: SentenceEvidence[] = []
  const titleOf = titleFeatures(document, prominence)
  for (const candidate of document.candidates) {
    const found = extractFeatures(document, candidate, prominence)
    if (found) evidence.push({ ...found, candidate, title: titleOf(candidate.group.signal) })
  }
  addDocumentFeatures(document, evidence, prominence)
  return { prominence, evidence }
}

/** The features of the headline's words for a signal, made once for each. */
function titleFeatures(document: Document, prominence: Prominence): (signal: string) => readonly string[] {
  const ngrams = headlineNgrams(document, prominence.company.mentions)
  const bySignal = new Map<string, string[]>()
  return (signal) => {
    const known = bySignal.get(signal)
    if (known) return known
    const features = ngrams.map((ngram) => `title:${signal}:${ngram}`)
    bySignal.set(signal, features)
    return features
  }
}

/** The score of every candidate; the headline's words are weighed once for each signal. */
export function scoreAll(
  evidence: readonly SentenceEvidence[],
  scoreOf: (features: readonly string[]) => number,
): number[] {
  const titles = new Map<readonly string[], number>()
  return evidence.map(({ features, title }) => {
    let byTitle = titles.get(title)
    if (byTitle === undefined) {
      byTitle = scoreOf(title)
      titles.set(title, byTitle)
    }
    return scoreOf(features) + byTitle
  })
}

/** Features of the whole document: a signal told in the headline or in several sentences is more than one in passing. */
function addDocumentFeatures(document: Document, evidence: SentenceEvidence[], prominence: Prominence): void {
  const inTitle = new Set<string>()
  const sentences = new Map<string, Set<number>>()
  for (const { candidate } of evidence) {
    const sentence = document.sentences[candidate.sentence] as Sentence
    const { signal } = candidate.group
    if (sentence.section === 'title') inTitle.add(signal)
    if (sentence.section !== 'body' && sentence.section !== 'title') continue
    const set = sentences.get(signal)
    if (set) set.add(candidate.sentence)
    else sentences.set(signal, new Set([candidate.sentence]))
  }
  // Of "Acme selects Globex" Acme is the buyer and Globex the vendor, whatever else the sentence says.
  const buyers = new Set<number>()
  const vendors = new Set<number>()
  for (const { candidate, slot } of evidence) {
    if (candidate.group.name === 'adopts' && slot.startsWith('subject')) buyers.add(candidate.sentence)
    if (candidate.group.name === 'selects' && slot === 'after_near') vendors.add(candidate.sentence)
  }
  const together = new Map<number, Set<string>>()
  for (const { candidate } of evidence) {
    const set = together.get(candidate.sentence)
    if (set) set.add(candidate.group.signal)
    else together.set(candidate.sentence, new Set([candidate.group.signal]))
  }
  const short = isShort(document)
  for (const { candidate, features } of evidence) {
    const { signal } = candidate.group
    // "A letter of intent" in a sentence about a purchase is no partnership: signals in one sentence explain each other.
    for (const other of together.get(candidate.sentence) ?? [])
      if (other !== signal) features.push(`beside:${signal}:${other}`)
    const count = sentences.get(signal)?.size ?? 0
    features.push(count >= 4 ? 'told:often' : count >= 2 ? 'told:again' : short ? 'told:short' : 'told:once')
    if (document.titleEnd === 0) features.push('no_title')
    else if (inTitle.has(signal))
      features.push(prominence.inTitle ? 'title_tells' : `title_tells_without:${candidate.group.frame}`)
    else features.push('title_silent')
    if (signal === 'customer_win' && buyers.has(candidate.sentence)) features.push('buys')
    if (signal === 'technology_adoption' && vendors.has(candidate.sentence)) features.push('sells')
  }
}

const PASSIVE: ReadonlySet<string> = new Set(['been', 'was', 'be', 'is', 'being'])

/** The company's side of a deal, from the trigger and the place of its name. */
export function dealRole(document: Document, { candidate, slot }: SentenceEvidence): DealRole {
  const { tokens } = document
  const { group, from, to } = candidate
  const before =
    slot.startsWith('subject') ||
    slot.startsWith('owner') ||
    slot.startsWith('title') ||
    slot === 'we' ||
    slot === 'none'
  if (group.name === 'merger') return 'merging'
  const previous = from > 0 ? wordText(tokens, from - 1) : ''
  if (group.name === 'sell') {
    if (slot === 'after_to') return 'acquirer'
    return before && !PASSIVE.has(previous) ? 'seller' : 'acquired'
  }
  const last = wordText(tokens, to)
  const next = to + 1 < tokens.count ? wordText(tokens, to + 1) : ''
  const passive = last === 'by' || next === 'by' || PASSIVE.has(previous)
  if (slot === 'after_by') return 'acquirer'
  if (passive) return before ? 'acquired' : 'acquirer'
  return before ? 'acquirer' : 'acquired'
}

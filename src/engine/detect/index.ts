// From a text to findings: one scan, a score for every candidate sentence, one finding for each signal.
import type { CompanyIdentity } from '../company-names.ts'
import { isEnglish } from '../language.ts'
import { type BuiltinSignal, type DealRole, findBuiltinSignal, type SignalId } from '../signals.ts'
import { type CustomMatcher, matchCustomSignals } from './custom-signal.ts'
import { ageInDays, type EventDate, eventDate, publishedDate } from './dates.ts'
import { buildLexicon, type Document, type Lexicon, readDocument } from './document.ts'
import { dealRole, gatherEvidence, scoreAll } from './evidence.ts'
import { confidenceOf, scoreOf } from './model.ts'
import { summarize } from './summary.ts'

export type DetectInput = {
  id: string
  company: CompanyIdentity
  title?: string | null
  text: string
  url?: string | null
  published_at?: string | null
}

export type DetectOptions = {
  /** The day to count the window from; the day of publication when left out. */
  today?: string
  /** An event older than this many days does not count; no limit when left out. */
  windowDays?: number
  /** Findings less likely than this are left out. */
  minConfidence?: number
  customSignals?: readonly CustomMatcher[]
}

export type DetectedSignal = {
  signal_id: string
  confidence: number
  claim: string
  /** The sentence of the document, as it stands there. */
  sentence: string
  span: { field: 'title' | 'text'; start: number; end: number }
  role?: DealRole
  event_date?: string
  published_date?: string
  source_url?: string
}

export type DetectResult = { id: string; detections: DetectedSignal[] }

/** Below one half a finding is more likely wrong than right. */
const MIN_CONFIDENCE = 0.5

const builtIn = buildLexicon()
const lexicons = new WeakMap<readonly CustomMatcher[], Lexicon>()

function lexiconFor(custom: readonly CustomMatcher[] | undefined): Lexicon {
  if (!custom || custom.length === 0) return builtIn
  const known = lexicons.get(custom)
  if (known) return known
  const lexicon = buildLexicon(custom.map((matcher) => matcher.terms))
  lexicons.set(custom, lexicon)
  return lexicon
}

/** Finds the signals a document is evidence of, for one company. A text not in English gives none. */
export function detect(input: DetectInput, options: DetectOptions = {}): DetectResult {
  const title = input.title ?? ''
  const nothing: DetectResult = { id: input.id, detections: [] }
  if (!isEnglish(input.text || title)) return nothing
  const document = readDocument(lexiconFor(options.customSignals), title, input.text)
  const published = publishedDate(input.published_at, input.text)
  const gathered = gatherEvidence(document, input.company, input.url ?? '', published)
  if (!gathered) return nothing
  const { prominence, evidence } = gathered
  const scores = scoreAll(evidence, scoreOf)
  const least = options.minConfidence ?? MIN_CONFIDENCE
  const detections: DetectedSignal[] = []
  for (const summary of summarize(document, prominence, evidence, scores)) {
    const { signal, strongestEvidence } = summary
    const confidence = confidenceOf(summary)
    if (confidence < least) continue
    const found = describe(document, input, strongestEvidence.candidate.sentence, published)
    if (isTooOld(found.event, published, options)) continue
    const role = signal === 'acquisition' ? dealRole(document, strongestEvidence) : undefined
    const claim = `${input.company.name} ${predicateOf(signal, role)}: ${found.detection.sentence}`
    detections.push({
      signal_id: signal,
      confidence: round(confidence),
      claim,
      ...found.detection,
      ...(role && { role }),
    })
  }
  if (options.customSignals?.length) {
    for (const match of matchCustomSignals(document, options.customSignals, prominence)) {
      if (match.confidence < least) continue
      const found = describe(document, input, match.sentence, published)
      if (isTooOld(found.event, published, options)) continue
      const claim = `${input.company.name}: ${found.detection.sentence}`
      detections.push({ signal_id: match.signal_id, confidence: round(match.confidence), claim, ...found.detection })
    }
  }
  detections.sort((a, b) => b.confidence - a.confidence)
  return { id: input.id, detections }
}

/** A claim stays short: sentences cut from tables may be long. */
const LONGEST_SENTENCE = 600

function describe(document: Document, input: DetectInput, index: number, published: string | null) {
  const { tokens, sentences, titleEnd } = document
  const { from, to, section } = sentences[index] as (typeof sentences)[number]
  const start = tokens.start[from] as number
  const end = Math.min(endOfSentence(tokens.text, tokens.end[to - 1] as number), start + LONGEST_SENTENCE)
  const sentence = tokens.text.slice(start, end).replaceAll('\n', ' ')
  const offset = section === 'title' ? 0 : titleEnd
  const event = eventDate(sentence, published)
  const detection = {
    sentence,
    span: {
      field: section === 'title' ? ('title' as const) : ('text' as const),
      start: start - offset,
      end: end - offset,
    },
    ...(event && { event_date: event.date }),
    ...(published && { published_date: published }),
    ...(input.url && { source_url: input.url }),
  }
  return { event, detection }
}

/** Takes the closing punctuation along. */
function endOfSentence(text: string, end: number): number {
  let at = end
  while (at < text.length && at < end + 3 && '.!?"”)%'.includes(text[at] as string)) at++
  return at
}

function isTooOld(event: EventDate | null, published: string | null, { today, windowDays }: DetectOptions): boolean {
  const counted = today ?? published
  if (windowDays === undefined || !counted) return false
  const when = event ?? (published ? { date: published, precision: 'day' as const } : null)
  return when !== null && ageInDays(when, counted) > windowDays
}

function predicateOf(signal: SignalId, role: DealRole | undefined): string {
  const { predicate, predicateByRole } = findBuiltinSignal(signal) as BuiltinSignal
  return (role && predicateByRole?.[role]) ?? predicate
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

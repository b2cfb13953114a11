// From a text to findings: one scan, a score for every candidate sentence, one finding for each signal.
import { describeEvent, type EventDetails } from '../claim/index.ts'
import type { CompanyIdentity, Mention } from '../company-names.ts'
import { isEnglish, languageName, languageOf } from '../language.ts'
import type { Judgement, JudgementMemory, Judges } from '../reader/index.ts'
import type { Tokens } from '../scan.ts'
import { type DealRole, findBuiltinSignal, type SignalId } from '../signals/index.ts'
import { cutText } from '../storable.ts'
import { type CustomMatcher, isRuledOut, matchCustomSignals } from './custom-signal.ts'
import { ageInDays, type EventDate, eventDate, publishedDate } from './dates.ts'
import { deniesIncident } from './denial.ts'
import { buildLexicon, type Document, type Lexicon, readDocument } from './document.ts'
import { dealRole, gatherEvidence, type SentenceEvidence, scoreAll } from './evidence.ts'
import { confidenceOf, scoreOf } from './model.ts'
import type { Prominence } from './prominence.ts'
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
  /** What happened, in a few words: "Acme acquires Globex". */
  claim: string
  /** What the sentence names beside the company; null for a signal described in words. */
  details: EventDetails | null
  /** The sentence of the document, as it stands there. */
  sentence: string
  span: { field: 'title' | 'text'; start: number; end: number }
  role?: DealRole
  event_date?: string
  published_date?: string
  source_url?: string
}

export type DetectResult = {
  id: string
  /** The version of the reader's weights, or `linear`. */
  judged_by: string
  detections: DetectedSignal[]
  /** The language of a text that is not in English: it was not read, and may tell of anything. */
  not_read?: string
}

/** Below one half a finding is more likely wrong than right. */
export const MIN_CONFIDENCE = 0.5

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

/** What one scan gives: the document, the company in it, and what the linear judgement makes of every candidate. */
type Looked = {
  document: Document
  published: string | null
  prominence: Prominence
  evidence: readonly SentenceEvidence[]
  judged: readonly { signal: SignalId; confidence: number; strongest: SentenceEvidence }[]
}

/** Null for a text that does not name the company; the name of its language for one that is not in English. */
function lookAt(input: DetectInput, options: DetectOptions): Looked | string | null {
  const title = input.title ?? ''
  if (!isEnglish(input.text || title)) {
    const language = languageOf(input.text || title)
    return language && language !== 'en' ? languageName(language) : 'a language that is not known'
  }
  const document = readDocument(lexiconFor(options.customSignals), title, input.text)
  const published = publishedDate(input.published_at, input.text)
  const gathered = gatherEvidence(document, input.company, input.url ?? '', published)
  if (!gathered) return null
  const { prominence, evidence } = gathered
  const judged = summarize(document, prominence, evidence, scoreAll(evidence, scoreOf)).map((summary) => ({
    signal: summary.signal,
    confidence: confidenceOf(summary),
    strongest: summary.strongestEvidence,
  }))
  return { document, published, prominence, evidence, judged }
}

/**
 * Finds the signals that documents are evidence of, each for its company. The reader judges them together; where its
 * runtime cannot be loaded, the linear judgement stands.
 */
export async function detect(
  inputs: readonly DetectInput[],
  options: DetectOptions & ReadingOptions,
): Promise<DetectResult[]> {
  const results: DetectResult[] = []
  for (let at = 0; at < inputs.length; at += AT_ONCE) {
    results.push(...(await detectTogether(inputs.slice(at, at + AT_ONCE), options)))
  }
  return results
}

/** The first look takes the thread that answers requests: it is given back after so many documents. */
const AT_ONCE = 8

async function detectTogether(
  inputs: readonly DetectInput[],
  options: DetectOptions & ReadingOptions,
): Promise<DetectResult[]> {
  const { reader, memory = null, customSignals = [], builtins = true } = options
  const status = await reader.status()
  if (!status.ready) return inputs.map((input) => detectLinear(input, options))
  const looked = inputs.map((input) => ({ input, seen: lookAt(input, options) }))
  const named = looked.flatMap(({ input, seen }) => (seen && typeof seen !== 'string' ? [{ input, seen }] : []))
  const descriptions = customSignals.map(({ description }) => description)
  const judgements = await reader.judge(
    named.map(({ seen: { document, prominence, judged } }) => ({
      document,
      mentions: prominence.company.mentions,
      linear: builtins ? new Map(judged.map(({ signal, confidence }) => [signal, confidence])) : null,
      descriptions,
      ...(!options.readsAll && { isWorth: sentencesWithTrigger(document) }),
    })),
    memory,
  )
  const results = new Map(
    named.map(({ input, seen }, i) => {
      const judgement = judgements[i] as Judgement
      options.onJudgement?.(input, judgement)
      return [input, finish(input, options, seen, readerSightings(seen, judgement, customSignals), status.version)]
    }),
  )
  return looked.map(({ input, seen }) => results.get(input) ?? nothingIn(input, status.version, seen))
}

type ReadingOptions = {
  reader: Judges
  /** Where judgements are kept; without it every text is judged anew. */
  memory?: JudgementMemory
  /** Whether built-in signals are wanted; they are when left out. */
  builtins?: boolean
  /** Read everything, also what the linear look finds not worth it: for measuring. */
  readsAll?: boolean
  /** Sees what the reader says of a document, for measuring. */
  onJudgement?: (input: DetectInput, judgement: Judgement) => void
}

/** The linear look as a gate: sentences in which any trigger stands. */
function sentencesWithTrigger({ candidates }: Document): (sentence: number) => boolean {
  const sentences = new Set(candidates.map(({ sentence }) => sentence))
  return (sentence) => sentences.has(sentence)
}

function readerSightings(seen: Looked, judgement: Judgement, customSignals: readonly CustomMatcher[]): Sighting[] {
  const builtin = judgement.verdicts.map(({ signal, confidence, sentences }) => ({
    signal_id: signal,
    confidence,
    sentences,
    ...(signal === 'acquisition' && roleIn(seen, sentences[0] as number)),
  }))
  const described = judgement.described.flatMap((verdicts, i) => {
    const matcher = customSignals[i] as CustomMatcher
    const [best] = verdicts
      .filter(({ sentence }) => !isRuledOut(seen.document, matcher, sentence))
      .sort((a, b) => b.confidence - a.confidence)
    return best ? [{ signal_id: matcher.signal_id, confidence: best.confidence, sentences: [best.sentence] }] : []
  })
  return [...builtin, ...described]
}

function nothingIn({ id }: DetectInput, judged_by: string, seen: unknown): DetectResult {
  return { id, judged_by, detections: [], ...(typeof seen === 'string' && { not_read: seen }) }
}

/** The same by the linear judgement alone. */
export function detectLinear(input: DetectInput, options: DetectOptions = {}): DetectResult {
  const looked = lookAt(input, options)
  if (!looked || typeof looked === 'string') return nothingIn(input, 'linear', looked)
  return finish(input, options, looked, linearSightings(looked, options), 'linear')
}

/** A signal seen in sentences, the surest first, before it is known whether it counts. */
type Sighting = { signal_id: string; confidence: number; sentences: readonly number[]; role?: DealRole }

function linearSightings({ document, prominence, judged }: Looked, { customSignals }: DetectOptions): Sighting[] {
  const sightings: Sighting[] = judged.map(({ signal, confidence, strongest }) => ({
    signal_id: signal,
    confidence,
    sentences: [strongest.candidate.sentence],
    ...(signal === 'acquisition' && { role: dealRole(document, strongest) }),
  }))
  if (!customSignals?.length) return sightings
  const described = matchCustomSignals(document, customSignals, prominence)
  sightings.push(...described.map(({ sentence, ...match }) => ({ ...match, sentences: [sentence] })))
  return sightings
}

/** The company's side of the deal: by the trigger in the sentence that tells it, else by the strongest one of the text. */
function roleIn({ document, evidence, judged }: Looked, sentence: number): { role: DealRole } | undefined {
  const told =
    evidence.find(({ candidate }) => candidate.sentence === sentence && candidate.group.signal === 'acquisition') ??
    judged.find(({ signal }) => signal === 'acquisition')?.strongest
  return told && { role: dealRole(document, told) }
}

/** Sightings that are likely and recent enough, with their words. */
function finish(
  input: DetectInput,
  options: DetectOptions,
  { document, published, prominence }: Looked,
  sightings: readonly Sighting[],
  judged_by: string,
): DetectResult {
  const least = options.minConfidence ?? MIN_CONFIDENCE
  const detections: DetectedSignal[] = []
  for (const { signal_id, confidence, sentences, role } of sightings) {
    if (confidence < least) continue
    if (signal_id === 'security_incident' && deniesIncident(document, prominence.bySentence)) continue
    const tellings = sentences.slice(0, MOST_TELLINGS).map((sentence) => {
      const found = describe(document, input, sentence, published)
      const mentions = prominence.bySentence.get(sentence) ?? []
      return { found, ...wordsFor(input, signal_id, role, found, mentions, document.tokens) }
    })
    // Of the sentences that tell the event, the first that can be put into words is shown; one without what the event
    // cannot be without proves nothing.
    const shown = tellings.find(({ isFull }) => isFull) ?? tellings.find(({ isWhole }) => isWhole)
    if (!shown || isTooOld(shown.found.event, published, options)) continue
    const { found, claim, details } = shown
    detections.push({
      signal_id,
      confidence: round(confidence),
      claim,
      details,
      ...found.detection,
      ...(role && { role }),
    })
  }
  detections.sort((a, b) => b.confidence - a.confidence)
  return { id: input.id, judged_by, detections }
}

/** So many sentences that tell an event are tried for words. */
const MOST_TELLINGS = 4

/** A claim stays short: sentences cut from tables may be long. */
const LONGEST_SENTENCE = 600

function describe(document: Document, input: DetectInput, index: number, published: string | null) {
  const { section, start, end, sentence } = sentenceText(document, index)
  const offset = section === 'title' ? 0 : document.titleEnd
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
  return { event, detection, start }
}

/** A sentence as it stands in the document, on one line. */
export function sentenceText({ tokens, sentences }: Document, index: number) {
  const { from, to, section } = sentences[index] as (typeof sentences)[number]
  const start = tokens.start[from] as number
  const whole = tokens.text.slice(start, endOfSentence(tokens.text, tokens.end[to - 1] as number))
  const sentence = cutText(whole, LONGEST_SENTENCE).replaceAll('\n', ' ')
  return { section, start, end: start + sentence.length, sentence }
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

/** The event in words and fields; a signal described in words is told by the sentence itself. */
function wordsFor(
  { company: { name } }: DetectInput,
  signalId: string,
  role: DealRole | undefined,
  { start, detection: { sentence } }: ReturnType<typeof describe>,
  mentions: readonly Mention[],
  tokens: Tokens,
): Pick<DetectedSignal, 'claim' | 'details'> & { isFull: boolean; isWhole: boolean } {
  const signal = findBuiltinSignal(signalId)?.id
  if (!signal) return { claim: `${name}: ${sentence}`, details: null, isFull: true, isWhole: true }
  return describeEvent({
    signal,
    ...(role && { role }),
    company: name,
    sentence,
    mentions: mentions.map(({ from, to }) => ({
      start: (tokens.start[from] as number) - start,
      end: (tokens.end[to - 1] as number) - start,
    })),
  })
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

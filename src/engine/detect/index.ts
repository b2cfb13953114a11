// Finds signals in texts: the classifier judges the document for its company, and each finding is described as a claim.
import { describeEvent, type EventDetails } from '../claim/index.ts'
import type { DocumentClassifier, Judgement, ScoreCache } from '../classifier/index.ts'
import type { CompanyIdentity, CompanyMention } from '../companies/company-names.ts'
import { type DealRole, findBuiltinSignal } from '../signals/index.ts'
import { detectLanguage, isEnglish, languageName } from '../text/language.ts'
import type { Tokens } from '../text/tokens.ts'
import { type CustomSignal, isExcludedSentence } from './custom-signal.ts'
import { ageInDays, type EventDate, findEventDate, findPublishedDate } from './dates.ts'
import { deniesIncident } from './denial.ts'
import {
  type CompanyMentions,
  contextLines,
  findMentionsInDocument,
  type ParsedDocument,
  parseDocument,
  sentenceText,
} from './document.ts'
import { DOUBT_RANGE, isInDoubt, type ShownLine } from './doubt.ts'

export type DetectInput = {
  id: string
  company: CompanyIdentity
  title?: string | null
  text: string
  url?: string | null
  published_at?: string | null
}

export type DetectOptions = {
  classifier: DocumentClassifier
  /** Without a cache every text is scored again. */
  scoreCache?: ScoreCache
  /** The day to count the window from; defaults to the day of publication. */
  today?: string
  /** Older events are ignored; no limit by default. */
  windowDays?: number
  /** Minimum confidence of a finding. */
  minConfidence?: number
  /** Include findings in doubt (DOUBT_RANGE), with the lines for a second reader. */
  doubts?: boolean
  /** Whether to look for built-in signals; true by default. */
  builtins?: boolean
  customSignals?: readonly CustomSignal[]
  /** Judge every sentence, including those far from a mention of the company: for measurements. */
  readsAll?: boolean
  /** Receives the judgement of each document: for measurements. */
  onJudgement?: (input: DetectInput, judgement: Judgement) => void
}

export type DetectedSignal = {
  signal_id: string
  confidence: number
  /** What happened in a few words: "Acme acquires Globex". */
  claim: string
  /** What the sentence names in addition to the company; null for a signal described in words. */
  details: EventDetails | null
  /** The sentence exactly as in the document. */
  sentence: string
  span: { field: 'title' | 'text'; start: number; end: number }
  role?: DealRole
  event_date?: string
  published_date?: string
  source_url?: string
  /** Present on findings in doubt, if requested. */
  shown?: ShownLine[]
}

export type DetectResult = {
  id: string
  /** The version of the classifier's weights. */
  judged_by: string
  detections: DetectedSignal[]
  /** The language of a text that is not English: it was not judged and may report anything. */
  not_read?: string
}

/** Below one half a finding is more likely wrong than right. */
export const MIN_CONFIDENCE = 0.5

/** Parsing documents blocks the event loop, so batches bound the time between yields. */
const BATCH_SIZE = 8

/**
 * Finds the signals that documents prove, each for its company. Throws a RuntimeUnavailable where the classifier cannot
 * run.
 */
export async function detect(inputs: readonly DetectInput[], options: DetectOptions): Promise<DetectResult[]> {
  const results: DetectResult[] = []
  for (let at = 0; at < inputs.length; at += BATCH_SIZE) {
    results.push(...(await detectBatch(inputs.slice(at, at + BATCH_SIZE), options)))
  }
  return results
}

/** A document that names the company. */
type Prepared = { document: ParsedDocument; published: string | null; mentions: CompanyMentions }

async function detectBatch(inputs: readonly DetectInput[], options: DetectOptions): Promise<DetectResult[]> {
  const { classifier, scoreCache = null, customSignals = [], builtins = true, readsAll = false } = options
  const prepared = inputs.map((input) => ({ input, read: prepare(input) }))
  const named = prepared.flatMap(({ input, read }) => (read && typeof read !== 'string' ? [{ input, read }] : []))
  const descriptions = customSignals.map(({ description }) => description)
  const judgements = await classifier.judge(
    named.map(({ read: { document, mentions } }) => ({
      document,
      mentions: mentions.all,
      builtins,
      descriptions,
      readsAll,
    })),
    scoreCache,
  )
  const detected = new Map(
    named.map(({ input, read }, i) => {
      const judgement = judgements[i] as Judgement
      options.onJudgement?.(input, judgement)
      return [input, detectionsOf(input, options, read, candidatesOf(read, judgement, customSignals))]
    }),
  )
  return prepared.map(({ input, read }) => ({
    id: input.id,
    judged_by: classifier.version,
    detections: detected.get(input) ?? [],
    ...(typeof read === 'string' && { not_read: read }),
  }))
}

/** Null for a text that does not name the company; the name of its language for one that is not in English. */
function prepare({ company, title, text, published_at }: DetectInput): Prepared | string | null {
  if (!isEnglish(text || (title ?? ''))) {
    const language = detectLanguage(text || (title ?? ''))
    return language && language !== 'en' ? languageName(language) : 'a language that is not known'
  }
  const document = parseDocument(title ?? '', text)
  const mentions = findMentionsInDocument(document, company)
  return mentions && { document, mentions, published: findPublishedDate(published_at, text) }
}

/** A signal and the sentences that report it, highest confidence first. */
type Candidate = { signal_id: string; confidence: number; sentences: readonly number[] }

function candidatesOf(
  { document }: Prepared,
  judgement: Judgement,
  customSignals: readonly CustomSignal[],
): Candidate[] {
  const builtin = judgement.verdicts.map(({ signal, ...verdict }) => ({ signal_id: signal, ...verdict }))
  const described = judgement.described.flatMap((verdicts, i) => {
    const signal = customSignals[i] as CustomSignal
    const [best] = verdicts
      .filter(({ sentence }) => !isExcludedSentence(document, signal, sentence))
      .sort((a, b) => b.confidence - a.confidence)
    return best ? [{ signal_id: signal.signal_id, confidence: best.confidence, sentences: [best.sentence] }] : []
  })
  return [...builtin, ...described]
}

/** Number of sentences for which a claim is tried. */
const MAX_SENTENCES = 4

/** Describes the candidates that are likely and recent enough. */
function detectionsOf(
  input: DetectInput,
  options: DetectOptions,
  { document, published, mentions }: Prepared,
  candidates: readonly Candidate[],
): DetectedSignal[] {
  const least = options.minConfidence ?? (options.doubts ? DOUBT_RANGE.from : MIN_CONFIDENCE)
  const detections: DetectedSignal[] = []
  for (const { signal_id, confidence, sentences } of candidates) {
    if (confidence < least) continue
    if (signal_id === 'security_incident' && deniesIncident(document, mentions.bySentence)) continue
    const own = sentences.filter((sentence) => !mentions.ofOthers.has(sentence))
    const reports = own.slice(0, MAX_SENTENCES).map((sentence) => {
      const found = describe(document, input, sentence, published)
      const named = mentions.bySentence.get(sentence) ?? []
      return { index: sentence, found, ...describeFinding(input, signal_id, found, named, document.tokens) }
    })
    // The first sentence with a full claim is shown; a sentence that lacks what the event requires proves nothing.
    const shown = reports.find(({ isFull }) => isFull) ?? reports.find(({ isWhole }) => isWhole)
    if (!shown || isTooOld(shown.found.event, published, options)) continue
    const { index, found, claim, details, role } = shown
    detections.push({
      signal_id,
      confidence: Math.round(confidence * 1000) / 1000,
      claim,
      details,
      ...found.detection,
      ...(role && { role }),
      ...(options.doubts && isInDoubt(confidence) && { shown: contextLines(document, mentions, index) }),
    })
  }
  return detections.sort((a, b) => b.confidence - a.confidence)
}

function describe(document: ParsedDocument, input: DetectInput, index: number, published: string | null) {
  const { section, start, end, sentence } = sentenceText(document, index)
  const offset = section === 'title' ? 0 : document.titleEnd
  const event = findEventDate(sentence, published)
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

function isTooOld(event: EventDate | null, published: string | null, { today, windowDays }: DetectOptions): boolean {
  const counted = today ?? published
  if (windowDays === undefined || !counted) return false
  const when = event ?? (published ? { date: published, precision: 'day' as const } : null)
  return when !== null && ageInDays(when, counted) > windowDays
}

/** The claim and details of an event; the claim of a signal described in words is the sentence itself. */
function describeFinding(
  { company: { name } }: DetectInput,
  signalId: string,
  { start, detection: { sentence } }: ReturnType<typeof describe>,
  mentions: readonly CompanyMention[],
  tokens: Tokens,
): Pick<DetectedSignal, 'claim' | 'details' | 'role'> & { isFull: boolean; isWhole: boolean } {
  const signal = findBuiltinSignal(signalId)?.id
  if (!signal) return { claim: `${name}: ${sentence}`, details: null, isFull: true, isWhole: true }
  return describeEvent({
    signal,
    company: name,
    sentence,
    // A long sentence is truncated, so mentions after its end are dropped.
    mentions: mentions
      .map(({ from, to }) => ({
        start: (tokens.start[from] as number) - start,
        end: (tokens.end[to - 1] as number) - start,
      }))
      .filter(({ end }) => end <= sentence.length),
  })
}

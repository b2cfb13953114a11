import type { Deps } from '../deps/deps.ts'
import { MIN_CONFIDENCE } from '../engine/detect/index.ts'
import { type OpenPosition, summarizeOpenPositions } from '../engine/hiring/open-positions.ts'
import { feedbackShift, shiftConfidence } from '../engine/score/feedback.ts'
import { toStorable } from '../engine/text/storable.ts'
import type { CompanyRef } from '../providers/types.ts'
import { documentOpening } from '../resources/documents/store.ts'
import { daysBefore, earlierDay } from '../shared/days.ts'
import {
  createDetector,
  type Detector,
  type DocumentDetection,
  type Finding,
  type NamedCompany,
  type ReadableDocument,
  type UnreadDocument,
  type WantedSignal,
} from './detector.ts'
import { type ForeignDocument, readForeignDocuments, type SkippedDocument } from './foreign-documents.ts'
import { type DocumentFindings, settleDoubts } from './second-reader.ts'

/** The open positions that a job board or a page of the company lists. */
export type PositionList = { url: string; positions: readonly OpenPosition[] }

/** `unread`: documents in which detection failed. `skipped`: documents in languages that are not read. */
export type FoundSignals = { findings: Finding[]; unread: UnreadDocument[]; skipped: SkippedDocument[] }

/** The documents without those that this machine cannot judge. They are not stored as read, so that a later pass reads them. */
export function excludeNotJudged<D extends { url: string }>(
  documents: readonly D[],
  unread: readonly UnreadDocument[],
): D[] {
  const notJudged = new Set(unread.flatMap(({ url, isNotJudged }) => (isNotJudged ? url : [])))
  return documents.filter(({ url }) => !notJudged.has(url))
}

type Options = {
  /** `YYYY-MM-DD`. */
  today: string
  /** Older events do not count; null counts all. */
  windowDays: number | null
  signal?: AbortSignal | undefined
  /**
   * Lets the language model, where one is configured, read documents in other languages and findings in doubt. `account_id` is
   * null where there is no account yet; `until` limits the time. Without it, only cached results of the model count.
   */
  model?: { account_id: string | null; until?: AbortSignal | undefined }
}

/** The time limit of the language model, within the few minutes that a job has. */
const MODEL_MS = 120_000

/** Finds signals while documents still arrive. */
type SignalFinder = {
  detect: Detector
  /** Waits for the detections and returns the findings, in the order of the documents. */
  conclude: (detections: readonly DocumentDetection[], lists: readonly PositionList[]) => Promise<FoundSignals>
}

export function createSignalFinder(
  deps: Deps,
  workspaceId: string,
  company: NamedCompany,
  signals: readonly WantedSignal[],
  { today, windowDays, signal, model: asking }: Options,
): SignalFinder {
  const { LLM_BASE_URL, LLM_MODEL, SECOND_READER_DAILY } = deps.config
  const model = LLM_BASE_URL === null ? null : LLM_MODEL
  const secondReader = SECOND_READER_DAILY > 0 ? model : null
  const doubts = secondReader !== null
  const detect = createDetector(deps, workspaceId, company, signals, { today, windowDays, doubts, signal })
  const wanted = new Set(signals.map(({ id }) => id))
  const shifts = new Map(signals.map(({ id, verdicts }) => [id, feedbackShift(verdicts)]))
  /** A signal whose detections members keep calling wrong needs a higher confidence. */
  const isLikely = ({ signal_id, confidence }: Finding) =>
    shiftConfidence(confidence, shifts.get(signal_id) ?? 0) >= MIN_CONFIDENCE

  async function readForeign(foreign: readonly ForeignDocument[], until: AbortSignal): Promise<FoundSignals> {
    if (asking && model !== null && foreign.length > 0) {
      const { account_id } = asking
      const options = { workspace_id: workspaceId, account_id, until, today, windowDays, signal }
      return readForeignDocuments(deps, company, foreign, signals, options)
    }
    const skipped = foreign.map(({ document: { url }, language }) => ({ url, language }))
    return { findings: [], unread: [], skipped }
  }

  function settle(found: readonly DocumentFindings[], until: AbortSignal): Promise<DocumentFindings[]> {
    if (secondReader === null) return Promise.resolve([...found])
    const account_id = asking?.account_id ?? null
    const options = { workspace_id: workspaceId, account_id, asks: asking !== undefined, until, signal }
    return settleDoubts(deps, company, found, signals, { ...options, model: secondReader })
  }

  return {
    detect,
    async conclude(detections, lists) {
      const outcomes = await Promise.all(detections.map(({ outcome }) => outcome))
      const unread: UnreadDocument[] = []
      const foreign: ForeignDocument[] = []
      const found: DocumentFindings[] = []
      for (const [at, { document }] of detections.entries()) {
        const outcome = outcomes[at] as (typeof outcomes)[number]
        if ('unread' in outcome) unread.push(outcome.unread)
        else if ('language' in outcome) foreign.push({ document, language: outcome.language })
        found.push({ document, findings: 'findings' in outcome ? outcome.findings : [] })
      }
      const until = AbortSignal.any([AbortSignal.timeout(MODEL_MS), ...(asking?.until ? [asking.until] : [])])
      const read = await readForeign(foreign, until)
      const findings: Finding[] = (await settle(found, until)).flatMap((settled) => {
        const likely = settled.findings.filter(isLikely)
        // A finding in the text is more specific than what the kind of the document asserts.
        const present = new Set(likely.map(({ signal_id }) => signal_id))
        const asserted = assertedFindings(settled.document, today, windowDays).filter(
          ({ signal_id }) => wanted.has(signal_id) && !present.has(signal_id),
        )
        return [...likely, ...asserted]
      })
      if (wanted.has('hiring'))
        findings.push(...lists.flatMap((list) => hiringFinding(company, list, today, windowDays)))
      return {
        findings: [...findings, ...read.findings].filter(isLikely),
        unread: [...unread, ...read.unread],
        skipped: read.skipped,
      }
    },
  }
}

/** Finds signals in documents that are already complete. */
export function findSignals(
  deps: Deps,
  workspaceId: string,
  company: NamedCompany,
  documents: readonly ReadableDocument[],
  lists: readonly PositionList[],
  signals: readonly WantedSignal[],
  options: Options,
): Promise<FoundSignals> {
  const { detect, conclude } = createSignalFinder(deps, workspaceId, company, signals, options)
  return conclude(documents.map(detect), lists)
}

/** The confidence in what a public record asserts: the record is reliable, but it may be about a company of the same name. */
const ASSERTED_CONFIDENCE = 0.9

/** What a document proves by its kind, on the day of its publication. */
function assertedFindings(
  { url, title, text, published_date, tells }: ReadableDocument,
  today: string,
  windowDays: number | null,
): Finding[] {
  if (!tells || published_date === null || published_date > today) return []
  if (windowDays !== null && published_date < daysBefore(today, windowDays)) return []
  return tells.map(({ signal_id, claim }) => ({
    signal_id,
    confidence: ASSERTED_CONFIDENCE,
    claim: toStorable(claim),
    quote: null,
    details: null,
    judged_by: null,
    source_url: url,
    published_date,
    date: published_date,
    context: documentOpening({ title, text }),
  }))
}

function hiringFinding(
  { name }: CompanyRef,
  { url, positions }: PositionList,
  today: string,
  windowDays: number | null,
): Finding[] {
  const summary = summarizeOpenPositions(name, positions, windowDays === null ? null : daysBefore(today, windowDays))
  if (!summary) return []
  const { confidence, latest } = summary
  const published_date = latest === null ? null : earlierDay(latest, today)
  return [
    {
      signal_id: 'hiring',
      confidence,
      claim: toStorable(summary.claim),
      quote: null,
      details: null,
      judged_by: null,
      source_url: url,
      published_date,
      // The position is open today, even where the list gives no date.
      date: published_date ?? today,
    },
  ]
}

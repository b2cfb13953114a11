import type { Deps } from '../deps/deps.ts'
import type { EventDetails } from '../engine/claim/index.ts'
import type { MarkedExample } from '../engine/custom-signals/examples.ts'
import { applySecondVerdict, type ShownLine } from '../engine/detect/doubt.ts'
import { type DetectResult, MIN_CONFIDENCE } from '../engine/detect/index.ts'
import { type OpenPosition, summarizeOpenPositions } from '../engine/hiring/open-positions.ts'
import { type FeedbackCounts, feedbackShift, shiftConfidence } from '../engine/score/feedback.ts'
import type { DealRole } from '../engine/signals/index.ts'
import { toStorable } from '../engine/text/storable.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import type { CompanyRef, FoundDocument } from '../providers/types.ts'
import { openingOf } from '../resources/documents/store.ts'
import { daysBefore, earlierDay } from '../shared/days.ts'
import { createDetector, type Look, NotJudged } from './detector.ts'
import { readTwice } from './read-doubts.ts'
import { readForeign, type Untold } from './read-foreign.ts'

/** A signal to look for, as the workspace has it. */
export type WantedSignal = {
  id: string
  name: string
  description: string
  is_builtin: boolean
  /** What members said of its findings. */
  verdicts: FeedbackCounts
  /** Sentences that members marked, of a signal described in words. */
  examples: MarkedExample[]
}

/** A document to look through. What is fresh has just appeared, so it needs no date to count. */
export type ReadableDocument = FoundDocument & { fresh?: boolean }

/** The open positions that a job board or a page of the company lists. */
export type Board = { url: string; positions: readonly OpenPosition[] }

/** One proof of a signal. */
export type Finding = {
  signal_id: string
  confidence: number
  claim: string
  quote: string | null
  details: EventDetails | null
  judged_by: string | null
  role?: DealRole
  source_url: string
  published_date: string | null
  /** The day the event happened, or was told; never a day to come. */
  date: string
  /** The opening of the document, to tell whether another one is about the same event. */
  context?: string
}

/** With what a second reader is shown of it, where it is in doubt. */
export type Doubtful = Finding & { shown?: ShownLine[] }

/**
 * A document that could not be looked through: it may tell what nobody knows. With the language for which a model had to be asked.
 * `shown`: what may be said of its address, where that may name somebody erased. `isNotJudged`: this machine cannot judge anything.
 */
export type Unread = { url: string; reason: string; language?: string; shown?: string; isNotJudged?: boolean }

/** Documents without those that this machine cannot judge: these are not kept as read, so that they are met again. */
export function judgedOf<D extends { url: string }>(documents: readonly D[], unread: readonly Unread[]): D[] {
  const notJudged = new Set(unread.flatMap(({ url, isNotJudged }) => (isNotJudged ? url : [])))
  return documents.filter(({ url }) => !notJudged.has(url))
}

/** A document in a language that is not read. */
export type Foreign = { url: string; language: string }

export type FoundSignals = { findings: Finding[]; unread: Unread[]; foreign: Foreign[] }

type Options = {
  /** `YYYY-MM-DD`. */
  today: string
  /** Older events do not count; null counts all. */
  windowDays: number | null
  signal?: AbortSignal | undefined
  /**
   * Has the language model, where one is set, read what is in other languages or in doubt. Of which account it is, null where there
   * is none yet; and until when, where others have a share of its time. Left out, what it said before counts, and it is not asked.
   */
  model?: { account_id: string | null; until?: AbortSignal | undefined }
}

/** Jobs that look through documents have some minutes for everything; so much of it is the model's. */
const MODEL_MS = 120_000

/** What looks for signals while documents still come. */
export type SignalFinder = {
  /** Begins to look through a document. */
  begin: (document: ReadableDocument) => void
  /** What the documents and boards tell, in their order; those that were not begun are looked through now. */
  conclude: (documents: readonly ReadableDocument[], boards: readonly Board[]) => Promise<FoundSignals>
}

/**
 * Looks for the wanted signals of one company. A text that says nowhere when it was written proves nothing about the
 * window, so it is passed over unless it is fresh.
 */
export function signalFinder(
  deps: Deps,
  workspaceId: string,
  company: CompanyRef,
  signals: readonly WantedSignal[],
  { today, windowDays, signal, model: asking }: Options,
): SignalFinder {
  const { LLM_BASE_URL, LLM_MODEL, SECOND_READER_DAILY } = deps.config
  const model = LLM_BASE_URL === null ? null : LLM_MODEL
  const secondReader = SECOND_READER_DAILY > 0 ? model : null
  const wanted = new Set(signals.map(({ id }) => id))
  const described = signals.filter(({ is_builtin }) => !is_builtin)
  const options = {
    today,
    ...(windowDays === null ? {} : { windowDays }),
    doubts: secondReader !== null,
    builtins: described.length < signals.length,
    described: described.map(({ id, description, examples }) => ({ id, description, examples })),
  }
  const shifts = new Map(signals.map(({ id, verdicts }) => [id, feedbackShift(verdicts)]))
  /** What members kept calling wrong has to be surer. */
  const isLikely = ({ signal_id, confidence }: Finding) =>
    shiftConfidence(confidence, shifts.get(signal_id) ?? 0) >= MIN_CONFIDENCE
  const look = createDetector(deps, workspaceId, company.domain ?? company.name, options, signal)
  const looks = new Map<ReadableDocument, ReturnType<Look>>()
  const lookAt = (document: ReadableDocument) => {
    const begun = looks.get(document) ?? look(inputOf(document, company))
    looks.set(document, begun)
    return begun
  }
  async function readUntold(untold: readonly Untold[], until: AbortSignal): Promise<FoundSignals> {
    if (asking && model !== null && untold.length > 0) {
      const { account_id } = asking
      const options = { workspace_id: workspaceId, account_id, until, today, windowDays, signal }
      return readForeign(deps, company, untold, signals, options)
    }
    const foreign = untold.map(({ document: { url }, language }) => ({ url, language }))
    return { findings: [], unread: [], foreign }
  }
  /** What the texts tell, each in its place, after the second reading; what is still in doubt is left out. */
  async function settleDoubts(documents: readonly ReadableDocument[], told: readonly Doubtful[][], until: AbortSignal) {
    if (secondReader === null) return told
    const account_id = asking?.account_id ?? null
    const options = { workspace_id: workspaceId, account_id, asks: asking !== undefined, until, signal }
    const verdicts = await readTwice(deps, company, documents, told.flat(), signals, options)
    return told.map((own) =>
      own
        .flatMap(({ shown, ...finding }) => applySecondVerdict(finding, verdicts.get(shown) ?? null, secondReader))
        .filter(({ confidence }) => confidence >= MIN_CONFIDENCE),
    )
  }
  return {
    begin(document) {
      // Whoever concludes is told of a failure; until then it would be nobody's.
      lookAt(document).catch(() => {})
    },
    async conclude(documents, boards) {
      const unread: Unread[] = []
      const untold: Untold[] = []
      const results = await Promise.all(documents.map(lookAt))
      const told = documents.map((document, i) => {
        const result = results[i] as DetectResult | LimitExceeded
        if (result instanceof LimitExceeded)
          unread.push({ url: document.url, reason: result.reason, isNotJudged: result instanceof NotJudged })
        else if (result.not_read !== undefined) untold.push({ document, language: result.not_read })
        else return findingsIn(document, result, wanted, today)
        return []
      })
      const until = AbortSignal.any([AbortSignal.timeout(MODEL_MS), ...(asking?.until ? [asking.until] : [])])
      const read = await readUntold(untold, until)
      const settled = await settleDoubts(documents, told, until)
      const findings = documents.flatMap((document, i) => {
        const own: Finding[] = (settled[i] ?? []).filter(isLikely)
        // Its words say it better than its kind, where they are likely.
        const said = new Set(own.map(({ signal_id }) => signal_id))
        const byKind = toldBy(document, today, windowDays).filter(
          ({ signal_id }) => wanted.has(signal_id) && !said.has(signal_id),
        )
        return [...own, ...byKind]
      })
      if (wanted.has('hiring')) findings.push(...boards.flatMap((board) => hiringOn(company, board, today, windowDays)))
      return {
        findings: [...findings, ...read.findings].filter(isLikely),
        unread: [...unread, ...read.unread],
        foreign: read.foreign,
      }
    },
  }
}

/** Looks through documents that are all there. */
export function findSignals(
  deps: Deps,
  workspaceId: string,
  company: CompanyRef,
  documents: readonly ReadableDocument[],
  boards: readonly Board[],
  signals: readonly WantedSignal[],
  options: Options,
): Promise<FoundSignals> {
  return signalFinder(deps, workspaceId, company, signals, options).conclude(documents, boards)
}

/** What is found is kept as it stands, so it is looked for in what can be kept: places in a quote must stay true. */
const inputOf = ({ url, title, text, published_date }: ReadableDocument, company: CompanyRef) => ({
  id: url,
  company,
  title: title === null ? null : toStorable(title),
  text: toStorable(text),
  url,
  published_at: published_date,
})

export function findingsIn(
  { url, title, text, fresh }: ReadableDocument,
  { judged_by, detections }: DetectResult,
  wanted: ReadonlySet<string>,
  today: string,
): Doubtful[] {
  return detections.flatMap((detection) => {
    const { signal_id, confidence, claim, sentence, details, role, event_date, published_date, shown } = detection
    const date = dayOf(event_date, published_date) ?? (fresh ? today : null)
    if (!wanted.has(signal_id) || date === null) return []
    return [
      {
        signal_id,
        confidence,
        claim,
        quote: sentence,
        details,
        judged_by,
        ...(role && { role }),
        source_url: url,
        published_date: published_date ?? null,
        context: openingOf({ title, text }),
        // A day that is still to come is when it takes effect, or a slip.
        date: date > today ? earlierDay(published_date ?? today, today) : date,
        ...(shown && { shown }),
      },
    ]
  })
}

/** How sure it is what a document proves by its kind: a record of a public body, but of somebody it knows by name. */
const TOLD_CONFIDENCE = 0.9

/** What a document proves by its kind, on the day it was published. */
function toldBy(
  { url, title, text, published_date, tells }: ReadableDocument,
  today: string,
  windowDays: number | null,
) {
  if (!tells || published_date === null || published_date > today) return []
  if (windowDays !== null && published_date < daysBefore(today, windowDays)) return []
  return tells.map(
    ({ signal_id, claim }): Finding => ({
      signal_id,
      confidence: TOLD_CONFIDENCE,
      claim: toStorable(claim),
      quote: null,
      details: null,
      judged_by: null,
      source_url: url,
      published_date,
      date: published_date,
      context: openingOf({ title, text }),
    }),
  )
}

function hiringOn(
  { name }: CompanyRef,
  { url, positions }: Board,
  today: string,
  windowDays: number | null,
): Finding[] {
  const told = summarizeOpenPositions(name, positions, windowDays === null ? null : daysBefore(today, windowDays))
  if (!told) return []
  const { confidence, latest } = told
  const claim = toStorable(told.claim)
  const published_date = latest === null ? null : earlierDay(latest, today)
  // What a board lists, it lists now.
  const date = published_date ?? today
  return [
    {
      signal_id: 'hiring',
      confidence,
      claim,
      quote: null,
      details: null,
      judged_by: null,
      source_url: url,
      published_date,
      date,
    },
  ]
}

/**
 * The day of an event. "This year" and "in November" are read as the first day of theirs; published within, the page
 * says it better.
 */
function dayOf(event: string | undefined, published: string | undefined): string | null {
  if (!event || !published) return event ?? published ?? null
  const stated = event.endsWith('-01-01') ? event.slice(0, 4) : event.endsWith('-01') ? event.slice(0, 7) : event
  return published.startsWith(stated) ? published : event
}

import type { Deps } from '../deps/deps.ts'
import type { EventDetails } from '../engine/claim/index.ts'
import { classifierUnavailableMessage } from '../engine/classifier/index.ts'
import type { TokenWindow } from '../engine/classifier/judge.ts'
import type { CompanyIdentity } from '../engine/companies/company-names.ts'
import type { MarkedExample } from '../engine/custom-signals/examples.ts'
import type { ShownLine } from '../engine/detect/doubt.ts'
import type { DetectInput, DetectResult } from '../engine/detect/index.ts'
import type { FeedbackCounts } from '../engine/score/feedback.ts'
import type { DealRole } from '../engine/signals/index.ts'
import { toStorable } from '../engine/text/storable.ts'
import { registrableDomainOrHost } from '../engine/text/web-address.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import type { DetectionTaskOptions } from '../engine/threads/tasks.ts'
import type { CompanyRef, FoundDocument } from '../providers/types.ts'
import { documentOpening } from '../resources/documents/store.ts'
import { earlierDay } from '../shared/days.ts'
import { judgementCache } from './judgement-store.ts'

/** A signal to detect, as the workspace configures it. */
export type WantedSignal = {
  id: string
  name: string
  description: string
  is_builtin: boolean
  /** Feedback of members on its detections. */
  verdicts: FeedbackCounts
  /** Sentences that members marked as right or wrong, for a custom signal. */
  examples: MarkedExample[]
}

/** A company with its other names, and with related companies that are not it. */
export type NamedCompany = CompanyRef & Pick<CompanyIdentity, 'aliases' | 'others'>

/** A document to detect signals in. `fresh`: it has just appeared, so it counts even without a date. */
export type ReadableDocument = FoundDocument & { fresh?: boolean }

/** One piece of evidence for a signal in one document. */
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
  /** The day of the event, or of its publication; never in the future. */
  date: string
  /** The beginning of the document, to decide whether another document is about the same event. */
  context?: string
}

/** `shown`: the lines that the second reader gets, for a finding in doubt. */
export type DoubtfulFinding = Finding & { shown?: ShownLine[] }

/**
 * A document in which detection failed, so that it may contain undetected events. `language`: set where a language model had to read it.
 * `shown`: what may be displayed of an address that may name an erased person. `isNotJudged`: the classifier does not run on
 * this machine.
 */
export type UnreadDocument = { url: string; reason: string; language?: string; shown?: string; isNotJudged?: boolean }

/** What detection in one document yields: findings, the reason why it failed, or the language that it does not support. */
type DetectionOutcome = { findings: DoubtfulFinding[] } | { unread: UnreadDocument } | { language: string }

/** A document and its detection, which may still be running. */
export type DocumentDetection<D extends ReadableDocument = ReadableDocument> = {
  document: D
  outcome: Promise<DetectionOutcome>
}

/** Starts detection in a document. */
export type Detector = <D extends ReadableDocument>(document: D) => DocumentDetection<D>

type DetectorOptions = {
  /** `YYYY-MM-DD`. */
  today: string
  /** Older events do not count; null counts all. */
  windowDays: number | null
  /** Whether to include findings in doubt, for the second reader. */
  doubts: boolean
  signal: AbortSignal | undefined
}

/** A detector of the signals for one company. After a failure that is not caused by the document, it rejects all further ones. */
export function createDetector(
  parts: TextParts,
  workspaceId: string,
  company: NamedCompany,
  signals: readonly WantedSignal[],
  { today, windowDays, doubts, signal }: DetectorOptions,
): Detector {
  const wanted = new Set(signals.map(({ id }) => id))
  const custom = signals.filter(({ is_builtin }) => !is_builtin)
  const options = {
    today,
    ...(windowDays === null ? {} : { windowDays }),
    doubts,
    builtins: custom.length < signals.length,
    described: custom.map(({ id, description, examples }) => ({ id, description, examples })),
  }
  const detectText = createTextDetector(parts, workspaceId, company.domain ?? company.name, options, signal)
  const detect = async (document: ReadableDocument): Promise<DetectionOutcome> => {
    const result = await detectText(toInput(document, company))
    if (result instanceof LimitExceeded) {
      const isNotJudged = result instanceof ClassifierNotReady
      return { unread: { url: document.url, reason: result.reason, isNotJudged } }
    }
    if (result.not_read !== undefined) return { language: result.not_read }
    return { findings: findingsIn(document, result, wanted, today) }
  }
  return (document) => {
    const outcome = detect(document)
    // Avoids an unhandled rejection while other documents are still being fetched.
    outcome.catch(() => {})
    return { document, outcome }
  }
}

/** Detection runs on the text as it is stored, so that offsets in a quote stay valid. */
const toInput = ({ url, title, text, published_date }: ReadableDocument, company: NamedCompany): DetectInput => ({
  id: url,
  company,
  title: title === null ? null : toStorable(title),
  text: toStorable(text),
  url,
  published_at: published_date,
})

/** The findings of the wanted signals. An undated text proves nothing about the window, so it counts only if it is fresh. */
export function findingsIn(
  { url, title, text, fresh }: ReadableDocument,
  { judged_by, detections }: DetectResult,
  wanted: ReadonlySet<string>,
  today: string,
): DoubtfulFinding[] {
  return detections.flatMap((detection) => {
    const { signal_id, confidence, claim, sentence, details, role, event_date, published_date, shown } = detection
    const date = eventDay(event_date, published_date) ?? (fresh ? today : null)
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
        context: documentOpening({ title, text }),
        // A future date is the day when something takes effect, or a mistake in the text.
        date: date > today ? earlierDay(published_date ?? today, today) : date,
        ...(shown && { shown }),
      },
    ]
  })
}

/**
 * The day of an event. "This year" and "in November" are parsed as the first day of the period; a publication date within
 * the period is more exact.
 */
function eventDay(event: string | undefined, published: string | undefined): string | null {
  if (!event || !published) return event ?? published ?? null
  const stated = event.endsWith('-01-01') ? event.slice(0, 4) : event.endsWith('-01') ? event.slice(0, 7) : event
  return published.startsWith(stated) ? published : event
}

type TextParts = Pick<Deps, 'db' | 'classifier' | 'parserPool'>

/** The concurrency limit for one company: while the classifier judges one document, others are parsed. */
const CONCURRENCY = 8

/** The document cannot be judged on this machine but may be on another: it is not stored as read. */
class ClassifierNotReady extends LimitExceeded {}

/**
 * Runs detection in texts as they arrive, so that one is judged while the next is fetched. After a failure that is not
 * caused by the text, it rejects the pending and all further texts with the same error.
 */
function createTextDetector(
  { db, classifier, parserPool }: TextParts,
  workspaceId: string,
  company: string,
  options: Omit<DetectionTaskOptions, 'version'>,
  ending?: AbortSignal,
): (input: DetectInput) => Promise<DetectResult | LimitExceeded> {
  const memory = judgementCache(db, workspaceId)
  const failure = new AbortController()
  const signal = ending ? AbortSignal.any([ending, failure.signal]) : failure.signal
  const from = `${workspaceId} ${company}`
  const slots = new Semaphore(CONCURRENCY)
  return async (input) => {
    await slots.acquire()
    try {
      signal.throwIfAborted()
      const status = await classifier.status()
      const detection = { ...options, version: status.version }
      let isAsked = false
      const score = (windows: readonly TokenWindow[]) => {
        isAsked = true
        return status.ready ? classifier.score(windows, memory) : Promise.reject(new Error(status.reason))
      }
      // The pool schedules fairly by company, but limits failures by site: the documents of a company are from many sites.
      const blame = `${from} ${registrableDomainOrHost(input.url ?? input.id)}`
      const result = parserPool.run('detect', { input, options: detection }, { from, blame, score, signal })
      // Texts in other languages need no classifier, and a language model may read them.
      if (!status.ready) {
        return await result.catch((error: unknown) => {
          if (isAsked) return new ClassifierNotReady(classifierUnavailableMessage(status.reason))
          throw error
        })
      }
      return await result
    } catch (error) {
      failure.abort(error)
      throw error
    } finally {
      slots.release()
    }
  }
}

/** Limits concurrency; callers over the limit wait in order. */
class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(slots: number) {
    this.#free = slots
  }

  acquire(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

/**
 * Runs detection in texts and returns the results in their order; a text that exceeds a limit does not affect the others.
 * Throws when the signal aborts, or when detection fails for a reason that is not caused by a text.
 */
export function detectAll(
  parts: TextParts,
  workspaceId: string,
  company: string,
  inputs: readonly DetectInput[],
  options: Omit<DetectionTaskOptions, 'version'>,
  ending?: AbortSignal,
): Promise<(DetectResult | LimitExceeded)[]> {
  const detectText = createTextDetector(parts, workspaceId, company, options, ending)
  return Promise.all(inputs.map(detectText))
}

import type { Deps } from '../deps/deps.ts'
import { toStorable } from '../engine/text/storable.ts'
import { isFreeOfErased, redactFindings, type UnsearchedDocument } from '../people/redact/redact-findings.ts'
import {
  createEventsQuestion,
  type EventsQuestion,
  type ExtractedEvents,
  extractEvents,
} from '../providers/llm/events.ts'
import { type CompanyRef, toProviderDeps } from '../providers/types.ts'
import { documentOpening } from '../resources/documents/store.ts'
import { daysBefore, earlierDay } from '../shared/days.ts'
import type { Finding, ReadableDocument, UnreadDocument, WantedSignal } from './detector.ts'
import { findModelReadings, insertModelReading } from './judgement-store.ts'

/** A document in a language that detection does not support. */
export type ForeignDocument = { document: ReadableDocument; language: string }

/** The address of a document that was not read because of its language. */
export type SkippedDocument = { url: string; language: string }

type Options = {
  workspace_id: string
  /** The account of the documents; null where there is none yet. */
  account_id: string | null
  /** Aborts requests to the model. */
  until: AbortSignal
  /** `YYYY-MM-DD`. */
  today: string
  windowDays: number | null
  signal?: AbortSignal | undefined
}

/** `redacted`: the document as the model gets it. */
type AskedDocument = ForeignDocument & { redacted: ReadableDocument; question: EventsQuestion }
type Failure = { reason: string }

/** Each document costs a request and computing time. */
const MAX_ASKED = 12
/** Sorts undated documents last. */
const LONG_AGO = '1970-01-01'
/** The model returns yes or no; its confidence is not calibrated. */
const CONFIDENCE = 0.7

/**
 * Has the language model read documents in other languages, the newest first. Results are cached. After a failure of the model the
 * remaining documents are unread; those for which the time or the limit does not suffice are skipped. Throws when the signal aborts.
 */
export async function readForeignDocuments(
  deps: Deps,
  company: CompanyRef,
  foreign: readonly ForeignDocument[],
  signals: readonly WantedSignal[],
  options: Options,
): Promise<{ findings: Finding[]; unread: UnreadDocument[]; skipped: SkippedDocument[] }> {
  const { workspace_id, today, windowDays } = options
  const since = windowDays === null ? '' : daysBefore(today, windowDays)
  const { asked, failed } = await questionsAbout(deps, company, foreign, signals, options, since)
  const keys = asked.map(({ question }) => question.key)
  const known = await findModelReadings(deps.db, workspace_id, keys)
  const answers = await askModel(
    deps,
    asked.filter(({ question }) => !known.has(question.key)),
    options,
  )
  const findings: Finding[] = []
  const unread: UnreadDocument[] = []
  const skipped: SkippedDocument[] = []
  for (const { document, language } of foreign) {
    const { url } = document
    // Outside the window, whatever its language.
    if (document.published_date !== null && document.published_date < since) continue
    const own = asked.find((one) => one.document === document)
    const unsearched = failed.find((one) => one.url === url)
    const answer = own && (known.get(own.question.key) ?? answers.get(own.question.key))
    if (unsearched) unread.push({ ...unsearched, language })
    else if (!own || !answer) skipped.push({ url, language })
    else if ('reason' in answer) unread.push({ url, language, reason: answer.reason })
    // The model reports events, but the document proves none of them.
    else if (answer.events.length === 0 && answer.unproven > 0) skipped.push({ url, language })
    else findings.push(...findingsOf(own, answer, since, today, deps.config.LLM_MODEL))
  }
  return { findings, unread, skipped }
}

/** The questions, the newest document first, without erased people. A document that could not be redacted has no question. */
async function questionsAbout(
  deps: Deps,
  company: CompanyRef,
  foreign: readonly ForeignDocument[],
  signals: readonly WantedSignal[],
  { workspace_id, account_id, today }: Options,
  since: string,
): Promise<{ asked: AskedDocument[]; failed: UnsearchedDocument[] }> {
  const dayOf = ({ published_date, fresh }: ReadableDocument) => published_date ?? (fresh ? today : LONG_AGO)
  const counting = foreign
    .filter(({ document }) => document.published_date === null || document.published_date >= since)
    .toSorted((a, b) => Date.parse(dayOf(b.document)) - Date.parse(dayOf(a.document)))
    .map((one) => {
      const { title, text } = one.document
      // The model gets the text as it is stored, so that its quote occurs in the stored text.
      return { ...one.document, title: title === null ? null : toStorable(title), text: toStorable(text), one }
    })
  const { found, failed } = await redactFindings(deps, workspace_id, account_id, { documents: counting })
  const asked = found.documents.map(({ one, ...redacted }) => ({
    ...one,
    redacted,
    question: createEventsQuestion(deps.config, company, redacted, signals),
  }))
  return { asked, failed }
}

/** Sends the questions sequentially until the budget is spent or the model fails, and caches the results. Returns them by key. */
async function askModel(
  deps: Deps,
  asked: readonly AskedDocument[],
  { workspace_id, account_id, until, signal }: Options,
): Promise<Map<string, ExtractedEvents | Failure>> {
  const answers = new Map<string, ExtractedEvents | Failure>()
  const provider = toProviderDeps(deps, signal ? AbortSignal.any([signal, until]) : until)
  // The same text may be at two addresses.
  const distinct = new Map(asked.map((one) => [one.question.key, one]))
  const chosen = [...distinct.values()].slice(0, MAX_ASKED)
  for (const [at, { question, document }] of chosen.entries()) {
    try {
      const answer = await extractEvents(provider, question)
      if (answer.outcome === 'nothing') break
      if (answer.outcome === 'failed') {
        deps.log.warn({ reason: answer.reason, url: document.url }, 'language model failed to read a document')
        for (const { question } of chosen.slice(at)) answers.set(question.key, { reason: answer.reason })
        break
      }
      answers.set(question.key, answer.value)
      await cacheReading(deps, workspace_id, account_id, question.key, answer.value)
    } catch (error) {
      if (signal?.aborted || !until.aborted) throw error
      break
    }
  }
  return answers
}

/** Does not cache a result that names a person who was erased during the request: the next pass asks again, without the person. */
async function cacheReading(
  deps: Deps,
  workspaceId: string,
  accountId: string | null,
  key: string,
  extracted: ExtractedEvents,
): Promise<void> {
  const texts = extracted.events.flatMap(({ claim, quote }) => [claim, quote])
  if (!(await isFreeOfErased(deps, workspaceId, accountId, texts))) return
  await insertModelReading(deps.db, workspaceId, key, extracted)
}

function findingsOf(
  { document, redacted }: AskedDocument,
  { events }: ExtractedEvents,
  since: string,
  today: string,
  model: string | null,
): Finding[] {
  const { url, published_date, fresh } = document
  return events.flatMap(({ signal_id, quote, claim, date: written }) => {
    const shown = published_date ?? (fresh ? today : null)
    const day = written ?? shown
    if (day === null) return []
    // A future date is the day when something takes effect.
    const date = day > today ? earlierDay(shown ?? today, today) : day
    if (date < since) return []
    return [
      {
        signal_id,
        confidence: CONFIDENCE,
        claim: toStorable(claim),
        quote,
        details: null,
        judged_by: model,
        source_url: url,
        published_date,
        date,
        context: documentOpening(redacted),
      },
    ]
  })
}

import type { Deps } from '../deps/deps.ts'
import { toStorable } from '../engine/text/storable.ts'
import { nameNobodyErased, type Unsearched, withoutErased } from '../people/redact/found.ts'
import {
  createEventsQuestion,
  type EventsQuestion,
  type ExtractedEvents,
  extractEvents,
} from '../providers/llm/events.ts'
import { type CompanyRef, toProviderDeps } from '../providers/types.ts'
import { openingOf } from '../resources/documents/store.ts'
import { daysBefore, earlierDay } from '../shared/days.ts'
import type { Finding, FoundSignals, ReadableDocument, WantedSignal } from './find-signals.ts'
import { findModelReadings, insertModelReading } from './model-reading-store.ts'

/** A document that was not read for its language. */
export type Untold = { document: ReadableDocument; language: string }

type Options = {
  workspace_id: string
  /** Whose documents these are; null where there is no account yet. */
  account_id: string | null
  /** The model is asked no longer than this. */
  until: AbortSignal
  /** `YYYY-MM-DD`. */
  today: string
  windowDays: number | null
  signal?: AbortSignal | undefined
}

/** `told` is the document as the model may see it. */
type Asking = Untold & { told: ReadableDocument; question: EventsQuestion }
type Failure = { reason: string }

/** Each costs a call, and a machine's time. */
const MOST_ASKED = 12
/** Undated documents come last. */
const LONG_AGO = '1970-01-01'
/** The model says yes or no; how sure it is nobody has measured. */
const CONFIDENCE = 0.7

/**
 * Has the language model read documents in other languages, the newest first. What it was asked before it is not asked again.
 * What it fails on is unread, and so is what it would have been asked next; what there is no time for stays foreign. Throws
 * when the signal ends the work.
 */
export async function readForeign(
  deps: Deps,
  company: CompanyRef,
  untold: readonly Untold[],
  signals: readonly WantedSignal[],
  options: Options,
): Promise<FoundSignals> {
  const { workspace_id, today, windowDays } = options
  const since = windowDays === null ? '' : daysBefore(today, windowDays)
  const { asking, failed } = await questionsAbout(deps, company, untold, signals, options, since)
  const keys = asking.map(({ question }) => question.key)
  const known = await findModelReadings(deps.db, workspace_id, keys)
  const answers = await askModel(
    deps,
    asking.filter(({ question }) => !known.has(question.key)),
    options,
  )
  const found: FoundSignals = { findings: [], unread: [], foreign: [] }
  for (const { document, language } of untold) {
    const { url } = document
    // Too old to count, in any language.
    if (document.published_date !== null && document.published_date < since) continue
    const asked = asking.find((one) => one.document === document)
    const unsearched = failed.find((one) => one.url === url)
    const answer = asked && (known.get(asked.question.key) ?? answers.get(asked.question.key))
    if (unsearched) found.unread.push({ ...unsearched, language })
    else if (!asked || !answer) found.foreign.push({ url, language })
    else if ('reason' in answer) found.unread.push({ url, language, reason: answer.reason })
    // It tells something of which the document proves nothing: nobody knows what.
    else if (answer.events.length === 0 && answer.unproven > 0) found.foreign.push({ url, language })
    else found.findings.push(...findingsOf(asked, answer, since, today, deps.config.LLM_MODEL))
  }
  return found
}

/** What to ask, the newest first, without those who were erased; documents that could not be searched for them are not asked about. */
async function questionsAbout(
  deps: Deps,
  company: CompanyRef,
  untold: readonly Untold[],
  signals: readonly WantedSignal[],
  { workspace_id, account_id, today }: Options,
  since: string,
): Promise<{ asking: Asking[]; failed: Unsearched[] }> {
  const dayOf = ({ published_date, fresh }: ReadableDocument) => published_date ?? (fresh ? today : LONG_AGO)
  const counting = untold
    .filter(({ document }) => document.published_date === null || document.published_date >= since)
    .toSorted((a, b) => Date.parse(dayOf(b.document)) - Date.parse(dayOf(a.document)))
    .map((one) => {
      const { title, text } = one.document
      // The quote is kept as it stands, so it is looked for in what can be kept.
      return { ...one.document, title: title === null ? null : toStorable(title), text: toStorable(text), one }
    })
  const { found, failed } = await withoutErased(deps, workspace_id, account_id, { documents: counting })
  const asking = found.documents.map(({ one, ...told }) => ({
    ...one,
    told,
    question: createEventsQuestion(deps.config, company, told, signals),
  }))
  return { asking, failed }
}

/** Asks one after the other until the budget is spent or the model fails, and keeps what it answers. Answers by key. */
async function askModel(
  deps: Deps,
  asking: readonly Asking[],
  { workspace_id, account_id, until, signal }: Options,
): Promise<Map<string, ExtractedEvents | Failure>> {
  const answers = new Map<string, ExtractedEvents | Failure>()
  const provider = toProviderDeps(deps, signal ? AbortSignal.any([signal, until]) : until)
  // A text may be met at two addresses.
  const different = new Map(asking.map((one) => [one.question.key, one]))
  const chosen = [...different.values()].slice(0, MOST_ASKED)
  for (const [at, { question, document }] of chosen.entries()) {
    try {
      const asked = await extractEvents(provider, question)
      if (asked.outcome === 'nothing') break
      if (asked.outcome === 'failed') {
        deps.log.warn({ reason: asked.reason, url: document.url }, 'the language model could not read a text')
        for (const { question } of chosen.slice(at)) answers.set(question.key, { reason: asked.reason })
        break
      }
      answers.set(question.key, asked.value)
      await keep(deps, workspace_id, account_id, question.key, asked.value)
    } catch (error) {
      if (signal?.aborted || !until.aborted) throw error
      break
    }
  }
  return answers
}

/** Not where it names somebody who was erased while the model read: then it is asked again, without them. */
async function keep(deps: Deps, workspaceId: string, accountId: string | null, key: string, told: ExtractedEvents) {
  const texts = told.events.flatMap(({ claim, quote }) => [claim, quote])
  if (!(await nameNobodyErased(deps, workspaceId, accountId, texts))) return
  await insertModelReading(deps.db, workspaceId, key, told)
}

function findingsOf(
  { document, told }: Asking,
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
    // A day that is still to come is when it takes effect.
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
        context: openingOf(told),
      },
    ]
  })
}

import type { Deps } from '../deps/deps.ts'
import type { SecondReaderVerdict, ShownLine } from '../engine/detect/doubt.ts'
import { findBuiltinSignal } from '../engine/signals/index.ts'
import { withoutErased } from '../people/redact/found.ts'
import {
  batchDoubtQuestions,
  createDoubtQuestion,
  type DoubtQuestion,
  requestDoubtVerdicts,
} from '../providers/llm/doubts.ts'
import { type CompanyRef, toProviderDeps } from '../providers/types.ts'
import { isoDate } from '../shared/days.ts'
import type { Doubtful, ReadableDocument, WantedSignal } from './find-signals.ts'
import { findModelVerdicts, insertModelVerdicts, returnQuestions, takeQuestions } from './model-reading-store.ts'

type Options = {
  workspace_id: string
  /** Whose documents these are; null where there is no account yet. */
  account_id: string | null
  /** Whether the model is asked; else only what it said before counts. */
  asks: boolean
  /** It is asked no longer than this. */
  until: AbortSignal
  signal?: AbortSignal | undefined
}

type Shown = Doubtful['shown']

/**
 * Has the language model read what the reader is in doubt of, and answers its verdicts by what it was shown. What it was asked before it
 * is not asked again. Where it fails, or its budget or its time is spent, the others have no verdict. Throws when the signal ends the work.
 */
export async function readTwice(
  deps: Deps,
  company: CompanyRef,
  documents: readonly ReadableDocument[],
  findings: readonly Doubtful[],
  signals: readonly WantedSignal[],
  options: Options,
): Promise<Map<Shown, SecondReaderVerdict>> {
  const doubted = findings.filter(({ shown }) => shown)
  if (doubted.length === 0) return new Map()
  const asking = await questionsAbout(deps, company, documents, doubted, signals, options)
  const questions = [...new Map([...asking.values()].map((question) => [question.key, question])).values()]
  const keys = questions.map(({ key }) => key)
  const verdicts = await findModelVerdicts(deps.db, options.workspace_id, keys)
  const open = questions.filter(({ key }) => !verdicts.has(key))
  if (options.asks) for (const [key, verdict] of await askModel(deps, open, options)) verdicts.set(key, verdict)
  return new Map([...asking].map(([shown, { key }]) => [shown, verdicts.get(key) ?? null]))
}

/** What to ask, without those who were erased; what could not be searched for them is not asked about. */
async function questionsAbout(
  deps: Deps,
  company: CompanyRef,
  documents: readonly ReadableDocument[],
  doubted: readonly Doubtful[],
  signals: readonly WantedSignal[],
  { workspace_id, account_id }: Options,
): Promise<Map<Shown, DoubtQuestion>> {
  const urls = new Set(doubted.map(({ source_url }) => source_url))
  const lines = doubted.flatMap(({ source_url, shown = [] }) =>
    shown.map((line) => ({ claim: line.text, quote: null, details: null, source_url, shown, line })),
  )
  // With the whole documents, which say in full whom a line names for short.
  const { found } = await withoutErased(deps, workspace_id, account_id, {
    documents: documents.filter(({ url }) => urls.has(url)),
    findings: lines,
  })
  const byShown = Map.groupBy(found.findings, ({ shown }) => shown)
  return new Map(
    doubted.flatMap(({ signal_id, source_url, shown = [] }): [Shown, DoubtQuestion][] => {
      const told = (byShown.get(shown) ?? []).map(({ claim, line }): ShownLine => ({ ...line, text: claim }))
      const signal = signals.find(({ id }) => id === signal_id)
      if (!signal || told.length < shown.length) return []
      const { name, description } = signal
      const definition = findBuiltinSignal(signal_id)?.counts ?? description
      return [[shown, createDoubtQuestion(deps.config, company.name, { name, definition }, told, source_url)]]
    }),
  )
}

/** So many requests at once. */
const AT_ONCE = 4

/** Asks in batches until the budget or the time is spent or the model fails, and keeps what it answers. Answers by key. */
async function askModel(
  deps: Deps,
  questions: readonly DoubtQuestion[],
  options: Options,
): Promise<Map<string, SecondReaderVerdict>> {
  const verdicts = new Map<string, SecondReaderVerdict>()
  const batches = batchDoubtQuestions(questions)
  for (let at = 0; at < batches.length && !options.until.aborted; at += AT_ONCE) {
    const answers = await Promise.all(batches.slice(at, at + AT_ONCE).map((batch) => askBatch(deps, batch, options)))
    for (const [key, verdict] of answers.flatMap((answered) => [...(answered ?? [])])) verdicts.set(key, verdict)
    if (answers.includes(null)) break
  }
  return verdicts
}

/** Null where nothing more can be asked. */
async function askBatch(
  deps: Deps,
  batch: readonly DoubtQuestion[],
  { workspace_id, until, signal }: Options,
): Promise<Map<string, SecondReaderVerdict> | null> {
  const { db, log, config } = deps
  const provider = toProviderDeps(deps, signal ? AbortSignal.any([signal, until]) : until)
  const day = isoDate(deps.now())
  const most = config.SECOND_READER_DAILY
  const count = await takeQuestions(db, workspace_id, day, batch.length, most)
  if (count < batch.length)
    log.info({ workspace_id, SECOND_READER_DAILY: most }, 'the second reader is not asked any more today')
  if (count === 0) return null
  try {
    const asked = await requestDoubtVerdicts(provider, batch.slice(0, count))
    if (asked.outcome === 'ok') {
      await insertModelVerdicts(db, workspace_id, asked.value)
      return asked.value
    }
    if (asked.outcome === 'nothing' || !asked.hasResponse) await returnQuestions(db, workspace_id, day, count, most)
    if (asked.outcome === 'failed')
      log.warn({ reason: asked.reason }, 'the language model could not check findings in doubt')
    return null
  } catch (error) {
    if (signal?.aborted || !until.aborted) throw error
    return null
  }
}

import type { Deps } from '../deps/deps.ts'
import { applySecondVerdict, type SecondReaderVerdict, type ShownLine } from '../engine/detect/doubt.ts'
import { MIN_CONFIDENCE } from '../engine/detect/index.ts'
import { findBuiltinSignal } from '../engine/signals/index.ts'
import { redactFindings } from '../people/redact/redact-findings.ts'
import {
  batchDoubtQuestions,
  createDoubtQuestion,
  type DoubtQuestion,
  requestDoubtVerdicts,
} from '../providers/llm/doubts.ts'
import { type CompanyRef, toProviderDeps } from '../providers/types.ts'
import { isoDate } from '../shared/days.ts'
import type { DoubtfulFinding, ReadableDocument, WantedSignal } from './detector.ts'
import { findModelVerdicts, insertModelVerdicts, refundQuestions, reserveQuestions } from './judgement-store.ts'

/** A document and the findings in it. */
export type DocumentFindings = { document: ReadableDocument; findings: DoubtfulFinding[] }

type Options = {
  workspace_id: string
  /** The account of the documents; null where there is none yet. */
  account_id: string | null
  /** The name of the language model. */
  model: string
  /** Whether to send requests to the model; otherwise only cached verdicts count. */
  asks: boolean
  /** Aborts requests to the model. */
  until: AbortSignal
  signal?: AbortSignal | undefined
}

/**
 * Has the language model check the findings in doubt, as the second reader: it confirms or refutes them. A finding without a verdict
 * keeps its confidence, which is the case when the model fails or when its budget or time is spent. Findings below the
 * minimum confidence are left out. Verdicts are cached. Throws when the signal aborts.
 */
export async function settleDoubts(
  deps: Deps,
  company: CompanyRef,
  found: readonly DocumentFindings[],
  signals: readonly WantedSignal[],
  options: Options,
): Promise<DocumentFindings[]> {
  const verdicts = await readVerdicts(deps, company, found, signals, options)
  return found.map(({ document, findings }) => ({
    document,
    findings: findings
      .flatMap((one) => {
        const { shown: _, ...finding } = one
        return applySecondVerdict(finding, verdicts.get(one) ?? null, options.model)
      })
      .filter(({ confidence }) => confidence >= MIN_CONFIDENCE),
  }))
}

async function readVerdicts(
  deps: Deps,
  company: CompanyRef,
  found: readonly DocumentFindings[],
  signals: readonly WantedSignal[],
  options: Options,
): Promise<Map<DoubtfulFinding, SecondReaderVerdict>> {
  const doubted = found.flatMap(({ findings }) => findings.filter(({ shown }) => shown))
  if (doubted.length === 0) return new Map()
  const documents = found.map(({ document }) => document)
  const asked = await questionsAbout(deps, company, documents, doubted, signals, options)
  const distinct = [...new Map([...asked.values()].map((question) => [question.key, question])).values()]
  const keys = distinct.map(({ key }) => key)
  const verdicts = await findModelVerdicts(deps.db, options.workspace_id, keys)
  const open = distinct.filter(({ key }) => !verdicts.has(key))
  if (options.asks) for (const [key, verdict] of await askModel(deps, open, options)) verdicts.set(key, verdict)
  return new Map([...asked].map(([finding, { key }]) => [finding, verdicts.get(key) ?? null]))
}

/** The questions about the findings, without erased people. A finding whose lines could not be redacted has no question. */
async function questionsAbout(
  deps: Deps,
  company: CompanyRef,
  documents: readonly ReadableDocument[],
  doubted: readonly DoubtfulFinding[],
  signals: readonly WantedSignal[],
  { workspace_id, account_id }: Options,
): Promise<Map<DoubtfulFinding, DoubtQuestion>> {
  const urls = new Set(doubted.map(({ source_url }) => source_url))
  const lines = doubted.flatMap(({ source_url, shown = [] }, at) =>
    shown.map((line) => ({ claim: line.text, quote: null, details: null, source_url, at, line })),
  )
  // The whole documents, because a line may give only the last name of a person whom the document names in full.
  const { found } = await redactFindings(deps, workspace_id, account_id, {
    documents: documents.filter(({ url }) => urls.has(url)),
    findings: lines,
  })
  const linesByFinding = Map.groupBy(found.findings, ({ at }) => at)
  return new Map(
    doubted.flatMap((finding, at): [DoubtfulFinding, DoubtQuestion][] => {
      const { signal_id, source_url, shown = [] } = finding
      const redacted = (linesByFinding.get(at) ?? []).map(({ claim, line }): ShownLine => ({ ...line, text: claim }))
      const signal = signals.find(({ id }) => id === signal_id)
      if (!signal || redacted.length < shown.length) return []
      const { name, description } = signal
      const definition = findBuiltinSignal(signal_id)?.counts ?? description
      return [[finding, createDoubtQuestion(deps.config, company.name, { name, definition }, redacted, source_url)]]
    }),
  )
}

/** The concurrency limit of requests to the model. */
const CONCURRENCY = 4

/** Sends the questions in batches until the budget or the time is spent or the model fails. Returns the verdicts by key. */
async function askModel(
  deps: Deps,
  questions: readonly DoubtQuestion[],
  options: Options,
): Promise<Map<string, SecondReaderVerdict>> {
  const verdicts = new Map<string, SecondReaderVerdict>()
  const batches = batchDoubtQuestions(questions)
  for (let at = 0; at < batches.length && !options.until.aborted; at += CONCURRENCY) {
    const answers = await Promise.all(
      batches.slice(at, at + CONCURRENCY).map((batch) => askBatch(deps, batch, options)),
    )
    for (const [key, verdict] of answers.flatMap((answered) => [...(answered ?? [])])) verdicts.set(key, verdict)
    if (answers.includes(null)) break
  }
  return verdicts
}

/** Returns null when no further batch can be sent. */
async function askBatch(
  deps: Deps,
  batch: readonly DoubtQuestion[],
  { workspace_id, until, signal }: Options,
): Promise<Map<string, SecondReaderVerdict> | null> {
  const { db, log, config } = deps
  const provider = toProviderDeps(deps, signal ? AbortSignal.any([signal, until]) : until)
  const day = isoDate(deps.now())
  const most = config.SECOND_READER_DAILY
  const count = await reserveQuestions(db, workspace_id, day, batch.length, most)
  if (count < batch.length)
    log.info({ workspace_id, SECOND_READER_DAILY: most }, 'daily limit of the second reader reached')
  if (count === 0) return null
  try {
    const asked = await requestDoubtVerdicts(provider, batch.slice(0, count))
    if (asked.outcome === 'ok') {
      await insertModelVerdicts(db, workspace_id, asked.value)
      return asked.value
    }
    if (asked.outcome === 'nothing' || !asked.hasResponse) await refundQuestions(db, workspace_id, day, count, most)
    if (asked.outcome === 'failed')
      log.warn({ reason: asked.reason }, 'language model failed to check findings in doubt')
    return null
  } catch (error) {
    if (signal?.aborted || !until.aborted) throw error
    return null
  }
}

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { compileCascade } from '../engine/cascade/index.ts'
import { Classifier, classifierUnavailableMessage } from '../engine/classifier/index.ts'
import type { CompanyIdentity } from '../engine/companies/company-names.ts'
import { adjustClassifier } from '../engine/custom-signals/adjust-classifier.ts'
import { compileCustomSignal } from '../engine/detect/custom-signal.ts'
import { type DetectInput, type DetectResult, detect } from '../engine/detect/index.ts'
import { previewSignalOnText } from '../engine/detect/preview.ts'
import { type DraftInput, draftSignal } from '../engine/draft/index.ts'
import { emailCandidates, type KnownAddress } from '../engine/email-patterns/index.ts'
import { readFeed } from '../engine/feed/index.ts'
import { type IcpCompany, scoreIcpFit } from '../engine/icp/index.ts'
import { documentPublication, readWebPage } from '../engine/page/index.ts'
import { type AlphaScoreInput, type ScoredSignal, scoreAccount, scoreAlpha } from '../engine/score/index.ts'
import { readTitle } from '../engine/titles/index.ts'
import { isoDate } from '../shared/days.ts'
import { SetupError } from '../shared/errors.ts'

/** One line of input, already an object; fields are checked where they are used. */
export type EngineLine = { [field: string]: unknown }
type Verb = (line: EngineLine) => object | Promise<object>

/** Every verb maps one object to one object and keeps no state between lines. */
export const ENGINE_VERBS: Record<string, Verb> = {
  detect: detectLine,
  async 'custom-signal'(line) {
    const signal = { id: 'custom', description: text(line, 'description'), examples: [] }
    return previewSignalOnText(
      adjustClassifier(await openClassifier(), [signal]),
      compileCustomSignal(signal.id, signal.description),
      {
        title: text(line, 'title', ''),
        text: text(line, 'text'),
        company: text(line, 'company', '') || null,
      },
    )
  },
  page(line) {
    const page = readWebPage({ url: text(line, 'url', ''), html: text(line, 'html') })
    return { ...page, published_date: documentPublication(page).published_date }
  },
  feed: (line) =>
    readFeed({ url: text(line, 'url', ''), body: text(line, 'body') }, text(line, 'today', isoDate(new Date()))),
  titles: (line) => readTitle(text(line, 'title')),
  cascade: (line) => compileCascade(text(line, 'query')),
  emails: (line) => ({
    candidates: emailCandidates(text(line, 'full_name'), text(line, 'domain'), list(line, 'known') as KnownAddress[]),
  }),
  score: scoreLine,
  draft: (line) => draftSignal(draftInput(line)),
}

/**
 * Reads NDJSON, runs a verb on each line and writes NDJSON in the same order, with one line in memory at a time. An invalid
 * line becomes an object with `error` and sets the exit code to 1. Throws on an unknown verb.
 */
export async function runEngine(verb: string, input: Readable, output: Writable): Promise<void> {
  const run = Object.hasOwn(ENGINE_VERBS, verb) ? ENGINE_VERBS[verb] : undefined
  if (!run) throw new SetupError(`Unknown verb "${verb}". Verbs: ${Object.keys(ENGINE_VERBS).join(', ')}.`)
  let number = 0
  for await (const source of linesOf(input)) {
    number++
    if (source !== null && source.trim() === '') continue
    const result = await runLine(run, source, number)
    if (result.failed) process.exitCode = 1
    if (!output.write(`${JSON.stringify(result.line)}\n`)) await once(output, 'drain')
  }
}

/** A page has a few megabytes; a line without an end must not fill the memory. */
const MAX_LINE_CHARS = 64 * 1024 * 1024

/** Lines as they arrive, null for one that is too long. readline would buffer up to a thousand lines. */
async function* linesOf(input: Readable): AsyncGenerator<string | null> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let size = 0
  const add = (part: string) => {
    size += part.length
    if (size <= MAX_LINE_CHARS) parts.push(part)
    else parts = []
  }
  const take = (): string | null => {
    const line = size <= MAX_LINE_CHARS ? parts.join('') : null
    parts = []
    size = 0
    return line
  }
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer)
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      add(text.slice(start, end))
      yield take()
      start = end + 1
    }
    add(text.slice(start))
  }
  add(decoder.end())
  if (size > 0) yield take()
}

async function runLine(run: Verb, source: string | null, number: number): Promise<{ line: object; failed: boolean }> {
  let id: unknown = null
  try {
    if (source === null) throw new Error('too long')
    const line: unknown = JSON.parse(source)
    if (typeof line !== 'object' || line === null || Array.isArray(line)) throw new Error('not an object')
    id = (line as EngineLine).id ?? null
    return { line: { id, ...(await run(line as EngineLine)) }, failed: false }
  } catch (error) {
    return { line: { id, error: `line ${number}: ${error instanceof Error ? error.message : 'failed'}` }, failed: true }
  }
}

let classifier: Classifier | null = null

async function openClassifier(): Promise<Classifier> {
  classifier ??= new Classifier({ threads: availableParallelism() })
  const status = await classifier.status()
  if (!status.ready) throw new SetupError(classifierUnavailableMessage(status.reason))
  return classifier
}

/** Includes the version of the reader's weights that judged the findings. */
async function detectLine(line: EngineLine): Promise<object> {
  const input = detectInput(line)
  const [result] = await detect([input], { classifier: await openClassifier() })
  const { judged_by, detections, not_read } = result as DetectResult
  return { judged_by, ...(not_read && { not_read }), detections }
}

function detectInput(line: EngineLine): DetectInput {
  const { company } = line as { company?: CompanyIdentity }
  if (typeof company?.name !== 'string') throw new Error('company.name must be a string')
  return {
    id: '',
    company,
    title: text(line, 'title', ''),
    text: text(line, 'text'),
    url: text(line, 'url', ''),
    published_at: text(line, 'published_at', ''),
  }
}

function text(line: EngineLine, field: string, fallback?: string): string {
  const value = line[field] ?? fallback
  if (typeof value !== 'string') throw new Error(`${field} must be a string`)
  return value
}

function list(line: EngineLine, field: string): object[] {
  const value = line[field] ?? []
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'object' || item === null)) {
    throw new Error(`${field} must be a list of objects`)
  }
  return value
}

/** Scores the fields that the line has: `detection`, `firmographics` with `knowledge_base`, `signals`; `today` is the current date. */
function scoreLine(line: EngineLine): object {
  const today = text(line, 'today')
  const { detection, firmographics } = line as { detection?: AlphaScoreInput; firmographics?: IcpCompany }
  const fit = firmographics
    ? scoreIcpFit(list(line, 'knowledge_base') as { type: string; content_md: string }[], firmographics)
    : null
  return {
    ...(detection ? { alpha: scoreAlpha(detection, today) } : {}),
    ...(fit ? { icp_fit: fit } : {}),
    ...(line.signals
      ? { account: scoreAccount(list(line, 'signals') as ScoredSignal[], fit?.score ?? 50, today) }
      : {}),
  }
}

function draftInput(line: EngineLine): DraftInput {
  const { account, signal, seller, sender, people } = line as Partial<DraftInput>
  if (typeof account?.name !== 'string') throw new Error('account.name must be a string')
  if (typeof signal?.signal_id !== 'string') throw new Error('signal.signal_id must be a string')
  const evidence = list(line, 'evidence') as DraftInput['evidence']
  if (evidence.some(({ claim }) => typeof claim !== 'string')) throw new Error('evidence.claim must be a string')
  const knowledge = list(line, 'knowledge_base') as DraftInput['knowledge_base']
  return {
    account,
    signal,
    evidence,
    knowledge_base: knowledge,
    ...(seller ? { seller } : {}),
    ...(sender ? { sender } : {}),
    ...(people ? { people } : {}),
  }
}

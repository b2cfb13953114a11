import type { Deps } from '../../deps.ts'
import { rewriteAnswers } from '../../http/idempotency.ts'
import { readDraftContext } from '../../research/drafts/context.ts'
import { redraft } from '../../research/drafts/redraft.ts'
import { rewriteDetectionTexts } from '../../research/drafts/rewrite-texts.job.ts'
import { lockForAssessment } from '../../resources/accounts/store.ts'
import { MAX_REASON_CHARS } from '../../resources/detections/schema.ts'
import { openingWithout } from './found.ts'
import {
  deleteDocument,
  deleteModelReadings,
  emptyAnswers,
  findAccountTexts,
  listImportTexts,
  listSearchQueries,
  listStoredDetections,
  listStoredDocuments,
  listStoredEvents,
  listStoredMoves,
  listStoredOpenings,
  rewriteAccount,
  rewriteDetection,
  rewriteDocument,
  rewriteEvent,
  rewriteImport,
  rewriteMove,
  rewriteOpening,
  rewriteQuery,
  type StoredDetection,
} from './redaction-store.ts'
import { type Alone, type Redactor, redactorFor } from './redactor.ts'

type Parts = Pick<Deps, 'db' | 'secrets'>
type Drafting = Parts & Pick<Deps, 'jobs' | 'config'>
type Account = NonNullable<Awaited<ReturnType<typeof lockForAssessment>>>

const BATCH = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Takes those who were erased out of everything that is stored about an account. A batch at a time, each while the account is
 * held: research under way has either written what is redacted here, or knows of the erasure. What was drafted to somebody is
 * drafted anew. Doing it twice changes nothing.
 */
export async function redactAccount(deps: Drafting, workspaceId: string, accountId: string): Promise<void> {
  const alone: Alone = new Map()
  const held = <T>(work: (parts: Drafting, account: Account) => Promise<T>, gone: T) =>
    deps.db.transaction().execute(async (db) => {
      const account = await lockForAssessment(db, workspaceId, accountId)
      return account ? work({ ...deps, db }, account) : gone
    })
  for (let after: string | null = FIRST; after; ) {
    const from: string = after
    after = await held((parts) => redactDocuments(parts, workspaceId, accountId, from, alone), null)
  }
  await held((parts) => redactOpenings(parts, workspaceId, accountId, alone), undefined)
  await held((parts, account) => redactDetections(parts, workspaceId, account, alone), undefined)
  for (let after: string | null = FIRST; after; ) {
    const from: string = after
    after = await held((parts) => redactEvents(parts, workspaceId, accountId, from, alone), null)
  }
  for (let after: string | null = FIRST; after; ) {
    const from: string = after
    after = await held((parts) => redactMoves(parts, workspaceId, accountId, from, alone), null)
  }
}

/** Answers the id to go on after, or null at the end. */
async function redactDocuments(parts: Parts, workspaceId: string, accountId: string, after: string, alone: Alone) {
  const documents = await listStoredDocuments(parts.db, workspaceId, accountId, after, BATCH)
  const texts = documents.flatMap(({ url, title, text, tells }) => [
    url,
    title,
    text,
    ...(tells ?? []).map(({ claim }) => claim),
  ])
  const redactor = await redactorFor(parts, workspaceId, accountId, texts, { alone })
  for (const document of redactor ? documents : []) {
    const { id, url } = document
    if (redactor?.isTheirs(url)) await deleteDocument(parts.db, workspaceId, id)
    else if (redactor) {
      const text = redactor.text(document.text, url)
      const tells = document.tells?.map((told) => ({ ...told, claim: redactor.text(told.claim, url) })) ?? null
      const redacted = { id, text, title: redactor.text(document.title, url), url: redactor.url(url), tells }
      if (differs(redacted, document)) await rewriteDocument(parts.db, workspaceId, accountId, redacted)
    }
  }
  return documents.length < BATCH ? null : (documents.at(-1)?.id ?? null)
}

async function redactOpenings(parts: Parts, workspaceId: string, accountId: string, alone: Alone): Promise<void> {
  const openings = await listStoredOpenings(parts.db, workspaceId, accountId)
  const redactor = await redactorFor(parts, workspaceId, accountId, stringsIn(openings), { alone })
  for (const opening of redactor ? openings : []) {
    const redacted = redactor ? openingWithout(redactor, opening) : opening
    if (differs(redacted, opening)) await rewriteOpening(parts.db, workspaceId, accountId, opening.url, redacted)
  }
}

async function redactDetections(parts: Drafting, workspaceId: string, held: Account, alone: Alone): Promise<void> {
  const { db } = parts
  const accountId = held.id
  const detections = await listStoredDetections(db, workspaceId, accountId)
  const account = await findAccountTexts(db, workspaceId, accountId)
  const redactor = await redactorFor(parts, workspaceId, accountId, stringsIn([detections, account]), { alone })
  if (!redactor) return
  let isCut = false
  for (const detection of detections) {
    const redacted = detectionWithout(redactor, detection)
    if (!differs(redacted, detection)) continue
    await rewriteDetection(db, workspaceId, redacted)
    isCut = true
  }
  if (isCut) await draftAnew(parts, workspaceId, held)
  if (!account) return
  const redacted = {
    short_description: redactor.text(account.short_description),
    why_now_md: redactor.text(account.why_now_md, accountId),
    score_components: account.score_components.map((one) => ({
      ...one,
      because: redactor.text(one.because, accountId),
    })),
  }
  if (differs(redacted, account)) await rewriteAccount(db, workspaceId, accountId, redacted)
}

/** With a cut alone a message would still be to them, and congratulate them. */
async function draftAnew({ db, jobs, config }: Drafting, workspaceId: string, account: Account): Promise<void> {
  const { context } = await readDraftContext(db, workspaceId)
  const detection_ids = await redraft(db, workspaceId, account, context)
  if (config.LLM_BASE_URL && detection_ids.length > 0) {
    await jobs.enqueue(db, rewriteDetectionTexts, { workspace_id: workspaceId, detection_ids })
  }
}

function detectionWithout(redactor: Redactor, detection: StoredDetection): StoredDetection {
  const { id } = detection
  const evidence = detection.evidence.map((proof) => redactor.proof(proof))
  // What the sources call somebody, the texts made of them may call them, too.
  for (const { source_url } of detection.evidence) redactor.share(source_url, id)
  const text = <T extends string | null>(one: T) => redactor.text(one, id)
  return {
    ...detection,
    evidence,
    headline: text(detection.headline),
    narrative: text(detection.narrative),
    why_reach_out_md: text(detection.why_reach_out_md),
    drafted_message_md: text(detection.drafted_message_md),
    // The mark of what was taken out may be longer than that.
    verdict_reason: text(detection.verdict_reason)?.slice(0, MAX_REASON_CHARS) ?? null,
    key_facts: detection.key_facts.map((one) => text(one)),
    personas: detection.personas.map((one) => text(one)),
    sources: detection.sources.map((url) => redactor.url(url)),
  }
}

async function redactEvents(parts: Parts, workspaceId: string, accountId: string, after: string, alone: Alone) {
  const events = await listStoredEvents(parts.db, workspaceId, accountId, after, BATCH)
  const texts = events.flatMap(({ url, reason }) => [url, reason])
  const redactor = await redactorFor(parts, workspaceId, accountId, texts, { alone })
  for (const event of redactor ? events : []) {
    const redacted = {
      ...event,
      reason: redactor?.text(event.reason, event.url) ?? '',
      url: redactor?.url(event.url) ?? '',
    }
    if (differs(redacted, event)) await rewriteEvent(parts.db, workspaceId, redacted)
  }
  return events.length < BATCH ? null : (events.at(-1)?.id ?? null)
}

/** Sentences that prove the move of somebody may name others, too. */
async function redactMoves(parts: Parts, workspaceId: string, accountId: string, after: string, alone: Alone) {
  const moves = await listStoredMoves(parts.db, workspaceId, accountId, after, BATCH)
  const texts = moves.flatMap(({ sources }) => sources.flatMap(({ url, quote }) => [url, quote]))
  const redactor = await redactorFor(parts, workspaceId, accountId, texts, { alone })
  for (const move of redactor ? moves : []) {
    const redacted = { ...move, sources: move.sources.map((one) => redactor?.source(one) ?? one) }
    if (differs(redacted, move)) await rewriteMove(parts.db, workspaceId, redacted)
  }
  return moves.length < BATCH ? null : (moves.at(-1)?.id ?? null)
}

/**
 * Takes those who were erased at an account's company out of what is stored about no account: requests for people, answers
 * that are kept for repeated requests, what imports quote, what receivers answered, what the language model read.
 */
export async function redactElsewhere(parts: Parts, workspaceId: string, accountId: string): Promise<void> {
  const { db } = parts
  const searches = await listSearchQueries(db, workspaceId)
  const queries = searches.map(({ query }) => query)
  const redactor = await redactorFor(parts, workspaceId, accountId, queries, { typed: true })
  for (const { id, query } of redactor ? searches : []) {
    const redacted = redactor?.text(query) ?? query
    if (redacted !== query) await rewriteQuery(db, workspaceId, id, redacted)
  }
  const imports = await listImportTexts(db, workspaceId)
  const quotes = await redactorFor(parts, workspaceId, accountId, stringsIn(imports), { typed: true })
  for (const one of quotes ? imports : []) {
    const { id: _, ...texts } = one
    const redacted = { ...one, ...(mapStrings(texts, (text) => quotes?.text(text) ?? text) as typeof texts) }
    if (differs(redacted, one)) await rewriteImport(db, workspaceId, redacted)
  }
  await rewriteAnswers(parts, workspaceId, async (answers) => {
    const values = answers.map(readAnswer)
    const redactor = await redactorFor(parts, workspaceId, accountId, stringsIn(values))
    if (!redactor) return answers
    return values.map((value, at) => {
      const redacted = mapStrings(value, (text) => redactor.text(text, `answer ${at}`))
      return differs([redacted], [value]) ? JSON.stringify(redacted) : (answers[at] as string)
    })
  })
  await emptyAnswers(db, workspaceId, null)
  await deleteModelReadings(db, workspaceId)
}

/** Answers are JSON, whose own writing is no text: in "\\nAda" the name is not "nAda", and a number stays one. */
function readAnswer(answer: string): unknown {
  return answer === '' ? '' : JSON.parse(answer)
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, change)]))
}

/** Every text anywhere in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

const differs = (a: object, b: object) => stringsIn(a).toSorted().join('\n') !== stringsIn(b).toSorted().join('\n')

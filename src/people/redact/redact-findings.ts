import type { StoredEvidence } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { ERASED } from '../../engine/draft/evidence.ts'
import type { ErasedPeople } from '../../engine/redact/index.ts'
import type { NameWordsBySource } from '../../engine/redact/redactor.ts'
import { cutText } from '../../engine/text/storable.ts'
import { registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { MAX_TEXT_CHARS } from '../../resources/documents/store.ts'
import { MAX_SENTENCE_CHARS } from '../../resources/signals/schema.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { AppError } from '../../shared/errors.ts'
import { type RedactionSubject, readErasureState, readErasures } from './erasures.ts'
import { redactInThread, siteRoot } from './redact-in-thread.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'parserPool'>
type Document = {
  url: string
  title: string | null
  text: string
  tells?: readonly { signal_id: string; claim: string }[] | null
}
type Finding = Pick<StoredEvidence, 'claim' | 'quote' | 'details'> & { source_url: string; context?: string }
type Opening = { url: string; title: string; location: string | null }
type Findings = {
  documents?: readonly Document[]
  findings?: readonly Finding[]
  firmographics?: readonly object[]
  universe?: object
  hiring?: { openings: readonly Opening[] }
}

/** A document that is left out with its findings. `shown`: the part of its URL that may be logged and displayed. */
export type UnsearchedDocument = { url: string; shown: string; reason: string }

/** Research findings without the people who were erased as of `state`. */
export type RedactedFindings<T> = { found: T; state: string; failed: UnsearchedDocument[] }

/** The stored length of a text, plus a margin for a name that crosses the limit. */
const CONSIDERED_CHARS = MAX_TEXT_CHARS + 1_000
/** Number of openings per task of the thread pool. */
const OPENINGS_BATCH = 200

/**
 * Removes erased people from research findings about a company. Documents that could not be searched are left out and
 * reported, together with their findings. To store the result, use `storeRedacted`.
 */
export async function redactFindings<T extends Findings>(
  parts: Parts & Pick<Deps, 'log'>,
  workspaceId: string,
  about: RedactionSubject,
  found: T,
  until?: AbortSignal,
): Promise<RedactedFindings<T>> {
  const { state, erased } = await readErasures(parts, workspaceId, about)
  if (!erased) return { found, state, failed: [] }
  const from = `${workspaceId} ${typeof about === 'string' ? about : (about?.name ?? '')}`
  const search = { ...parts, erased, from, until }
  const { documents, alone, failed } = await redactDocuments(search, found.documents ?? [])
  const proofs = await redactProofs(search, found.findings ?? [], alone, failed)
  const redacted = {
    ...found,
    ...(found.documents ? { documents } : {}),
    ...(found.findings ? { findings: proofs.findings } : {}),
    ...(found.hiring ? { hiring: await redactHiring(search, found.hiring, alone) } : {}),
    ...(found.firmographics ? { firmographics: await redactProfiles(search, found.firmographics) } : {}),
    ...(found.universe ? { universe: (await redactProfiles(search, [found.universe]))[0] } : {}),
  }
  if (proofs.failed.length > 0) {
    const some = proofs.failed.slice(0, 10).map(({ shown, reason }) => ({ from: shown, reason }))
    parts.log.warn({ workspace_id: workspaceId, documents: some }, 'documents that could not be redacted are left out')
  }
  return { found: redacted, state, failed: proofs.failed }
}

type Search = Parts & Pick<Deps, 'log'> & { erased: ErasedPeople; from: string; until: AbortSignal | undefined }

async function redactDocuments(search: Search, documents: readonly Document[]) {
  const { erased, from, until } = search
  const kept: Document[] = []
  const failed: UnsearchedDocument[] = []
  const alone: NameWordsBySource = {}
  const results = await Promise.all(
    documents.map(({ url, title, text, tells }) => {
      const item = { url, title, text: text.slice(0, CONSIDERED_CHARS), tells: tells ? [...tells] : null }
      const blame = `${from} ${registrableDomainOrHost(url)}`
      return redactInThread(search, erased, 'document', [{ ...item, most: MAX_TEXT_CHARS }], { from, blame, until })
    }),
  )
  for (const [at, result] of results.entries()) {
    const document = documents[at] as Document
    if (result instanceof LimitExceeded) {
      failed.push(unsearched(document.url, result))
      continue
    }
    Object.assign(alone, result.alone)
    const [redacted] = result.items
    if (!redacted) continue
    const { tells, ...texts } = redacted
    kept.push({ ...document, ...texts, ...(document.tells && tells ? { tells } : {}) })
  }
  return { documents: kept, alone, failed }
}

function unsearched(url: string, { reason }: LimitExceeded): UnsearchedDocument {
  return { url, shown: siteRoot(url), reason: `It could not be searched for people who were erased. ${reason}` }
}

/** Findings of unsearched documents are left out, because their quotes come from the same text. */
async function redactProofs(
  search: Search,
  findings: readonly Finding[],
  alone: NameWordsBySource,
  failed: readonly UnsearchedDocument[],
): Promise<{ findings: Finding[]; failed: UnsearchedDocument[] }> {
  const { erased, from, until } = search
  const lost = new Map(failed.map((one) => [one.url, one]))
  const redacted = new Map<Finding, Finding>()
  const bySource = Map.groupBy(findings, ({ source_url }) => source_url)
  await Promise.all(
    [...bySource].map(async ([url, own]) => {
      if (lost.has(url)) return
      const items = own.map(({ claim, quote, details, source_url, context }) => ({
        ...{ claim, source_url },
        ...(quote === undefined ? {} : { quote }),
        ...(details === undefined ? {} : { details }),
        ...(context === undefined ? {} : { context }),
      }))
      const known = alone[url] ? { [url]: alone[url] } : {}
      const blame = `${from} ${registrableDomainOrHost(url)}`
      const result = await redactInThread(search, erased, 'finding', items, { from, blame, alone: known, until })
      if (result instanceof LimitExceeded) lost.set(url, unsearched(url, result))
      else for (const [at, finding] of own.entries()) redacted.set(finding, { ...finding, ...result.items[at] })
    }),
  )
  return { findings: findings.flatMap((one) => redacted.get(one) ?? []), failed: [...lost.values()] }
}

/** A list that could not be searched is not stored; the stored list remains. */
async function redactHiring(search: Search, hiring: { openings: readonly Opening[] }, alone: NameWordsBySource) {
  const { erased, from, until, log } = search
  const openings: Opening[] = []
  for (let at = 0; at < hiring.openings.length; at += OPENINGS_BATCH) {
    const batch = hiring.openings.slice(at, at + OPENINGS_BATCH)
    const items = batch.map(({ url, title, location }) => ({ url, title, location }))
    const result = await redactInThread(search, erased, 'opening', items, {
      from,
      alone: selectAlone(alone, batch),
      until,
    })
    if (result instanceof LimitExceeded) {
      log.warn({ reason: result.reason }, 'open positions could not be redacted and are not stored')
      return undefined
    }
    openings.push(...batch.map((one, n) => ({ ...one, ...result.items[n] })))
  }
  return { ...hiring, openings }
}

/** Selects the entries for the sources of these items. */
export function selectAlone(alone: NameWordsBySource, items: readonly { url: string }[]): NameWordsBySource {
  return Object.fromEntries(items.flatMap(({ url }) => (alone[url] ? [[url, alone[url]]] : [])))
}

async function redactProfiles(search: Search, profiles: readonly object[]): Promise<object[]> {
  const { erased, from, until, log } = search
  return Promise.all(
    profiles.map(async (profile) => {
      const description = descriptionOf(profile)
      if (description === null) return profile
      const items = [{ source: null, texts: [description] }]
      const result = await redactInThread(search, erased, 'texts', items, { from, until })
      if (!(result instanceof LimitExceeded)) return { ...profile, short_description: result.items[0]?.[0] }
      log.warn({ reason: result.reason }, 'a description could not be redacted and is not stored')
      const { short_description: _, ...rest } = profile as { short_description?: unknown }
      return rest
    }),
  )
}

function descriptionOf(profile: object): string | null {
  const { short_description } = profile as { short_description?: unknown }
  return typeof short_description === 'string' ? short_description : null
}

/** A person was erased between the redaction of a text and the lock on its account. */
class ErasuresChanged extends Error {}

/** Call it while the account is locked: a later erasure waits for the lock and then redacts the stored texts. */
export async function assertErasuresUnchanged(
  db: Deps['db'],
  workspaceId: string,
  accountId: string,
  state: string,
): Promise<void> {
  if ((await readErasureState(db, workspaceId, accountId)) !== state) {
    throw new ErasuresChanged('A person was erased while the texts were redacted.')
  }
}

/** Number of attempts without a lock; the next attempt makes erasures wait. */
const MAX_ATTEMPTS = 3
/** The longest time erasures wait for the lock; documents that are not searched by then are left out. */
const MAX_LOCK_MS = 10_000

/**
 * Redacts findings in worker threads without a lock, then calls `write` in a transaction, which must call
 * `assertErasuresUnchanged`. If a person is erased in between, the transaction is rolled back and retried. The last attempt
 * holds the workspace lock, so that frequent erasures cannot prevent it from finishing.
 */
export async function storeRedacted<T extends Findings, R>(
  parts: Parts & Pick<Deps, 'log'>,
  workspaceId: string,
  about: RedactionSubject,
  found: T,
  write: (db: Deps['db'], redacted: RedactedFindings<T>) => Promise<R>,
): Promise<R> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const redacted = await redactFindings(parts, workspaceId, about, found)
    try {
      return await parts.db.transaction().execute((db) => write(db, redacted))
    } catch (error) {
      if (!(error instanceof ErasuresChanged)) throw error
    }
  }
  return parts.db.transaction().execute(async (db) => {
    await lockWorkspaceShared(db, workspaceId)
    const until = AbortSignal.timeout(MAX_LOCK_MS)
    return write(db, await redactFindings({ ...parts, db }, workspaceId, about, found, until))
  })
}

/** Replaces the quote of a monitor event that could not be searched. */
const UNSEARCHED_EVENT = 'The page has changed. The new text is not shown: it could not be searched for erased people.'

/** Removes erased people from monitor events, which quote new text of a page. */
export async function redactEvents<E extends { status: string; url: string; reason: string }>(
  parts: Parts,
  workspaceId: string,
  accountId: string,
  events: E[],
): Promise<E[]> {
  // Other events report that nothing changed or why a page could not be read, and quote no text.
  const changed = events.filter(({ status }) => status === 'changed')
  const { erased } = changed.length > 0 ? await readErasures(parts, workspaceId, accountId) : { erased: null }
  if (!erased) return events
  const items = changed.map(({ url, reason }) => ({ url, text: reason }))
  const result = await redactInThread(parts, erased, 'sentence', items, { from: `${workspaceId} ${accountId}` })
  const redacted = new Map(
    changed.map((event, at) => {
      const one = result instanceof LimitExceeded ? undefined : result.items[at]
      const texts = { url: one?.url ?? siteRoot(event.url), reason: one?.text ?? UNSEARCHED_EVENT }
      return [event, { ...event, ...texts }]
    }),
  )
  return events.map((event) => redacted.get(event) ?? event)
}

/**
 * Removes people erased at any company from example sentences of signals. Call it in the transaction that stores them, so
 * that erasures wait for it. Throws unavailable when the sentences could not be searched.
 */
export async function redactExamples<E extends { sentence: string }>(
  parts: Parts,
  workspaceId: string,
  examples: readonly E[],
): Promise<E[]> {
  if (examples.length === 0) return []
  await lockWorkspaceShared(parts.db, workspaceId)
  const { erased } = await readErasures(parts, workspaceId, null)
  if (!erased) return [...examples]
  const items = examples.map(({ sentence }) => ({ source: null, texts: [sentence] }))
  const until = AbortSignal.timeout(MAX_LOCK_MS)
  const result = await redactInThread(parts, erased, 'texts', items, { from: workspaceId, until })
  if (result instanceof LimitExceeded) {
    const message = `The examples could not be searched for people who were erased. ${result.reason} Try again shortly.`
    throw new AppError('unavailable', message)
  }
  // The replacement text may be longer than the removed name.
  const shortened = result.items.map(([sentence]) => cutText(sentence ?? ERASED, MAX_SENTENCE_CHARS))
  return examples.map((example, at) => ({ ...example, sentence: shortened[at] ?? ERASED }))
}

/** Removes people erased at any company from a people search query, for storage. */
export async function redactQuery(parts: Parts, workspaceId: string, query: string): Promise<string> {
  const { erased } = await readErasures(parts, workspaceId, null)
  if (!erased) return query
  const items = [{ source: null, texts: [query] }]
  const result = await redactInThread(parts, erased, 'texts', items, { from: workspaceId, typed: true })
  return result instanceof LimitExceeded ? ERASED : (result.items[0]?.[0] ?? ERASED)
}

/** Whether texts mention no erased person; false when they could not be searched. */
export async function isFreeOfErased(parts: Parts, workspaceId: string, about: RedactionSubject, texts: string[]) {
  const { erased } = await readErasures(parts, workspaceId, about)
  if (!erased) return true
  const result = await redactInThread(parts, erased, 'texts', [{ source: null, texts }], { from: workspaceId })
  return !(result instanceof LimitExceeded) && texts.every((text, at) => result.items[0]?.[at] === text)
}

type Source = { url: string; quote?: string }

/** Removes erased people from sources of moves, whose quotes may name other people; an unsearched source loses its quote. */
export async function redactSources<S extends Source>(
  parts: Parts,
  workspaceId: string,
  accountId: string,
  sources: readonly S[],
): Promise<S[]> {
  const { erased } = sources.length > 0 ? await readErasures(parts, workspaceId, accountId) : { erased: null }
  if (!erased) return [...sources]
  const items = sources.map(({ url, quote }) => ({ url, text: quote ?? null }))
  const from = `${workspaceId} ${accountId}`
  const result = await redactInThread(parts, erased, 'sentence', items, {
    from,
    until: AbortSignal.timeout(MAX_LOCK_MS),
  })
  return sources.map((source, at) => {
    const one = result instanceof LimitExceeded ? undefined : result.items[at]
    const { quote: _, ...rest } = source
    const text = one?.text ?? null
    return { ...rest, url: one?.url ?? siteRoot(source.url), ...(text === null ? {} : { quote: text }) } as S
  })
}

import type { Deps } from '../deps/deps.ts'
import type { ErasedPeople, Redacted, RedactionItem, RedactionKind } from '../engine/redact/index.ts'
import type { NameWordsBySource } from '../engine/redact/redactor.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import { readErasures } from '../people/redact/erasures.ts'
import { selectAlone } from '../people/redact/redact-findings.ts'
import { redactInThread } from '../people/redact/redact-in-thread.ts'
import { lockForAssessment } from '../resources/accounts/assessment-store.ts'
import { MAX_REASON_CHARS } from '../resources/detections/schema.ts'
import { MAX_TEXT_CHARS } from '../resources/documents/store.ts'
import { readDraftContext } from '../resources/drafts/context.ts'
import { queueRewriting, redraftAccount } from '../resources/drafts/redraft.ts'
import { rankAgain } from '../resources/work-items/rank.ts'
import { NIL_ID } from '../shared/ids.ts'
import {
  deleteDocument,
  findAccountTexts,
  findUnchangedDocuments,
  listCrmTexts,
  listMoveSources,
  listStoredDetections,
  listStoredDocuments,
  listStoredMonitorEvents,
  listStoredNotes,
  listStoredOpenings,
  rewriteAccountTexts,
  rewriteCrmTexts,
  rewriteDetection,
  rewriteDocument,
  rewriteMonitorEvent,
  rewriteMoveSources,
  rewriteNote,
  rewriteOpening,
  type StoredDetection,
} from './redaction-store.ts'

type Drafting = Pick<Deps, 'db' | 'secrets' | 'parserPool' | 'log' | 'jobs' | 'config'>
type Account = NonNullable<Awaited<ReturnType<typeof lockForAssessment>>>

const BATCH = 100
/** Number of short texts per task of the thread pool. */
const SHORT_TEXTS_BATCH = 200
/** Maximum number of attempts to redact rows that change concurrently. */
const MAX_ROUNDS = 5

/** Texts could not be redacted: they could not be searched, or they changed on every attempt. */
export class NotRedacted extends Error {}

/**
 * Removes erased people from everything stored about an account, and drafts messages again. Texts are redacted in worker
 * threads without a lock, in batches; then the account is locked, and texts that have not changed are written. Idempotent.
 * Returns false if `until` was aborted first or texts could not be searched.
 */
export async function redactAccount(
  deps: Drafting,
  workspaceId: string,
  accountId: string,
  until?: AbortSignal,
): Promise<boolean> {
  // Research that started before the erasure holds the account lock; its texts are stored when the lock is released.
  const isThere = await deps.db.transaction().execute((db) => lockForAssessment(db, workspaceId, accountId))
  const { erased } = await readErasures(deps, workspaceId, accountId)
  if (!isThere || !erased) return true
  const work = new AccountRedaction(deps, workspaceId, accountId, erased, until)
  try {
    await work.run()
    return true
  } catch (error) {
    if (!(error instanceof NotRedacted)) throw error
    deps.log.warn({ err: error, workspace_id: workspaceId, account_id: accountId }, 'texts could not be redacted yet')
    return false
  }
}

type Batch<R> = {
  list: (db: Deps['db']) => Promise<R[]>
  redact: (rows: R[]) => Promise<R[]>
  keyOf: (row: R) => string
  /** Returns the keys of unchanged rows; by default the rows are listed again and compared. */
  unchanged?: (db: Deps['db'], rows: R[]) => Promise<ReadonlySet<string>>
  write: (parts: Drafting, before: R, redacted: R) => Promise<void>
  /** Called in the same transaction after rows were written. */
  finish?: (parts: Drafting, account: Account) => Promise<void>
}

class AccountRedaction {
  readonly #deps: Drafting
  readonly #workspaceId: string
  readonly #accountId: string
  readonly #erased: ErasedPeople
  readonly #until: AbortSignal | undefined
  #alone: NameWordsBySource = {}

  constructor(
    deps: Drafting,
    workspaceId: string,
    accountId: string,
    erased: ErasedPeople,
    until: AbortSignal | undefined,
  ) {
    this.#deps = deps
    this.#workspaceId = workspaceId
    this.#accountId = accountId
    this.#erased = erased
    this.#until = until
  }

  async run(): Promise<void> {
    await this.#inBatches((after) => this.#documents(after))
    await this.#openings()
    await this.#detections()
    await this.#accountTexts()
    await this.#crmTexts()
    await this.#inBatches((after) => this.#events(after))
    await this.#inBatches((after) => this.#moves(after))
    await this.#inBatches((after) => this.#notes(after))
    await this.#rank()
  }

  /** The reasons of the current work item name people and quote headlines. */
  async #rank(): Promise<void> {
    await this.#deps.db.transaction().execute(async (db) => {
      if (!(await lockForAssessment(db, this.#workspaceId, this.#accountId))) return
      await rankAgain(db, this.#workspaceId, this.#accountId, new Date())
    })
  }

  async #inBatches(batch: (after: string) => Promise<{ id: string }[]>): Promise<void> {
    for (let after: string | undefined = NIL_ID; after; ) {
      const rows: { id: string }[] = await batch(after)
      after = rows.length < BATCH ? undefined : rows.at(-1)?.id
    }
  }

  /** Redacts rows and writes those with changes, and retries rows that other transactions changed in between. Returns the rows as first read. */
  async #rewrite<R extends object>({ list, redact, keyOf, unchanged, write, finish }: Batch<R>): Promise<R[]> {
    const { db } = this.#deps
    let first: R[] | undefined
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const rows = await list(db)
      first ??= rows
      const redacted = await redact(rows)
      const changed = rows.flatMap((row, at) =>
        !hasSameTexts(redacted[at], row) ? [[row, redacted[at] as R] as const] : [],
      )
      if (changed.length === 0) return first
      const isDone = await db.transaction().execute(async (db) => {
        const account = await lockForAssessment(db, this.#workspaceId, this.#accountId)
        if (!account) return true
        const before = changed.map(([row]) => row)
        const same = unchanged ? await unchanged(db, before) : stillListed(before, await list(db), keyOf)
        const parts = { ...this.#deps, db }
        for (const [row, other] of changed) if (same.has(keyOf(row))) await write(parts, row, other)
        if (same.size > 0) await finish?.(parts, account)
        return same.size === changed.length
      })
      if (isDone) return first
    }
    throw new NotRedacted('The texts of an account changed during every attempt to redact them.')
  }

  async #redact<K extends RedactionKind>(
    kind: K,
    items: RedactionItem<K>[],
    alone: NameWordsBySource = {},
  ): Promise<Redacted<K>[] | LimitExceeded> {
    const from = `${this.#workspaceId} ${this.#accountId}`
    const result = await redactInThread(this.#deps, this.#erased, kind, items, { from, alone, until: this.#until })
    // The caller has a time limit; the job redacts the rest.
    if (result instanceof LimitExceeded && this.#until?.aborted) throw new NotRedacted(result.reason)
    if (result instanceof LimitExceeded) return result
    this.#alone = { ...this.#alone, ...result.alone }
    return result.items
  }

  /** Redacts short texts. Throws NotRedacted if they could not be searched, so that the job is retried. */
  async #redactAll<K extends RedactionKind>(
    kind: K,
    items: RedactionItem<K>[],
    alone?: NameWordsBySource,
  ): Promise<Redacted<K>[]> {
    const redacted: Redacted<K>[] = []
    for (let at = 0; at < items.length; at += SHORT_TEXTS_BATCH) {
      const result = await this.#redact(kind, items.slice(at, at + SHORT_TEXTS_BATCH), alone)
      if (result instanceof LimitExceeded) throw new NotRedacted(result.reason)
      redacted.push(...result)
    }
    return redacted
  }

  #documents(after: string) {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    type Stored = Awaited<ReturnType<typeof listStoredDocuments>>[number] & { isGone?: string }
    return this.#rewrite<Stored>({
      list: (db) => listStoredDocuments(db, workspaceId, accountId, after, BATCH),
      redact: (documents) =>
        Promise.all(
          documents.map(async (document): Promise<Stored> => {
            const { url, title, text, tells } = document
            const result = await this.#redact('document', [{ url, title, text, tells, most: MAX_TEXT_CHARS }])
            // Deleted, because it may name an erased person; it is read again from its source.
            if (result instanceof LimitExceeded) return { ...document, isGone: result.reason }
            return result[0]
              ? { ...document, ...result[0] }
              : { ...document, isGone: 'It is the erased person’s own page.' }
          }),
        ),
      keyOf: ({ id }) => id,
      unchanged: (db, documents) => findUnchangedDocuments(db, workspaceId, documents),
      write: async ({ db, log }, { id }, { isGone, ...redacted }) => {
        if (isGone === undefined) return rewriteDocument(db, workspaceId, accountId, redacted)
        log.info({ workspace_id: workspaceId, id, reason: isGone }, 'a document is deleted after an erasure')
        return deleteDocument(db, workspaceId, id)
      },
    })
  }

  async #openings(): Promise<void> {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    await this.#rewrite({
      list: (db) => listStoredOpenings(db, workspaceId, accountId),
      redact: (openings) => this.#redactAll('opening', openings, selectAlone(this.#alone, openings)),
      keyOf: ({ url }) => url,
      write: ({ db }, { url }, redacted) => rewriteOpening(db, workspaceId, accountId, url, redacted),
    })
  }

  async #detections(): Promise<void> {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    await this.#rewrite({
      list: (db) => listStoredDetections(db, workspaceId, accountId),
      redact: (detections) => Promise.all(detections.map((detection) => this.#detection(detection))),
      keyOf: ({ id }) => id,
      write: ({ db }, before, redacted) => rewriteDetection(db, workspaceId, before, redacted),
      finish: (parts, account) => redraftDetections(parts, workspaceId, account),
    })
  }

  async #detection(detection: StoredDetection): Promise<StoredDetection> {
    const { id, evidence, sources, ...texts } = detection
    const known = selectAlone(
      this.#alone,
      evidence.flatMap(({ source_url: url }) => (url === null ? [] : [{ url }])),
    )
    const [redacted] = await this.#redactAll('detection', [{ id, evidence, sources, texts }], known)
    const { texts: cut, ...rest } = redacted as Redacted<'detection'>
    const other = { ...detection, ...rest, ...cut } as StoredDetection
    // The replacement text may be longer than the removed name.
    return { ...other, verdict_reason: other.verdict_reason?.slice(0, MAX_REASON_CHARS) ?? null }
  }

  async #accountTexts(): Promise<void> {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    const list = async (db: Deps['db']) => {
      const texts = await findAccountTexts(db, workspaceId, accountId)
      return texts ? [texts] : []
    }
    await this.#rewrite({
      list,
      redact: (accounts) =>
        Promise.all(
          accounts.map(async (account) => {
            const { short_description, researched, why_now_md, score_components, relationship_reason, crm_fields } =
              account
            const written = Object.entries(researched).filter(([, value]) => typeof value === 'string')
            const pulled = Object.entries(crm_fields).filter(([, { value }]) => typeof value === 'string')
            const reasons = score_components.map(({ because }) => because)
            const [profile, about, fromCrm] = await this.#redactAll('texts', [
              { source: null, texts: [short_description ?? '', ...written.map(([, text]) => String(text))] },
              { source: accountId, texts: [why_now_md ?? '', ...reasons] },
              { source: null, texts: [relationship_reason ?? '', ...pulled.map(([, { value }]) => String(value))] },
            ])
            const [description, ...rewritten] = profile as string[]
            const [whyNow, ...because] = about as string[]
            const [reason, ...values] = fromCrm as string[]
            return {
              short_description: short_description && (description ?? ''),
              researched: {
                ...researched,
                ...Object.fromEntries(
                  written.map(([name, text], at) => [name, redactedResearch(name, text, rewritten[at])]),
                ),
              },
              relationship_reason: relationship_reason && (reason ?? ''),
              crm_fields: {
                ...crm_fields,
                ...Object.fromEntries(pulled.map(([name, one], at) => [name, { ...one, value: values[at] ?? '' }])),
              },
              why_now_md: why_now_md && (whyNow ?? ''),
              score_components: score_components.map((one, at) => ({ ...one, because: because[at] ?? '' })),
            }
          }),
        ),
      keyOf: () => accountId,
      write: ({ db }, _, redacted) => rewriteAccountTexts(db, workspaceId, accountId, redacted),
    })
  }

  async #crmTexts(): Promise<void> {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    await this.#rewrite({
      list: (db) => listCrmTexts(db, workspaceId, accountId),
      redact: async (records) => {
        const items = records.map(({ texts }) => ({ source: null, texts: texts.map((text) => text ?? '') }))
        const redacted = await this.#redactAll('texts', items)
        return records.map((one, n) => ({
          ...one,
          texts: one.texts.map((text, at) => text && (redacted[n]?.[at] ?? '')),
        }))
      },
      keyOf: ({ what, provider, crm_id }) => `${what} ${provider} ${crm_id}`,
      write: ({ db }, _, redacted) => rewriteCrmTexts(db, workspaceId, redacted),
    })
  }

  #events(after: string) {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    return this.#rewrite({
      list: (db) => listStoredMonitorEvents(db, workspaceId, accountId, after, BATCH),
      redact: async (events) => {
        const items = events.map(({ url, reason }) => ({ url, text: reason }))
        const redacted = await this.#redactAll('sentence', items, selectAlone(this.#alone, events))
        return events.map((event, at) => ({
          ...event,
          url: redacted[at]?.url ?? '',
          reason: redacted[at]?.text ?? '',
        }))
      },
      keyOf: ({ id }) => id,
      write: ({ db }, _, redacted) => rewriteMonitorEvent(db, workspaceId, redacted),
    })
  }

  #notes(after: string) {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    return this.#rewrite({
      list: (db) => listStoredNotes(db, workspaceId, accountId, after, BATCH),
      redact: async (notes) => {
        const items = notes.map(({ note }) => ({ source: null, texts: [note] }))
        const redacted = await this.#redactAll('texts', items)
        return notes.map((one, at) => ({ ...one, note: redacted[at]?.[0] ?? '' }))
      },
      keyOf: ({ id }) => id,
      write: ({ db }, _, redacted) => rewriteNote(db, workspaceId, redacted),
    })
  }

  /** Sentences that prove a move may name other people, too. */
  #moves(after: string) {
    const [workspaceId, accountId] = [this.#workspaceId, this.#accountId]
    return this.#rewrite({
      list: (db) => listMoveSources(db, workspaceId, accountId, after, BATCH),
      redact: async (moves) => {
        const sources = moves.flatMap((move) => move.sources)
        const items = sources.map(({ url, quote }) => ({ url, text: quote ?? null }))
        const redacted = (await this.#redactAll('sentence', items, selectAlone(this.#alone, sources))).values()
        return moves.map((move) => ({
          ...move,
          sources: move.sources.map((source) => {
            const { value } = redacted.next()
            const text = value?.text ?? null
            return { ...source, url: value?.url ?? '', ...(text === null ? {} : { quote: text }) }
          }),
        }))
      },
      keyOf: ({ id }) => id,
      write: ({ db }, _, redacted) => rewriteMoveSources(db, workspaceId, redacted),
    })
  }
}

/** A redacted URL is no longer valid, so it becomes null. */
const redactedResearch = (name: string, before: unknown, redacted = '') =>
  name === 'network_url' && redacted !== before ? null : redacted

/** Returns the keys of rows that are listed unchanged. */
function stillListed<R>(before: readonly R[], listed: readonly R[], keyOf: (row: R) => string): Set<string> {
  const now = new Map(listed.map((row) => [keyOf(row), JSON.stringify(row)]))
  return new Set(before.filter((row) => now.get(keyOf(row)) === JSON.stringify(row)).map(keyOf))
}

/** Drafts texts again, because a redacted message would still address the erased person. */
async function redraftDetections(parts: Drafting, workspaceId: string, account: Account): Promise<void> {
  const { context } = await readDraftContext(parts.db, workspaceId)
  await queueRewriting(parts, workspaceId, await redraftAccount(parts.db, workspaceId, account, context))
}

/** Whether two values contain the same strings under the same keys; other values are ignored. */
export function hasSameTexts(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) {
    return a === b || (typeof a !== 'string' && typeof b !== 'string')
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].every((key) => hasSameTexts(a[key as keyof typeof a], b[key as keyof typeof b]))
}

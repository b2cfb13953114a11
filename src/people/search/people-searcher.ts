import type { Deps } from '../../deps/deps.ts'
import type { ProviderParts } from '../../providers/types.ts'
import { AppError } from '../../shared/errors.ts'
import { lookUpEmail } from '../email/look-up-email.ts'
import { scheduleEmailRecheck } from '../email/recheck.job.ts'
import { findRoster } from '../roster/roster-store.ts'
import { syncRoster } from '../roster/sync.ts'
import { findPeopleBeyondRoster } from './beyond-roster.ts'
import { choosePeople, ENOUGH_HITS } from './choose.ts'
import type { CompiledRequest } from './request.ts'
import { countAccountDone, findCandidates, saveSearchHits } from './search-store.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'secrets'> & ProviderParts
type Problem = { account_id: string; message: string }
type Scope = CompiledRequest & { workspaceId: string; id: string; signal: AbortSignal }

/** Somebody found; `reason` says why no email is proven. */
export type SearchHit = { id: string; tier: number; reason: string; isPublished: boolean }

const TIME_UP = 'The time was up before an address could be proven.'
/** Part of the budget that looking beyond rosters may take: addresses have to be proven after it. */
const BEYOND_SHARE = 0.4

/** Runs a cascade over accounts. */
export class PeopleSearcher {
  readonly problems: Problem[] = []
  searched = 0
  readonly #parts: Parts
  readonly #scope: Scope
  readonly #beyond: AbortSignal
  readonly #hits = new Map<string, SearchHit[]>()
  #cut = false

  constructor(parts: Parts, scope: Scope) {
    this.#parts = parts
    this.#scope = scope
    const limit = AbortSignal.timeout(parts.config.FIND_BUDGET_SECONDS * 1000 * BEYOND_SHARE)
    this.#beyond = AbortSignal.any([scope.signal, limit])
  }

  /** Tier by tier; in a tier in the order of the accounts, whichever of them answered first. */
  hitsOf(accountIds: readonly string[]): SearchHit[] {
    return accountIds.flatMap((id) => this.#hits.get(id) ?? []).sort((a, b) => a.tier - b.tier)
  }

  /** Every account was searched and every hit's address looked up. */
  get isComplete(): boolean {
    return !this.#cut && this.problems.length === 0
  }

  async run(accountIds: readonly string[]): Promise<void> {
    const waiting = [...accountIds]
    const work = async () => {
      for (let id = waiting.shift(); id; id = waiting.shift()) {
        await this.#searchSafely(id)
        await countAccountDone(this.#parts.db, this.#scope.workspaceId, this.#scope.id)
      }
    }
    const { FIND_CONCURRENCY } = this.#parts.config
    await Promise.all(Array.from({ length: Math.min(FIND_CONCURRENCY, accountIds.length) }, work))
  }

  async #searchSafely(accountId: string): Promise<void> {
    const { signal } = this.#scope
    try {
      if (signal.aborted) return this.#report(accountId, 'The time was up before this account was searched.')
      await this.#search(accountId)
    } catch (error) {
      if (signal.aborted) return this.#report(accountId, 'The time was up while this account was searched.')
      // Deleted or deactivated meanwhile, or its sources failed: said in the error's own words.
      if (error instanceof AppError && error.code !== 'internal') return this.#report(accountId, error.message)
      this.#parts.log.error({ err: error, account_id: accountId }, 'a search broke at one account')
      this.#report(accountId, 'The search failed at this account.')
    }
  }

  async #search(accountId: string): Promise<void> {
    const { db } = this.#parts
    const { workspaceId, id } = this.#scope
    await this.#refresh(accountId)
    const hits = await this.#choose(accountId)
    // Saved before addresses are looked for: what was found stays found when the time is up.
    if (hits.length > 0) await db.transaction().execute((db) => saveSearchHits(db, workspaceId, id, hits))
    this.#hits.set(accountId, hits)
    this.searched++
    await this.#proveAddresses(hits)
  }

  /** Those of the roster; where it has few with the ideal role, those that can be found beyond it as well. */
  async #choose(accountId: string): Promise<SearchHit[]> {
    const { db } = this.#parts
    const { workspaceId, cascade, role } = this.#scope
    const read = async () => choosePeople(cascade, await findCandidates(db, workspaceId, accountId))
    const known = await read()
    const isEnough = known.filter(({ tier }) => tier === 1).length >= ENOUGH_HITS
    const chosen = role && !isEnough && (await this.#lookBeyond(accountId)) ? await read() : known
    return chosen.map(({ person, tier }) => {
      return { id: person.id, tier, reason: TIME_UP, isPublished: person.published_email !== null }
    })
  }

  /** Answers whether somebody may have been added. */
  async #lookBeyond(accountId: string): Promise<boolean> {
    const { workspaceId, role, signal } = this.#scope
    if (!role) return false
    try {
      const sources = await findPeopleBeyondRoster(this.#parts, workspaceId, accountId, role, this.#beyond)
      for (const { name, reason } of sources) if (reason) this.#report(accountId, sentence(name, reason))
      return sources.some(({ people }) => people > 0)
    } catch (error) {
      if (signal.aborted || !this.#beyond.aborted) throw error
      this.#report(accountId, 'The time was up before everything beyond the roster was searched.')
      return true
    }
  }

  /** One after the other: a domain's mail server is asked one question at a time anyway, and the first may settle all. */
  async #proveAddresses(hits: readonly SearchHit[]): Promise<void> {
    const { workspaceId, signal } = this.#scope
    let unverifiable: string | null = null
    let isLater = false
    for (const hit of hits) {
      // The mail server tells of nobody: only what the company publishes can be proven there.
      if (unverifiable === null || hit.isPublished) {
        const { reason, whole_domain, later } = await lookUpEmail(this.#parts, workspaceId, hit.id, signal)
        hit.reason = reason ?? TIME_UP
        if (whole_domain) unverifiable ??= hit.reason
        isLater = later || (unverifiable !== null && isLater)
        if (!later) continue
      } else hit.reason = unverifiable
      // It may tell later, also of those it was not asked about now.
      if (isLater) await scheduleEmailRecheck(this.#parts, workspaceId, hit.id)
    }
  }

  /** Loads the roster if it was never loaded or long ago. People who are known can be found even when that fails. */
  async #refresh(accountId: string): Promise<void> {
    const { config, db, now } = this.#parts
    const { workspaceId, signal } = this.#scope
    const roster = await findRoster(db, workspaceId, accountId)
    const age = roster ? now().getTime() - Date.parse(roster.synced_at) : Number.POSITIVE_INFINITY
    // What a source could not bring then it may bring now.
    const isWhole = roster?.sources.every(({ reason }) => reason === null)
    if (isWhole && age < config.ROSTER_MAX_AGE_DAYS * 86_400_000) return
    try {
      const { sources } = await syncRoster(this.#parts, workspaceId, accountId, signal)
      for (const { name, reason } of sources) if (reason) this.#report(accountId, sentence(name, reason))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
      const reasons = error.details?.map(({ path, message }) => sentence(path, message)) ?? [error.message]
      for (const reason of reasons) this.#report(accountId, reason)
    }
  }

  /** The roster and the look beyond it may fail by the same source, which is said once. */
  #report(accountId: string, message: string): void {
    this.#cut ||= this.#scope.signal.aborted
    const isSaid = this.problems.some((one) => one.account_id === accountId && one.message === message)
    if (!isSaid) this.problems.push({ account_id: accountId, message })
  }
}

/** Most vendors say themselves who they are. */
const sentence = (name: string, reason: string) => (reason.startsWith(name) ? reason : `${name}: ${reason}`)

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

/** A found person; `reason` states why no email address is verified. */
export type SearchHit = { id: string; tier: number; reason: string; isPublished: boolean }

const TIME_UP = 'The search timed out before an address could be verified.'
/** Part of the time budget for searching beyond rosters; addresses are verified afterwards. */
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

  /** Returns hits by tier and, within a tier, in the order of the accounts, independent of which finished first. */
  hitsOf(accountIds: readonly string[]): SearchHit[] {
    return accountIds.flatMap((id) => this.#hits.get(id) ?? []).sort((a, b) => a.tier - b.tier)
  }

  /** Whether every account was searched and the address of every hit looked up. */
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
      if (signal.aborted) return this.#report(accountId, 'The search timed out before this account was searched.')
      await this.#search(accountId)
    } catch (error) {
      if (signal.aborted) return this.#report(accountId, 'The search timed out while this account was searched.')
      // The account was deleted or deactivated concurrently, or its sources failed: the message is for the caller.
      if (error instanceof AppError && error.code !== 'internal') return this.#report(accountId, error.message)
      this.#parts.log.error({ err: error, account_id: accountId }, 'a people search failed at one account')
      this.#report(accountId, 'The search failed at this account.')
    }
  }

  async #search(accountId: string): Promise<void> {
    const { db } = this.#parts
    const { workspaceId, id } = this.#scope
    await this.#refresh(accountId)
    const hits = await this.#choose(accountId)
    // Saved before addresses are looked up, so that hits remain when the search times out.
    if (hits.length > 0) await db.transaction().execute((db) => saveSearchHits(db, workspaceId, id, hits))
    this.#hits.set(accountId, hits)
    this.searched++
    await this.#proveAddresses(hits)
  }

  /** Chooses people from the roster and, if it has few with the ideal role, from sources beyond it. */
  async #choose(accountId: string): Promise<SearchHit[]> {
    const { db } = this.#parts
    const { workspaceId, cascade, role } = this.#scope
    const read = async () => choosePeople(cascade, await findCandidates(db, workspaceId, accountId))
    const known = await read()
    const isEnough = known.filter(({ tier }) => tier === 1).length >= ENOUGH_HITS
    const chosen = role && !isEnough && (await this.#searchBeyondRoster(accountId)) ? await read() : known
    return chosen.map(({ person, tier }) => {
      return { id: person.id, tier, reason: TIME_UP, isPublished: person.published_email !== null }
    })
  }

  /** Returns whether people may have been added. */
  async #searchBeyondRoster(accountId: string): Promise<boolean> {
    const { workspaceId, role, signal } = this.#scope
    if (!role) return false
    try {
      const sources = await findPeopleBeyondRoster(this.#parts, workspaceId, accountId, role, this.#beyond)
      for (const { name, reason } of sources) if (reason) this.#report(accountId, sentence(name, reason))
      return sources.some(({ people }) => people > 0)
    } catch (error) {
      if (signal.aborted || !this.#beyond.aborted) throw error
      this.#report(accountId, 'The search timed out before all sources beyond the roster were searched.')
      return true
    }
  }

  /** Runs sequentially, because a mail server gets one request at a time and the first result may apply to the whole domain. */
  async #proveAddresses(hits: readonly SearchHit[]): Promise<void> {
    const { workspaceId, signal } = this.#scope
    let unverifiable: string | null = null
    let isLater = false
    for (const hit of hits) {
      // The mail server verifies no address of the domain: only published addresses can be verified.
      if (unverifiable === null || hit.isPublished) {
        const { reason, whole_domain, later } = await lookUpEmail(this.#parts, workspaceId, hit.id, signal)
        hit.reason = reason ?? TIME_UP
        if (whole_domain) unverifiable ??= hit.reason
        isLater = later || (unverifiable !== null && isLater)
        if (!later) continue
      } else hit.reason = unverifiable
      // The server may answer later, also for addresses that were not checked now.
      if (isLater) await scheduleEmailRecheck(this.#parts, workspaceId, hit.id)
    }
  }

  /** Loads a missing or outdated roster. Stored people can be found even when loading fails. */
  async #refresh(accountId: string): Promise<void> {
    const { config, db, now } = this.#parts
    const { workspaceId, signal } = this.#scope
    const roster = await findRoster(db, workspaceId, accountId)
    const age = roster ? now().getTime() - Date.parse(roster.synced_at) : Number.POSITIVE_INFINITY
    // A source that failed the last time may work now.
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

  /** Reports a problem once, because the roster and the search beyond it may fail at the same source. */
  #report(accountId: string, message: string): void {
    this.#cut ||= this.#scope.signal.aborted
    const isReported = this.problems.some((one) => one.account_id === accountId && one.message === message)
    if (!isReported) this.problems.push({ account_id: accountId, message })
  }
}

/** Most error messages of vendors already begin with the vendor's name. */
const sentence = (name: string, reason: string) => (reason.startsWith(name) ? reason : `${name}: ${reason}`)

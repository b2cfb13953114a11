import type { Deps } from '../../deps.ts'
import { type Cascade, compileCascade, matchCascade } from '../../engine/cascade/index.ts'
import { JOB_LEVELS } from '../../engine/titles/index.ts'
import { AppError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import type { Viewer } from '../../member.ts'
import { compileWithLlm } from '../../providers/llm/cascade.ts'
import { forProviders, type ProviderParts } from '../../providers/types.ts'
import type { SavedPerson } from '../../resources/people/store.ts'
import { lookUpEmail } from '../email/look-up-email.ts'
import { recheckLater } from '../email/recheck.job.ts'
import { findRoster } from '../roster/roster-store.ts'
import { syncRoster } from '../roster/sync.ts'
import { findCandidates, findPeopleByIds, findSearchableAccounts, saveHits } from './search-store.ts'

type Parts = Pick<Deps, 'db' | 'jobs' | 'secrets'> & ProviderParts
type Request = { query: string; account_ids?: string[]; max_accounts?: number }
type Hit = { id: string; tier: number; isPublished: boolean }
type Problem = { account_id: string; message: string }

const DEFAULT_ACCOUNTS = 20
const MAX_ACCOUNTS = 50
/** A tier is not gone down to when those above have brought so many at an account. */
const ENOUGH = 3
/** Of a tier that fits half a company, so many are taken at an account. */
const MAX_HITS = 10
/** Kept back from the budget for the answer itself. */
const RESERVE_MS = 500
/** A language model that takes longer would take the time from the search. */
const COMPILE_MS = 15_000

/**
 * Finds people at active accounts: the request becomes a cascade of tiers, which is run at each account until enough
 * are found; hits are saved with their tier and get a verified work email where there is one. One broken account does
 * not end the search, and at the end of the time it answers with what it has; both are said. Throws
 * account_not_searchable naming the accounts that cannot be searched.
 */
export async function find(parts: Parts, viewer: Viewer, request: Request) {
  const { config, db } = parts
  const { accountIds, left } = await accountsFor(parts, viewer, request)
  const signal = AbortSignal.timeout(Math.max(config.FIND_BUDGET_SECONDS * 1000 - RESERVE_MS, RESERVE_MS))
  const cascade = await compile(parts, request.query, signal)
  const search = new Search(parts, viewer.workspace_id, cascade, signal)
  await search.run(accountIds)
  search.leave(left)
  const contacts = await contactsOf(db, viewer.workspace_id, search.hitsOf(accountIds))
  return {
    found: contacts.length,
    accountsSearched: search.searched,
    tiers: cascade.tiers.length,
    cascade: cascade.tiers.map(({ tier, label, titles, job_levels }) => ({ tier, label, titles, job_levels })),
    contacts,
    complete: search.isComplete,
    problems: search.problems,
  }
}

/** By the language model where there is one and it answers in time, otherwise by the service itself. */
async function compile(parts: Parts, query: string, signal: AbortSignal): Promise<Cascade> {
  const { config, log } = parts
  // Most of a short budget stays for the search.
  const limit = Math.min(COMPILE_MS, (config.FIND_BUDGET_SECONDS * 1000) / 4)
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(limit)])
  const compiled = await compileWithLlm(forProviders(parts, bounded), query).catch((err: unknown) => {
    log.warn({ err }, 'the language model did not compile the request for people in time')
    return null
  })
  return compiled ?? compileCascade(query)
}

/**
 * The accounts named, all of which must be searchable, or the latest active ones; and those named that are more than
 * one call searches. Throws account_not_searchable.
 */
async function accountsFor({ db }: Parts, viewer: Viewer, { account_ids, max_accounts }: Request) {
  const limit = Math.min(max_accounts ?? DEFAULT_ACCOUNTS, MAX_ACCOUNTS)
  if (!account_ids) {
    const latest = await findSearchableAccounts(db, viewer, { limit })
    return { accountIds: latest.map(({ id }) => id), left: [] }
  }
  const found = await findSearchableAccounts(db, viewer, { ids: account_ids.filter(isId) })
  const searchable = new Set(found.map(({ id }) => id))
  const named = [...new Set(account_ids)]
  const others = named.filter((id) => !searchable.has(id.toLowerCase()))
  if (others.length > 0) {
    throw new AppError(
      'account_not_searchable',
      'Some accounts cannot be searched: they are not active, or not there for you.',
      { details: others.slice(0, 100).map((id) => ({ path: 'account_ids', message: id })) },
    )
  }
  const all = [...new Set(named.map((id) => id.toLowerCase()))]
  return { accountIds: all.slice(0, limit), left: all.slice(limit) }
}

/** Runs a cascade over accounts. */
class Search {
  readonly problems: Problem[] = []
  searched = 0
  readonly #parts: Parts
  readonly #workspaceId: string
  readonly #cascade: Cascade
  readonly #signal: AbortSignal
  readonly #hits = new Map<string, Hit[]>()
  #cut = false

  constructor(parts: Parts, workspaceId: string, cascade: Cascade, signal: AbortSignal) {
    this.#parts = parts
    this.#workspaceId = workspaceId
    this.#cascade = cascade
    this.#signal = signal
  }

  /** Tier by tier; in a tier in the order of the accounts, whichever of them answered first. */
  hitsOf(accountIds: readonly string[]): Hit[] {
    return accountIds.flatMap((id) => this.#hits.get(id) ?? []).sort((a, b) => a.tier - b.tier)
  }

  /** Every account was searched and every hit's address looked up. */
  get isComplete(): boolean {
    return !this.#cut && this.problems.length === 0
  }

  async run(accountIds: readonly string[]): Promise<void> {
    const waiting = [...accountIds]
    const work = async () => {
      for (let id = waiting.shift(); id; id = waiting.shift()) await this.#searchSafely(id)
    }
    const { FIND_CONCURRENCY } = this.#parts.config
    await Promise.all(Array.from({ length: Math.min(FIND_CONCURRENCY, accountIds.length) }, work))
  }

  /** Says of accounts that they were named and are not searched in this call. */
  leave(accountIds: readonly string[]): void {
    for (const id of accountIds) this.#report(id, 'Not searched: more accounts were named than max_accounts.')
  }

  async #searchSafely(accountId: string): Promise<void> {
    try {
      if (this.#signal.aborted) return this.#report(accountId, 'The time was up before this account was searched.')
      await this.#search(accountId)
    } catch (error) {
      if (this.#signal.aborted) return this.#report(accountId, 'The time was up while this account was searched.')
      // Deleted or deactivated meanwhile, or its sources failed: said in the error's own words.
      if (error instanceof AppError && error.code !== 'internal') return this.#report(accountId, error.message)
      this.#parts.log.error({ err: error, account_id: accountId }, 'a search broke at one account')
      this.#report(accountId, 'The search failed at this account.')
    }
  }

  async #search(accountId: string): Promise<void> {
    await this.#refresh(accountId)
    const { db } = this.#parts
    const hits = this.#match(await findCandidates(db, this.#workspaceId, accountId))
    // Saved before addresses are looked for: what was found stays found when the time is up.
    if (hits.length > 0) await saveHits(db, this.#workspaceId, hits)
    this.#hits.set(accountId, hits)
    this.searched++
    let isDomainUnverifiable = false
    let isLater = false
    for (const { id, isPublished } of hits) {
      // The mail server tells of nobody: only what the company publishes can be proven there.
      if (!isDomainUnverifiable || isPublished) {
        const { whole_domain, later } = await lookUpEmail(this.#parts, this.#workspaceId, id, this.#signal)
        isDomainUnverifiable ||= whole_domain
        isLater = later || (isDomainUnverifiable && isLater)
        if (!later) continue
      }
      // It may tell later, also of those it was not asked about now.
      if (isLater) await recheckLater(this.#parts, this.#workspaceId, id)
    }
  }

  /** Loads the roster if it was never loaded or long ago. People who are known can be found even when that fails. */
  async #refresh(accountId: string): Promise<void> {
    const { config, db, now } = this.#parts
    const roster = await findRoster(db, this.#workspaceId, accountId)
    const age = roster ? now().getTime() - Date.parse(roster.synced_at) : Number.POSITIVE_INFINITY
    // What a source could not bring then it may bring now.
    const isWhole = roster?.sources.every(({ outcome }) => outcome !== 'failed')
    if (isWhole && age < config.ROSTER_MAX_AGE_DAYS * 86_400_000) return
    try {
      const { sources } = await syncRoster(this.#parts, this.#workspaceId, accountId, this.#signal)
      const failed = sources.filter(({ outcome }) => outcome === 'failed')
      for (const { name, reason } of failed) this.#report(accountId, `${name}: ${reason}`)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
      this.#report(accountId, error.message)
    }
  }

  /** Tier by tier until enough are found; in a tier those closest to the personas first, then the most senior. */
  #match(people: Awaited<ReturnType<typeof findCandidates>>): Hit[] {
    const matched = people.flatMap((person) => {
      const tier = matchCascade(this.#cascade, { ...person, title: person.title ?? '' })
      return tier ? [{ ...person, tier: tier.tier }] : []
    })
    const hits: typeof matched = []
    for (const { tier } of this.#cascade.tiers) {
      if (hits.length >= ENOUGH) break
      hits.push(...matched.filter((person) => person.tier === tier).sort(byCloseness))
    }
    return hits
      .slice(0, MAX_HITS)
      .map(({ id, tier, published_email }) => ({ id, tier, isPublished: published_email !== null }))
  }

  #report(accountId: string, message: string): void {
    this.#cut ||= this.#signal.aborted
    this.problems.push({ account_id: accountId, message })
  }
}

type Ranked = { ranking: number | null; job_level: (typeof JOB_LEVELS)[number] | null; full_name: string }

function byCloseness(a: Ranked, b: Ranked): number {
  const level = ({ job_level }: Ranked) => (job_level ? JOB_LEVELS.indexOf(job_level) : JOB_LEVELS.length)
  return (a.ranking ?? 9) - (b.ranking ?? 9) || level(a) - level(b) || (a.full_name < b.full_name ? -1 : 1)
}

/** The hits as they are stored now, without those erased meanwhile; the tier is this search's, whatever another saved. */
async function contactsOf(db: Parts['db'], workspaceId: string, hits: readonly Hit[]): Promise<SavedPerson[]> {
  const stored = await findPeopleByIds(
    db,
    workspaceId,
    hits.map(({ id }) => id),
  )
  const byId = new Map(stored.map((person) => [person.id, person]))
  return hits.flatMap(({ id, tier }) => {
    const person = byId.get(id)
    return person ? [{ ...person, icp_tier: tier }] : []
  })
}

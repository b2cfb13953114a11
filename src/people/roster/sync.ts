import type { RosterSource } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { findPersonas } from '../../engine/cascade/personas.ts'
import { GENERIC_OFFICER_TITLE } from '../../engine/filings/officers.ts'
import { EMPTY_LIST, type SerializedList } from '../../engine/json/serialized-list.ts'
import type { Roster } from '../../engine/roster/index.ts'
import type { FoundPerson, SourceRoster } from '../../engine/roster/types.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { countryCode } from '../../providers/countries.ts'
import { PEOPLE_SOURCES } from '../../providers/people-data/index.ts'
import {
  type PeopleSource,
  type ProviderDeps,
  type ProviderParts,
  type RosterResult,
  toProviderDeps,
} from '../../providers/types.ts'
import { getActiveAccount, lockAccount } from '../../resources/accounts/store.ts'
import { listSections } from '../../resources/knowledge-base/store.ts'
import { refreshWorkItem } from '../../resources/work-items/rank.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { isoDate } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import { parseBatches } from '../../shared/event-loop.ts'
import { isId } from '../../shared/ids.ts'
import { lookUpOnce, rethrowTimeout } from '../lookup.ts'
import { savePeople } from '../save.ts'
import { recordArrivals, recordRosterChanges } from './moves.ts'
import {
  changeIdentities,
  clearLeftOn,
  clearPublishedEmails,
  findKnownPeople,
  findRoster,
  saveRoster,
} from './roster-store.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'jobs'> & ProviderParts
type Account = Awaited<ReturnType<typeof getActiveAccount>>

/** Time limit for a caller; a source that has not responded by then counts as failed. */
const SYNC_MS = 110_000

/**
 * Loads or refreshes the roster of an active account from every enabled source. Idempotent; concurrent calls share one
 * load. Throws not_found, account_not_active, and unavailable when no source could be read.
 */
export async function syncRoster(parts: Parts, workspaceId: string, accountId: string, signal?: AbortSignal) {
  const { db } = parts
  if (!isId(accountId)) throw new AppError('not_found', 'No such account in this workspace.')
  const account = await getActiveAccount(db, workspaceId, accountId)
  const before = (await findRoster(db, workspaceId, account.id))?.synced_at
  const limit = AbortSignal.timeout(SYNC_MS)
  const bounded = signal ? AbortSignal.any([signal, limit]) : limit
  const { account_id, synced, sources } = await lookUpOnce(parts, workspaceId, {
    subject: `roster:${account.id}`,
    signal: bounded,
    known: async () => {
      const roster = await findRoster(db, workspaceId, account.id)
      return roster && roster.synced_at !== before ? roster : null
    },
    run: async () => {
      const { synced, report } = await load(parts, workspaceId, account, bounded)
      return saveRoster(db, workspaceId, account.id, synced, report)
    },
  }).catch(rethrowTimeout(bounded))
  return { account_id, synced, sources }
}

/**
 * Reads the people on the company's own pages without querying other sources, after a page changed. Throws not_found,
 * account_not_active, and unavailable when the pages could not be read.
 */
export async function rereadCompanyPages(parts: Parts, workspaceId: string, accountId: string, signal: AbortSignal) {
  const account = await getActiveAccount(parts.db, workspaceId, accountId)
  await load(parts, workspaceId, account, AbortSignal.any([signal, AbortSignal.timeout(SYNC_MS)]), ({ own }) => own)
}

/** Returns the number of stored people and the outcome of each source. */
async function load(
  parts: Parts,
  workspaceId: string,
  account: Account,
  signal: AbortSignal,
  isIncluded: (source: PeopleSource) => boolean = () => true,
) {
  const sources = PEOPLE_SOURCES.filter((source) => source.isOn(parts.config) && isIncluded(source))
  if (sources.length === 0) {
    throw new AppError('unavailable', 'No source of people is enabled. Add website to SOURCES or set PDL_API_KEY.')
  }
  const deps = toProviderDeps(parts, signal)
  const company = { name: account.name, domain: account.domain }
  const responses = await Promise.all(
    sources.map((source) => querySource(deps, source.name, () => source.roster(deps, company))),
  )
  const pages = responses.flatMap((response) => (response.outcome === 'items' ? (response.pages ?? []) : []))
  const made = await combine(parts, workspaceId, account, { sources, responses, pages, signal })
  if (made.responses.every(({ outcome }) => outcome === 'failed')) {
    throw new AppError('unavailable', 'None of the sources could be read. Nothing was changed.', {
      details: sources.map(({ name }, at) => ({ path: name, message: reasonOf(made.responses[at]) ?? '' })),
    })
  }
  const synced = made.roster ? await store(parts, workspaceId, account, made.roster) : 0
  return { synced, report: sources.map(({ name }, at) => sourceReport(name, made.responses[at])) }
}

type Loading = {
  sources: readonly PeopleSource[]
  responses: RosterResult[]
  pages: readonly string[]
  signal: AbortSignal
}

/**
 * Merges the responses into one roster. If that exceeds a limit, the company's own pages, whose content is untrusted, count
 * as failed and the merge is retried without them; if that fails too, all sources count as failed. Returns the roster and
 * the responses with these failures.
 */
async function combine(parts: Parts, workspaceId: string, account: Account, loading: Loading) {
  const { sources, pages, signal } = loading
  let responses = loading.responses
  for (const isBlamed of [({ own }: PeopleSource) => own, () => true]) {
    const brought = rostersBySource(sources, responses)
    if (responses.every(({ outcome }) => outcome === 'failed')) break
    const roster = await buildRosterInThread(parts, workspaceId, account, { brought, pages: [...pages], signal })
    if (!(roster instanceof LimitExceeded)) return { roster, responses }
    const { reason } = roster
    parts.log.warn({ account_id: account.id, reason }, 'a roster could not be built')
    responses = responses.map((response, at) =>
      response.outcome === 'items' && isBlamed(sources[at] as PeopleSource) ? { outcome: 'failed', reason } : response,
    )
  }
  return { roster: null, responses }
}

/** Builds a roster in a worker thread, because a page can list thousands of people that have to be compared with each other. */
export async function buildRosterInThread(
  { db, parserPool }: Pick<Parts, 'db' | 'parserPool'>,
  workspaceId: string,
  account: Account,
  made: { brought: SourceRoster[]; pages?: string[]; only_unknown?: boolean; signal: AbortSignal },
): Promise<Roster | LimitExceeded> {
  const { brought, pages = [], only_unknown = false, signal } = made
  const task = {
    ...{ brought, pages, only_unknown },
    company: { domain: account.domain, country_code: countryCode(account.country) },
    known: await findKnownPeople(db, workspaceId, account.id),
    personas: findPersonas(await listSections(db, workspaceId)),
  }
  return parserPool.run('roster', task, { from: `roster ${account.domain ?? account.name}`, signal })
}

async function store(parts: Parts, workspaceId: string, account: Account, roster: Roster): Promise<number> {
  const { db, secrets } = parts
  const { adopted, returned, withdrawn } = roster
  const today = isoDate(parts.now())
  let synced = 0
  let isFirst = true
  // An empty roster still shows who left.
  for await (const batch of roster.people.size > 0 ? parseBatches(roster.people) : [[]]) {
    const people = batch.map(({ person }) => ({ ...person, account_id: account.id }))
    synced += await db.transaction().execute(async (db) => {
      // An erasure also locks the workspace first; the same order avoids a deadlock.
      await lockWorkspaceShared(db, workspaceId)
      // A concurrent deletion of the account happens entirely before or after this.
      await lockAccount(db, workspaceId, account.id)
      if (isFirst && adopted.length > 0) await changeIdentities(db, workspaceId, adopted)
      if (isFirst && returned.length > 0) await clearLeftOn(db, workspaceId, returned)
      if (isFirst && withdrawn.length > 0) await clearPublishedEmails(db, workspaceId, withdrawn)
      if (isFirst) await recordRosterChanges({ ...parts, db }, workspaceId, account, roster, today)
      const saved = await savePeople({ db, secrets }, workspaceId, 'employee', people)
      await recordArrivals({ ...parts, db }, workspaceId, account, batch, saved, today)
      await refreshWorkItem({ ...parts, db }, workspaceId, account.id)
      return saved.length
    })
    isFirst = false
  }
  return synced
}

/** Queries a source. An error is reported as a failed outcome and does not affect the other sources. */
export async function querySource(
  deps: ProviderDeps,
  source: string,
  query: () => Promise<RosterResult>,
): Promise<RosterResult> {
  try {
    return await query()
  } catch (error) {
    const isLate = error instanceof OutboundError && error.kind === 'aborted'
    if (!isLate) deps.log.error({ err: error, source }, 'a source of people failed')
    return { outcome: 'failed', reason: isLate ? 'It did not respond in time.' : 'It could not be read.' }
  }
}

/** Returns the outcome of a source in the stored and public form. */
export function sourceReport(name: string, found: RosterResult | undefined): RosterSource {
  return { name, outcome: found?.outcome ?? 'nothing', people: peopleOf(found).size, reason: reasonOf(found) }
}

/** Returns the people of each source. */
export function rostersBySource(
  sources: readonly Pick<PeopleSource, 'name' | 'own'>[],
  responses: readonly RosterResult[],
) {
  return sources.map(
    ({ name, own }, at): SourceRoster => ({
      source: name,
      own,
      generic: GENERIC_OFFICER_TITLE,
      people: peopleOf(responses[at]),
    }),
  )
}

const peopleOf = (found: RosterResult | undefined): SerializedList<FoundPerson> =>
  found?.outcome === 'items' ? found.people : EMPTY_LIST
const reasonOf = (found: RosterResult | undefined) =>
  found && found.outcome !== 'nothing' ? (found.reason ?? null) : null

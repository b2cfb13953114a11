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
import { shareWorkspace } from '../../resources/workspaces/store.ts'
import { isoDate } from '../../shared/days.ts'
import { AppError } from '../../shared/errors.ts'
import { externalBatches } from '../../shared/event-loop.ts'
import { isId } from '../../shared/ids.ts'
import { lookUpOnce, tookTooLong } from '../lookup.ts'
import { savePeople } from '../save.ts'
import { noteKnown, noteNew } from './moves.ts'
import {
  changeIdentities,
  clearLeftOn,
  findKnownPeople,
  findRoster,
  saveRoster,
  withdrawAddresses,
} from './roster-store.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'jobs'> & ProviderParts
type Account = Awaited<ReturnType<typeof getActiveAccount>>

/** A caller waits no longer; what a source has not answered by then counts as failed. */
const SYNC_MS = 110_000

/**
 * Loads or refreshes the roster of an active account from every source that is on. Loading twice changes nothing; two
 * loads at once are one. Throws not_found, account_not_active, and unavailable when no source could be read.
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
  }).catch(tookTooLong(bounded))
  return { account_id, synced, sources }
}

/**
 * Reads who the company's own pages show, without asking anybody else: what a page that has changed tells of who came and left.
 * Throws not_found, account_not_active, and unavailable when the pages could not be read.
 */
export async function rereadOwnPages(parts: Parts, workspaceId: string, accountId: string, signal: AbortSignal) {
  const account = await getActiveAccount(parts.db, workspaceId, accountId)
  await load(parts, workspaceId, account, AbortSignal.any([signal, AbortSignal.timeout(SYNC_MS)]), ({ own }) => own)
}

/** Answers how many people were stored, and how each source fared. */
async function load(
  parts: Parts,
  workspaceId: string,
  account: Account,
  signal: AbortSignal,
  isAsked: (source: PeopleSource) => boolean = () => true,
) {
  const sources = PEOPLE_SOURCES.filter((source) => source.isOn(parts.config) && isAsked(source))
  if (sources.length === 0) {
    throw new AppError('unavailable', 'No source of people is switched on. Add website to SOURCES or set PDL_API_KEY.')
  }
  const deps = toProviderDeps(parts, signal)
  const company = { name: account.name, domain: account.domain }
  const answers = await Promise.all(
    sources.map((source) => askSource(deps, source.name, () => source.roster(deps, company))),
  )
  const pages = answers.flatMap((answer) => (answer.outcome === 'items' ? (answer.pages ?? []) : []))
  const made = await combine(parts, workspaceId, account, { sources, answers, pages, signal })
  if (made.answers.every(({ outcome }) => outcome === 'failed')) {
    throw new AppError('unavailable', 'None of the sources could be read. Nothing was changed.', {
      details: sources.map(({ name }, at) => ({ path: name, message: reasonOf(made.answers[at]) ?? '' })),
    })
  }
  const synced = made.roster ? await store(parts, workspaceId, account, made.roster) : 0
  return { synced, report: sources.map(({ name }, at) => reportOf(name, made.answers[at])) }
}

type Loading = {
  sources: readonly PeopleSource[]
  answers: RosterResult[]
  pages: readonly string[]
  signal: AbortSignal
}

/**
 * Makes one roster of the answers. Where that takes too much, the company's own pages, which anybody can write, have failed, and
 * it is tried once more without them; then all have. Answers the roster, and the answers with these failures.
 */
async function combine(parts: Parts, workspaceId: string, account: Account, loading: Loading) {
  const { sources, pages, signal } = loading
  let answers = loading.answers
  for (const isBlamed of [({ own }: PeopleSource) => own, () => true]) {
    const brought = broughtBy(sources, answers)
    if (answers.every(({ outcome }) => outcome === 'failed')) break
    const roster = await makeRosterInThread(parts, workspaceId, account, { brought, pages: [...pages], signal })
    if (!(roster instanceof LimitExceeded)) return { roster, answers }
    const { reason } = roster
    parts.log.warn({ account_id: account.id, reason }, 'a roster could not be made')
    answers = answers.map((answer, at) =>
      answer.outcome === 'items' && isBlamed(sources[at] as PeopleSource) ? { outcome: 'failed', reason } : answer,
    )
  }
  return { roster: null, answers }
}

/** Makes a roster in a reading thread: a page can show thousands of people made to be compared with each other. */
export async function makeRosterInThread(
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
  // A roster of nobody still tells who is gone.
  for await (const batch of roster.people.size > 0 ? externalBatches(roster.people) : [[]]) {
    const people = batch.map(({ person }) => ({ ...person, account_id: account.id }))
    synced += await db.transaction().execute(async (db) => {
      // Locks in the order of an erasure, which takes the workspace first, to avoid a deadlock.
      await shareWorkspace(db, workspaceId)
      // The account may be deleted meanwhile: that comes wholly before or after.
      await lockAccount(db, workspaceId, account.id)
      if (isFirst && adopted.length > 0) await changeIdentities(db, workspaceId, adopted)
      if (isFirst && returned.length > 0) await clearLeftOn(db, workspaceId, returned)
      if (isFirst && withdrawn.length > 0) await withdrawAddresses(db, workspaceId, withdrawn)
      if (isFirst) await noteKnown({ ...parts, db }, workspaceId, account, roster, today)
      const saved = await savePeople({ db, secrets }, workspaceId, 'employee', people)
      await noteNew({ ...parts, db }, workspaceId, account, batch, saved, today)
      return saved.length
    })
    isFirst = false
  }
  return synced
}

/** One source that breaks is reported as failed and does not end the others. */
export async function askSource(
  deps: ProviderDeps,
  source: string,
  look: () => Promise<RosterResult>,
): Promise<RosterResult> {
  try {
    return await look()
  } catch (error) {
    const isLate = error instanceof OutboundError && error.kind === 'aborted'
    if (!isLate) deps.log.error({ err: error, source }, 'a source of people broke')
    return { outcome: 'failed', reason: isLate ? 'It did not answer in time.' : 'It could not be read.' }
  }
}

/** How a source fared, as it is kept and shown. */
export function reportOf(name: string, found: RosterResult | undefined): RosterSource {
  return { name, outcome: found?.outcome ?? 'nothing', people: peopleOf(found).size, reason: reasonOf(found) }
}

/** What each source brought. */
export function broughtBy(sources: readonly Pick<PeopleSource, 'name' | 'own'>[], answers: readonly RosterResult[]) {
  return sources.map(
    ({ name, own }, at): SourceRoster => ({
      source: name,
      own,
      generic: GENERIC_OFFICER_TITLE,
      people: peopleOf(answers[at]),
    }),
  )
}

const peopleOf = (found: RosterResult | undefined): SerializedList<FoundPerson> =>
  found?.outcome === 'items' ? found.people : EMPTY_LIST
const reasonOf = (found: RosterResult | undefined) =>
  found && found.outcome !== 'nothing' ? (found.reason ?? null) : null

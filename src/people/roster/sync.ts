import { isoDate } from '../../days.ts'
import type { RosterSource } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { personasOf, rankingFor } from '../../engine/cascade/personas.ts'
import { GENERIC_TITLE } from '../../engine/filings/officers.ts'
import { AppError } from '../../errors.ts'
import { isId } from '../../ids.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { countryCode } from '../../providers/countries.ts'
import { PEOPLE_SOURCES } from '../../providers/people-data/index.ts'
import {
  type Found,
  type FoundPerson,
  type FoundRoster,
  forProviders,
  type PeopleSource,
  type ProviderDeps,
  type ProviderParts,
} from '../../providers/types.ts'
import { getActiveAccount, lockAccount } from '../../resources/accounts/store.ts'
import { listSections } from '../../resources/knowledge-base/store.ts'
import { shareWorkspace } from '../../resources/workspaces/store.ts'
import { lookUpOnce, tookTooLong } from '../lookup.ts'
import { savePeople } from '../save.ts'
import { noteKnown, noteNew } from './moves.ts'
import { makeRoster, type SourceRoster } from './roster.ts'
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

/** A statement of so many people is a few hundred kilobytes. */
const BATCH = 1_000
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
  const deps = forProviders(parts, signal)
  const company = { name: account.name, domain: account.domain }
  const answers = await Promise.all(
    sources.map((source) => askSource(deps, source.name, () => source.roster(deps, company))),
  )
  if (answers.every(({ outcome }) => outcome === 'failed')) {
    throw new AppError('unavailable', 'None of the sources could be read. Nothing was changed.', {
      details: sources.map(({ name }, at) => ({ path: name, message: reasonOf(answers[at]) ?? '' })),
    })
  }
  const brought = sources.map(
    ({ name, own }, at): SourceRoster => ({ source: name, own, generic: GENERIC_TITLE, people: peopleOf(answers[at]) }),
  )
  const pages = new Set(answers.flatMap(({ pages = [] }) => pages))
  const synced = await store(parts, workspaceId, account, brought, pages)
  return { synced, report: sources.map(({ name }, at) => reportOf(name, answers[at])) }
}

async function store(
  parts: Parts,
  workspaceId: string,
  account: Account,
  brought: SourceRoster[],
  pages: ReadonlySet<string>,
): Promise<number> {
  const { db, secrets } = parts
  const rank = rankingFor(personasOf(await listSections(db, workspaceId)))
  const company = { domain: account.domain, country_code: countryCode(account.country) }
  const known = await findKnownPeople(db, workspaceId, account.id)
  const roster = makeRoster(brought, company, known, rank)
  const { people, adopted, returned, withdrawn } = roster
  const loaded = { known, roster, pages, today: isoDate(parts.now()) }
  let synced = 0
  for (let at = 0; at < people.length || at === 0; at += BATCH) {
    const batch = people.slice(at, at + BATCH).map((person) => ({ ...person, account_id: account.id }))
    synced += await db.transaction().execute(async (db) => {
      // Locks in the order of an erasure, which takes the workspace first, to avoid a deadlock.
      await shareWorkspace(db, workspaceId)
      // Whoever deletes the account meanwhile comes wholly before or after.
      await lockAccount(db, workspaceId, account.id)
      if (at === 0 && adopted.length > 0) await changeIdentities(db, workspaceId, adopted)
      if (at === 0 && returned.length > 0) await clearLeftOn(db, workspaceId, returned)
      if (at === 0 && withdrawn.length > 0) await withdrawAddresses(db, workspaceId, withdrawn)
      if (at === 0) await noteKnown({ ...parts, db }, workspaceId, account, loaded)
      const saved = await savePeople({ db, secrets }, workspaceId, 'employee', batch)
      await noteNew({ ...parts, db }, workspaceId, account, loaded, saved)
      return saved.length
    })
  }
  return synced
}

/** One source that breaks is reported as failed and does not end the others. */
export async function askSource(
  deps: ProviderDeps,
  source: string,
  look: () => Promise<FoundRoster>,
): Promise<FoundRoster> {
  try {
    return await look()
  } catch (error) {
    const isLate = error instanceof OutboundError && error.kind === 'aborted'
    if (!isLate) deps.log.error({ err: error, source }, 'a source of people broke')
    return { outcome: 'failed', reason: isLate ? 'It did not answer in time.' : 'It could not be read.' }
  }
}

/** How a source fared, as it is kept and shown. */
export function reportOf(name: string, found: Found<FoundPerson> | undefined): RosterSource {
  return { name, outcome: found?.outcome ?? 'nothing', people: peopleOf(found).length, reason: reasonOf(found) }
}

export const peopleOf = (found: Found<FoundPerson> | undefined) => (found?.outcome === 'items' ? found.items : [])
const reasonOf = (found: Found<FoundPerson> | undefined) =>
  found && found.outcome !== 'nothing' ? (found.reason ?? null) : null

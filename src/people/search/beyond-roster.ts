import { createHash } from 'node:crypto'
import type { RosterSource } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import { serializeList } from '../../engine/json/serialized-list.ts'
import type { SourceRoster } from '../../engine/roster/types.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { ROLE_SOURCES } from '../../providers/people-data/index.ts'
import { findPeopleInTexts, MAX_MENTION_AGE_DAYS } from '../../providers/people-data/people-in-texts.ts'
import { type ProviderParts, type RoleQuery, toProviderDeps } from '../../providers/types.ts'
import { getActiveAccount, lockAccount } from '../../resources/accounts/store.ts'
import { refreshWorkItem } from '../../resources/work-items/rank.ts'
import { lockWorkspaceShared } from '../../resources/workspaces/store.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { parseBatches } from '../../shared/event-loop.ts'
import { lookUpOnce } from '../lookup.ts'
import { changeIdentities, findRoster } from '../roster/roster-store.ts'
import { buildRosterInThread, querySource, rostersBySource, sourceReport } from '../roster/sync.ts'
import { savePeople } from '../save.ts'
import { findRecentDocuments, findRoleLookup, saveRoleLookup } from './search-store.ts'

type Parts = Pick<Deps, 'db' | 'secrets' | 'jobs'> & ProviderParts
type Account = Awaited<ReturnType<typeof getActiveAccount>>

/** Maximum number of stored documents of an account that are searched, newest first. */
const MAX_TEXTS = 100
const DOCUMENTS = 'documents'

/**
 * Searches for people with a role who are not in the roster: in stored documents about the account, on its site, at vendors
 * and in filings. Adds them with the source that names them. The result of a source that succeeded is valid for as long as a
 * roster; the next search queries only the sources that failed. Returns the outcome of each source. Throws not_found,
 * account_not_active, and the abort reason of the signal.
 */
export async function findPeopleBeyondRoster(
  parts: Parts,
  workspaceId: string,
  accountId: string,
  role: RoleQuery,
  signal: AbortSignal,
): Promise<RosterSource[]> {
  const { db, config, now } = parts
  const key = createHash('sha256').update(role.key).digest('hex')
  const read = () => findRoleLookup(db, workspaceId, accountId, key)
  const before = (await read())?.looked_at
  const { sources } = await lookUpOnce(parts, workspaceId, {
    subject: `role:${accountId}:${key}`,
    signal,
    known: async () => {
      const last = await read()
      if (!last) return null
      const isWhole = last.sources.every(({ reason }) => reason === null)
      const age = now().getTime() - Date.parse(last.looked_at)
      const isFresh = isWhole && age < config.ROSTER_MAX_AGE_DAYS * 86_400_000
      return isFresh || last.looked_at !== before ? last : null
    },
    run: async () => {
      const account = await getActiveAccount(db, workspaceId, accountId)
      const max = config.ROSTER_MAX_AGE_DAYS * 86_400_000
      const kept = (await read())?.sources.filter(
        ({ reason, asked_at }) => reason === null && asked_at && now().getTime() - Date.parse(asked_at) < max,
      )
      const { brought, report } = await querySources(parts, workspaceId, account, role, kept ?? [], signal)
      const failure = await store(parts, workspaceId, account, brought, signal)
      return saveRoleLookup(db, workspaceId, accountId, key, failure ? report.map(failedBy(failure)) : report)
    },
  })
  return sources
}

async function querySources(
  parts: Parts,
  workspaceId: string,
  account: Account,
  role: RoleQuery,
  kept: readonly RosterSource[],
  signal: AbortSignal,
) {
  const { db, config, now } = parts
  const company = { name: account.name, domain: account.domain }
  const roster = await findRoster(db, workspaceId, account.id)
  const sources = ROLE_SOURCES.filter(({ name, isOn, isInRoster }) => {
    const loaded = roster?.sources.find((source) => source.name === name && source.reason === null)
    return isOn(config) && !(loaded && isInRoster?.(config, loaded.people)) && !kept.some((one) => one.name === name)
  })
  const deps = toProviderDeps(parts, signal)
  const responses = await Promise.all(
    sources.map((source) => querySource(deps, source.name, () => source.find(deps, company, role))),
  )
  const since = daysBefore(isoDate(now()), MAX_MENTION_AGE_DAYS)
  const texts = await findRecentDocuments(db, workspaceId, account.id, since, MAX_TEXTS)
  const read: SourceRoster[] = []
  const unread: string[] = []
  for (const [source, group] of Map.groupBy(texts, ({ source }) => source)) {
    const dated = group.map((text) => ({ ...text, own: text.kind === 'filing' }))
    const named = await findPeopleInTexts(deps, dated, company, role)
    read.push({ source, own: false, people: serializeList(named.people) })
    unread.push(...named.reasons)
  }
  const queried = rostersBySource(sources, responses)
  const people = read.reduce((sum, one) => sum + one.people.size, 0)
  const [reason = null] = unread
  const outcome = people > 0 ? 'items' : reason === null ? 'nothing' : 'failed'
  const documents: RosterSource = { name: DOCUMENTS, outcome, people, reason }
  return {
    brought: [...queried, ...read],
    report: [
      ...kept,
      ...sources.map(({ name }, at) => ({ ...sourceReport(name, responses[at]), asked_at: now().toISOString() })),
      documents,
    ],
  }
}

/** Marks sources as failed when their people could not be merged into a roster, so that the next search queries them again. */
const failedBy =
  ({ reason }: LimitExceeded) =>
  (source: RosterSource): RosterSource =>
    source.outcome === 'items' ? { ...source, outcome: 'failed', people: 0, reason } : source

/** Adds people who are not stored yet; stored people are only updated by a roster. Returns the limit exceeded, or null. */
async function store(
  parts: Parts,
  workspaceId: string,
  account: Account,
  brought: SourceRoster[],
  signal: AbortSignal,
): Promise<LimitExceeded | null> {
  const { db, secrets } = parts
  if (brought.every(({ people }) => people.size === 0)) return null
  const roster = await buildRosterInThread(parts, workspaceId, account, { brought, only_unknown: true, signal })
  if (roster instanceof LimitExceeded) return roster
  const { people, adopted } = roster
  if (people.size === 0) return null
  await db.transaction().execute(async (db) => {
    // An erasure also locks the workspace first; the same order avoids a deadlock.
    await lockWorkspaceShared(db, workspaceId)
    await lockAccount(db, workspaceId, account.id)
    if (adopted.length > 0) await changeIdentities(db, workspaceId, adopted)
    for await (const batch of parseBatches(people)) {
      const rows = batch.map(({ person, found }) => ({
        ...person,
        ...{ account_id: account.id, found_source: found.source, found_url: found.url },
      }))
      await savePeople({ db, secrets }, workspaceId, 'waterfall', rows)
    }
    await refreshWorkItem({ ...parts, db }, workspaceId, account.id)
  })
  return null
}

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
import { shareWorkspace } from '../../resources/workspaces/store.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { externalBatches } from '../../shared/event-loop.ts'
import { lookUpOnce } from '../lookup.ts'
import { changeIdentities, findRoster } from '../roster/roster-store.ts'
import { askSource, broughtBy, makeRosterInThread, reportOf } from '../roster/sync.ts'
import { savePeople } from '../save.ts'
import { findRoleLookup, findTexts, saveRoleLookup } from './search-store.ts'

type Parts = Pick<Deps, 'db' | 'secrets'> & ProviderParts
type Account = Awaited<ReturnType<typeof getActiveAccount>>

/** What was read about an account: the latest of two years. */
const MAX_TEXTS = 100
const DOCUMENTS = 'documents'

/**
 * Looks for people with a role whom the roster does not know: in what was read about the account, on its site, with the
 * vendors and in filings. They are added with where they were found. What a source answered wholly holds as long as a
 * roster does; another is asked again by the next look, and it alone. Answers how each source fared. Throws not_found, account_not_active, and what the signal throws.
 */
export async function lookBeyondRoster(
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
      const { brought, report } = await ask(parts, workspaceId, account, role, kept ?? [], signal)
      const failure = await store(parts, workspaceId, account, brought, signal)
      return saveRoleLookup(db, workspaceId, accountId, key, failure ? report.map(failedBy(failure)) : report)
    },
  })
  return sources
}

async function ask(
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
  const answers = await Promise.all(
    sources.map((source) => askSource(deps, source.name, () => source.find(deps, company, role))),
  )
  const since = daysBefore(isoDate(now()), MAX_MENTION_AGE_DAYS)
  const texts = await findTexts(db, workspaceId, account.id, since, MAX_TEXTS)
  const read: SourceRoster[] = []
  const unread: string[] = []
  for (const [source, group] of Map.groupBy(texts, ({ source }) => source)) {
    const dated = group.map((text) => ({ ...text, own: text.kind === 'filing' }))
    const named = await findPeopleInTexts(deps, dated, company, role)
    read.push({ source, own: false, people: serializeList(named.people) })
    unread.push(...named.reasons)
  }
  const asked = broughtBy(sources, answers)
  const people = read.reduce((sum, one) => sum + one.people.size, 0)
  const [reason = null] = unread
  const outcome = people > 0 ? 'items' : reason === null ? 'nothing' : 'failed'
  const documents: RosterSource = { name: DOCUMENTS, outcome, people, reason }
  return {
    brought: [...asked, ...read],
    report: [
      ...kept,
      ...sources.map(({ name }, at) => ({ ...reportOf(name, answers[at]), asked_at: now().toISOString() })),
      documents,
    ],
  }
}

/** What a source brought and could not be made a roster of has failed: it is asked again by the next search. */
const failedBy =
  ({ reason }: LimitExceeded) =>
  (source: RosterSource): RosterSource =>
    source.outcome === 'items' ? { ...source, outcome: 'failed', people: 0, reason } : source

/** Adds those whom nobody knew; what is said about somebody known is the roster's business. Answers why it could not. */
async function store(
  parts: Parts,
  workspaceId: string,
  account: Account,
  brought: SourceRoster[],
  signal: AbortSignal,
): Promise<LimitExceeded | null> {
  const { db, secrets } = parts
  if (brought.every(({ people }) => people.size === 0)) return null
  const roster = await makeRosterInThread(parts, workspaceId, account, { brought, only_unknown: true, signal })
  if (roster instanceof LimitExceeded) return roster
  const { people, adopted } = roster
  if (people.size === 0) return null
  await db.transaction().execute(async (db) => {
    // Locks in the order of an erasure, which takes the workspace first, to avoid a deadlock.
    await shareWorkspace(db, workspaceId)
    await lockAccount(db, workspaceId, account.id)
    if (adopted.length > 0) await changeIdentities(db, workspaceId, adopted)
    for await (const batch of externalBatches(people)) {
      const rows = batch.map(({ person, found }) => ({
        ...person,
        ...{ account_id: account.id, found_source: found.source, found_url: found.url },
      }))
      await savePeople({ db, secrets }, workspaceId, 'waterfall', rows)
    }
  })
  return null
}

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { RosterSource } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import { PERSON_COLUMNS, personComputedFields } from '../../resources/people/store.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'

/** Returns the people at an account who have not left. */
export function findCandidates(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('people')
    .innerJoin('accounts as account', (join) =>
      join.onRef('account.workspace_id', '=', 'people.workspace_id').onRef('account.id', '=', 'people.account_id'),
    )
    .select([
      'people.id',
      'people.full_name',
      'people.title',
      'people.headline',
      'people.location',
      'people.country_code',
      'people.job_level',
      'people.ranking',
      'people.published_email',
      'account.location as account_location',
      'account.country as account_country',
    ])
    .where('people.workspace_id', '=', workspaceId)
    .where('people.account_id', '=', accountId)
    .where('people.left_on', 'is', null)
    .execute()
}

type NewSearch = { id: string; query: string; created_by: string; accounts: number; lastsSeconds: number }

/** Throws invalid_request for an id that is already used. */
export async function insertPeopleSearch(db: Db, workspaceId: string, search: NewSearch): Promise<void> {
  const { lastsSeconds, ...fields } = search
  const ends_by = sql<string>`now() + make_interval(secs => ${lastsSeconds})`
  await db
    .insertInto('people_searches')
    .values({ workspace_id: workspaceId, ...fields, ends_by })
    .execute()
    .catch(onUniqueViolation('people_searches_pkey', idTaken))
}

function idTaken() {
  const message = 'Another search has this id. Send a new search_id.'
  return new AppError('invalid_request', message, { details: [{ path: 'search_id', message }] })
}

/** Increments the number of finished accounts. */
export async function countAccountDone(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('people_searches')
    .set((eb) => ({ accounts_done: eb('accounts_done', '+', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function finishPeopleSearch(
  db: Db,
  workspaceId: string,
  id: string,
  problems: readonly { account_id: string; message: string }[],
): Promise<void> {
  await db
    .updateTable('people_searches')
    .set({ finished_at: sql<string>`now()`, problems: JSON.stringify(problems) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/**
 * Stores the hits of a search with their tiers, sets each person's tier to that of the latest search that returned them,
 * and adds `waterfall` to their sources. Call it in a transaction.
 */
export async function saveSearchHits(
  db: Db,
  workspaceId: string,
  searchId: string,
  hits: { id: string; tier: number }[],
): Promise<void> {
  const ids = hits.map(({ id }) => id)
  // Locks rows in the order in which people are stored, to avoid a deadlock, and before the insert, so that the later of
  // two concurrent searches sees the hits of both.
  await sql`
    select from people where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by account_id::text || ' ' || identity collate "C" for no key update`.execute(db)
  await sql`
    insert into people_search_hits (workspace_id, search_id, person_id, tier)
    select people.workspace_id, ${searchId}::uuid, people.id, hit.tier
    from jsonb_to_recordset(${JSON.stringify(hits)}::jsonb) as hit (id uuid, tier integer)
    join people on people.workspace_id = ${workspaceId} and people.id = hit.id`.execute(db)
  await sql`
    update people set icp_tier = latest.tier,
      sources = case when 'waterfall' = any(sources) then sources else sources || 'waterfall'::text end
    from (
      select distinct on (hits.person_id) hits.person_id, hits.tier
      from people_search_hits as hits
      join people_searches as searches on searches.workspace_id = hits.workspace_id and searches.id = hits.search_id
      where hits.workspace_id = ${workspaceId} and hits.person_id = any(${ids}::uuid[])
      order by hits.person_id, searches.created_at desc, searches.id desc
    ) as latest
    where people.workspace_id = ${workspaceId} and people.id = latest.person_id`.execute(db)
}

/**
 * Returns a search with the people the viewer may see, each with their tier in this search. Throws not_found, for a scoped
 * viewer also for searches of other members.
 */
export async function getPeopleSearch(db: Db, viewer: Viewer, id: string) {
  const search = await db
    .selectFrom('people_searches')
    .select(['id', 'query', 'created_at', 'accounts', 'accounts_done', 'finished_at', 'problems'])
    .select(
      sql<'running' | 'finished' | 'interrupted'>`case when finished_at is not null then 'finished'
        when ends_by > now() then 'running' else 'interrupted' end`.as('state'),
    )
    .where('workspace_id', '=', viewer.workspace_id)
    .where('id', '=', id)
    .$if(viewer.scoped_to !== null, (query) => query.where('created_by', '=', viewer.scoped_to))
    .executeTakeFirst()
  if (!search) throw notFound('search')
  const contacts = await db
    .selectFrom('people')
    .innerJoin('people_search_hits as hits', (join) =>
      join.onRef('hits.workspace_id', '=', 'people.workspace_id').onRef('hits.person_id', '=', 'people.id'),
    )
    .select(PERSON_COLUMNS.map((column) => `people.${column}` as const))
    .select(personComputedFields(viewer.workspace_id))
    .select('hits.tier as icp_tier')
    .where('people.workspace_id', '=', viewer.workspace_id)
    .where('hits.search_id', '=', id)
    .where(visibleTo(viewer))
    .orderBy('hits.tier')
    .orderBy('people.full_name')
    .execute()
  return { ...search, contacts }
}

/** Searches older than this many days, with their hits. */
export const oldSearches = (days: number) =>
  purgeOlderThan({ table: 'people_searches', time: 'created_at', days, batch: 100 })

/** Role lookups older than this many days. */
export const oldRoleLookups = (days: number) => purgeOlderThan({ table: 'role_lookups', time: 'looked_at', days })

/** Returns the last search for a role beyond an account's roster; null before the first. */
export async function findRoleLookup(db: Db, workspaceId: string, accountId: string, role: string) {
  const found = await db
    .selectFrom('role_lookups')
    .select(['looked_at', 'sources'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('role', '=', role)
    .executeTakeFirst()
  return found ?? null
}

export function saveRoleLookup(db: Db, workspaceId: string, accountId: string, role: string, sources: RosterSource[]) {
  const row = { sources: JSON.stringify(sources) }
  return db
    .insertInto('role_lookups')
    .values({ workspace_id: workspaceId, account_id: accountId, role, ...row, looked_at: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'account_id', 'role'])
        .doUpdateSet((eb) => ({ ...row, looked_at: eb.ref('excluded.looked_at') })),
    )
    .returning(['looked_at', 'sources'])
    .executeTakeFirstOrThrow()
}

/** Returns documents about an account that were published since a day, newest first. */
export function findRecentDocuments(db: Db, workspaceId: string, accountId: string, since: string, limit: number) {
  return (
    db
      .selectFrom('documents')
      .select(['url', 'kind', 'source', 'title', 'published_date'])
      // A text names the people it is about near its beginning.
      .select(sql<string>`left(text, 20000)`.as('text'))
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', accountId)
      .where('kind', 'in', ['article', 'mention', 'filing'])
      .where('published_date', '>=', since)
      .orderBy('published_date', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
  )
}

/** Returns the people with these ids that still exist and that the viewer may see. */
export function findPeopleByIds(db: Db, viewer: Viewer, ids: string[]) {
  return db
    .selectFrom('people')
    .select([...PERSON_COLUMNS, 'found_source', 'found_url'])
    .select(personComputedFields(viewer.workspace_id))
    .where('workspace_id', '=', viewer.workspace_id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(visibleTo(viewer))
    .execute()
}

/**
 * Returns active accounts that the viewer may search, latest first; for a scoped viewer only their own. Restricted to
 * `ids`, or to the first `limit`.
 */
export function findSearchableAccounts(
  db: Db,
  { workspace_id, scoped_to }: Viewer,
  { ids, limit }: { ids?: string[]; limit?: number },
) {
  return db
    .selectFrom('accounts')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('status', '=', 'active')
    .$if(scoped_to !== null, (query) => query.where('owner_id', '=', scoped_to))
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<string>`any(${ids}::uuid[])`))
    .orderBy('activated_at', 'desc')
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .execute()
}

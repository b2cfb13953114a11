import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { isFollowed } from '../../people/moves/move-store.ts'

/** First and last word of a name, the same expression as in the index `people_name_ends`. */
const ends = (name: ReturnType<typeof sql>) =>
  sql`regexp_replace(btrim(search_fold(${name})), '^(\\S+)\\s(?:.*\\s)?(\\S+)$', '\\1 \\2')`

/** The limit of people with these names, over all workspaces. */
const MAX_NAMESAKES = 5_000

/** People who may have one of these names, with their companies: of one workspace, or of all where it is null. */
export async function findNamesakes(db: Db, workspaceId: string | null, names: readonly string[]) {
  const { rows } = await sql<{
    workspace_id: string
    id: string
    account_id: string
    full_name: string
    title: string | null
    known_on: string
    company: string
    domain: string | null
  }>`
    select ${workspaceId === null ? sql.raw(ALL_WORKSPACES) : sql``} people.workspace_id, people.id, people.account_id,
      people.full_name, people.title, people.created_at::date::text as known_on, account.name as company, account.domain
    from people join accounts as account
      on account.workspace_id = people.workspace_id and account.id = people.account_id
    where ${ends(sql`people.full_name`)} = any(array(select ${ends(sql`given`)} from unnest(${names}::text[]) as given))
      ${workspaceId === null ? sql`` : sql`and people.workspace_id = ${workspaceId}`}
    order by people.id limit ${MAX_NAMESAKES}`.execute(db)
  return rows
}

/** Whether any workspace has people; otherwise no document needs to be searched for moves. */
export async function hasPeople(db: Db): Promise<boolean> {
  const { rows } = await sql`select ${sql.raw(ALL_WORKSPACES)} 1 from people limit 1`.execute(db)
  return rows.length > 0
}

export type Namesake = Awaited<ReturnType<typeof findNamesakes>>[number]

/** Documents of an account by id that were published since a day. */
export function listDatedDocuments(db: Db, workspaceId: string, ids: readonly string[], since: string) {
  return db
    .selectFrom('documents')
    .select(['url', 'kind', 'source', 'title', 'text', 'published_date'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('published_date', '>=', since)
    .orderBy('id')
    .execute()
}

/**
 * Followed people of a workspace with a profile page, up to a limit, those first whose last check is longest ago; without
 * those checked within these days.
 */
export async function listFollowedPeople(db: Db, workspaceId: string, limit: number, days: number) {
  const { rows } = await sql<{
    id: string
    account_id: string
    full_name: string
    title: string | null
    network_url: string
    company: string
    domain: string | null
    known_on: string
  }>`
    select people.id, people.account_id, people.full_name, people.title, people.network_url, account.name as company,
      account.domain, people.created_at::date::text as known_on
    from people join accounts as account
      on account.workspace_id = people.workspace_id and account.id = people.account_id
    where people.workspace_id = ${workspaceId} and people.network_url is not null
      and (people.followed_at is null or people.followed_at < now() - make_interval(days => ${days}))
      and ${isFollowed(workspaceId)}
    order by people.followed_at nulls first, people.id limit ${limit}`.execute(db)
  return rows
}

export type FollowedPerson = Awaited<ReturnType<typeof listFollowedPeople>>[number]

/** Records that a person was checked. */
export async function markFollowChecked(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('people')
    .set({ followed_at: sql<string>`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

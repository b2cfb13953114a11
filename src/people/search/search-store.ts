import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { raise } from '../../db/list-versions.ts'
import type { Viewer } from '../../member.ts'
import { PERSON_COLUMNS } from '../../resources/people/store.ts'

/** Those at an account a search may find: with a title, and not gone. */
export function findCandidates(db: Db, workspaceId: string, accountId: string) {
  return db
    .selectFrom('people')
    .select(['id', 'full_name', 'title', 'country_code', 'job_level', 'ranking', 'published_email'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('title', 'is not', null)
    .where('left_on', 'is', null)
    .execute()
}

/** Saves hits of a search with their tiers. */
export async function saveHits(db: Db, workspaceId: string, hits: { id: string; tier: number }[]): Promise<void> {
  await sql`
    update people set source = 'waterfall', icp_tier = hit.tier
    from jsonb_to_recordset(${JSON.stringify(hits)}::jsonb) as hit (id uuid, tier integer)
    where people.workspace_id = ${workspaceId} and people.id = hit.id`.execute(db)
  await raise(workspaceId, 'people')(db).execute()
}

/** The people as they are now, for those of the ids that are still there. */
export function findPeopleByIds(db: Db, workspaceId: string, ids: string[]) {
  return db
    .selectFrom('people')
    .select(PERSON_COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/**
 * The accounts that the viewer may search: active ones, and for a scoped viewer their own, the latest first. Those of the
 * given ids, or up to a limit of all.
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

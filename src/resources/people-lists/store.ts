import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { visibleTo } from '../../db/visibility.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'

function selectLists(db: Db, viewer: Viewer) {
  // For an unscoped viewer the members are counted with an index-only scan.
  const members =
    viewer.scoped_to === null
      ? sql`from people_list_members as saved where saved.workspace_id = ${viewer.workspace_id} and saved.list_id = people_lists.id`
      : sql`from people_list_members as saved
            join people on people.workspace_id = saved.workspace_id and people.id = saved.person_id
            where saved.workspace_id = ${viewer.workspace_id} and saved.list_id = people_lists.id and ${visibleTo(viewer)}`
  return db
    .selectFrom('people_lists')
    .select(['id', 'name', 'created_by', 'created_at', sql<number>`(select count(*) ${members})`.as('member_count')])
    .where('workspace_id', '=', viewer.workspace_id)
}

export function listPeopleLists(db: Db, viewer: Viewer) {
  return selectLists(db, viewer).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
}

/** Returns the list with this name, and creates it if needed. Concurrent calls get the same list. */
export async function createList(db: Db, viewer: Viewer, name: string, createdBy: string) {
  for (;;) {
    const made = await db
      .insertInto('people_lists')
      .values({ workspace_id: viewer.workspace_id, id: newId(), name, created_by: createdBy })
      .onConflict((conflict) => conflict.constraint('people_lists_name').doNothing())
      .returning('id')
      .executeTakeFirst()
    const list = await selectLists(db, viewer).where('name', '=', name).executeTakeFirst()
    // Retries when another call deleted the list between the two statements.
    if (list) return { list, created: made?.id === list.id }
  }
}

/** Locks a list for deletion until the transaction ends; inserts of members wait. Throws not_found. */
export async function lockList(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('people_lists')
    .select('created_by')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('list')
  return found
}

export async function deleteListRow(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('people_lists').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Prevents the deletion of a list until the transaction ends. Throws not_found. */
export async function lockListShared(db: Db, workspaceId: string, id: string): Promise<void> {
  const found = await db
    .selectFrom('people_lists')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!found) throw notFound('list')
}

/** Returns those of the ids that belong to people the viewer may see. */
export async function findVisiblePeople(db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('people')
    .select('id')
    .where('workspace_id', '=', viewer.workspace_id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where(visibleTo(viewer))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function addListMembers(db: Db, workspaceId: string, listId: string, ids: string[]): Promise<number> {
  const { rows } = await sql`
    insert into people_list_members (workspace_id, list_id, person_id)
    select ${workspaceId}::uuid, ${listId}::uuid, id from people
    where workspace_id = ${workspaceId} and id = any(${ids.toSorted()}::uuid[]) order by id for key share
    on conflict do nothing returning 1`.execute(db)
  return rows.length
}

export async function removeListMembers(db: Db, workspaceId: string, listId: string, ids: string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('people_list_members')
    .where('workspace_id', '=', workspaceId)
    .where('list_id', '=', listId)
    .where('person_id', '=', sql<string>`any(${ids}::uuid[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { RosterSource } from '../../db/schema.ts'
import { BATCH_ITEMS, type Batch, listFromBatches, type SerializedList } from '../../engine/json/serialized-list.ts'
import type { KnownPerson } from '../../engine/roster/types.ts'

/** Returns the stored people of an account with the fields a roster compares. The list stays serialized, because only a worker thread parses text from pages. */
export async function findKnownPeople(
  db: Db,
  workspaceId: string,
  accountId: string,
): Promise<SerializedList<KnownPerson>> {
  const { rows } = await sql<Batch>`
    select count(*)::integer as size, json_agg(json_build_object('id', id, 'identity', identity, 'full_name', full_name,
      'title', title, 'network_url', network_url, 'left_on', left_on, 'published_email', published_email,
      'shown_url', shown_url, 'shown_title', shown_title) order by id)::text as json
    from (select *, (row_number() over (order by id) - 1) / ${BATCH_ITEMS}::integer as batch from people
      where workspace_id = ${workspaceId} and account_id = ${accountId}) as known
    group by batch order by batch`.execute(db)
  return listFromBatches(rows)
}

/** Changes the identity of people, unless another person at the account has it. */
export async function changeIdentities(db: Db, workspaceId: string, changes: { id: string; identity: string }[]) {
  await sql`
    update people set identity = change.identity
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as change (id uuid, identity text)
    where people.workspace_id = ${workspaceId} and people.id = change.id and not exists (
      select from people as other where other.workspace_id = ${workspaceId}
        and other.account_id = people.account_id and other.identity = change.identity)`.execute(db)
}

/** Clears the departure day of people who are shown again. */
export async function clearLeftOn(db: Db, workspaceId: string, ids: string[]): Promise<void> {
  await db
    .updateTable('people')
    .set({ left_on: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Clears addresses that are no longer published. */
export async function clearPublishedEmails(db: Db, workspaceId: string, ids: string[]): Promise<void> {
  await db
    .updateTable('people')
    .set({ published_email: null, published_url: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Returns the result of the last roster sync; null before the first. */
export async function findRoster(db: Db, workspaceId: string, accountId: string) {
  const found = await db
    .selectFrom('account_rosters')
    .select(['account_id', 'synced_at', 'synced', 'sources'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return found ?? null
}

export async function saveRoster(
  db: Db,
  workspaceId: string,
  accountId: string,
  synced: number,
  sources: RosterSource[],
) {
  const row = { synced, sources: JSON.stringify(sources) }
  return db
    .insertInto('account_rosters')
    .values({ workspace_id: workspaceId, account_id: accountId, ...row, synced_at: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'account_id'])
        .doUpdateSet((eb) => ({ ...row, synced_at: eb.ref('excluded.synced_at') })),
    )
    .returning(['account_id', 'synced_at', 'synced', 'sources'])
    .executeTakeFirstOrThrow()
}

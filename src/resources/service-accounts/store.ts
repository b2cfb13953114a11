import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { newId } from '../../shared/ids.ts'

/** Service accounts are rows of `members` of another kind, so that everything they create refers to them as to members. */
export function listServiceAccounts(db: Db, workspaceId: string) {
  return db
    .selectFrom('members')
    .leftJoin('api_keys', (join) =>
      join
        .onRef('api_keys.workspace_id', '=', 'members.workspace_id')
        .onRef('api_keys.member_id', '=', 'members.id')
        .on('api_keys.revoked_at', 'is', null),
    )
    .select(['members.id', 'members.name', 'members.created_at'])
    .select([
      sql<number>`(count(api_keys.id) filter (where api_keys.expires_at is null or api_keys.expires_at > now()))::integer`.as(
        'keys',
      ),
      sql<string | null>`max(api_keys.last_used_at)`.as('last_used_at'),
    ])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.kind', '=', 'service')
    .groupBy(['members.id', 'members.name', 'members.created_at'])
    .orderBy('members.created_at')
    .orderBy('members.id')
    .execute()
}

/** Stores a service account. Its rights are those of its keys, so its own role limits nothing. */
export async function insertServiceAccount(db: Db, workspaceId: string, name: string) {
  const account = await db
    .insertInto('members')
    .values({ workspace_id: workspaceId, id: newId(), kind: 'service', name, role: 'admin', visibility: 'all' })
    .returning(['id', 'name', 'created_at'])
    .executeTakeFirstOrThrow()
  return { ...account, keys: 0, last_used_at: null }
}

/** Deletes a service account with its keys. Returns false if there is no such account. */
export async function deleteServiceAccountRow(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('members')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('kind', '=', 'service')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

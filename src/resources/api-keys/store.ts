import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { KEY_SCOPE, keyRights } from '../../db/key-rights.ts'
import { findTokenWorkspace, insertTokenWorkspace } from '../../db/token-workspaces.ts'
import { newId } from '../../shared/ids.ts'
import { type KeyScope, limitsOf, type Member } from '../../shared/member.ts'

const PUBLIC = [
  ...(['id', 'member_id', 'name', 'prefix', 'operations', 'allowed_ips', 'expires_at'] as const),
  ...(['last_used_at', 'created_at'] as const),
  KEY_SCOPE.as('scope'),
  sql<boolean>`${KEY_SCOPE} = 'read'`.as('read_only'),
] as const

/** The key determines the workspace. */
export async function findKeyByHash(db: Db, hash: Buffer) {
  const workspaceId = await findTokenWorkspace(db, hash)
  if (workspaceId === null) return null
  const row = await db
    .selectFrom('api_keys')
    .innerJoin('members', (join) =>
      join.onRef('members.workspace_id', '=', 'api_keys.workspace_id').onRef('members.id', '=', 'api_keys.member_id'),
    )
    .where('api_keys.workspace_id', '=', workspaceId)
    .where('api_keys.hash', '=', hash)
    .select([
      'api_keys.workspace_id',
      'members.id',
      'members.kind',
      'api_keys.id as key_id',
      ...keyRights(),
      'api_keys.revoked_at',
      'api_keys.last_used_at',
    ])
    .executeTakeFirst()
  if (!row) return null
  const { revoked_at, last_used_at, operations, allowed_ips, ...caller } = row
  const member: Member = { ...caller, session_id: null, limits: limitsOf({ operations, allowed_ips }) }
  return { member, expires_at: member.key_expires_at, revoked_at, last_used_at }
}

export async function touchKey(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export function listKeys(db: Db, workspaceId: string) {
  return db
    .selectFrom('api_keys')
    .select(PUBLIC)
    .select(
      sql<number>`(select count(*)::integer from sessions where sessions.workspace_id = ${workspaceId}
        and sessions.member_id = api_keys.member_id and sessions.key_id = api_keys.id and sessions.expires_at > now())`.as(
        'sessions',
      ),
    )
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<string>`now()`)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export type NewKey = {
  member_id: string
  name: string
  prefix: string
  hash: Buffer
  scope: KeyScope
  operations: string[] | null
  allowed_ips: string[] | null
  expires_at: string | null
}

export async function insertKey(db: Db, workspaceId: string, key: NewKey) {
  await insertTokenWorkspace(db, workspaceId, key.hash, { days: null })
  return db
    .insertInto('api_keys')
    .values({ workspace_id: workspaceId, id: newId(), ...key, read_only: key.scope === 'read' })
    .returning([...PUBLIC, sql.lit(0).as('sessions')])
    .executeTakeFirstOrThrow()
}

/** Revokes a key. Returns false if there is no such active key. */
export async function revokeKey(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

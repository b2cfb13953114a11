import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { isId, newId } from '../../shared/ids.ts'

const PUBLIC = ['id', 'name', 'email', 'role', 'visibility', 'created_at'] as const

export type MemberFields = { name: string; email: string; role: 'admin' | 'member'; visibility: 'all' | 'scoped' }

const emailTaken = () => new AppError('email_taken', 'Another member of this workspace has this email address.')

export function listMembers(db: Db, workspaceId: string) {
  return db
    .selectFrom('members')
    .select(PUBLIC)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function findMember(db: Db, workspaceId: string, id: string) {
  if (!isId(id)) return null
  const row = await db
    .selectFrom('members')
    .select(PUBLIC)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function getMember(db: Db, workspaceId: string, id: string) {
  const found = await findMember(db, workspaceId, id)
  if (!found) throw notFound('member')
  return found
}

/** Throws email_taken. */
export function insertMember(db: Db, workspaceId: string, fields: MemberFields) {
  return db
    .insertInto('members')
    .values({ workspace_id: workspaceId, id: newId(), ...fields })
    .returning(PUBLIC)
    .executeTakeFirstOrThrow()
    .catch(onUniqueViolation('members_email', emailTaken))
}

/** Throws email_taken. */
export function updateMemberRow(db: Db, workspaceId: string, id: string, fields: Partial<MemberFields>) {
  return db
    .updateTable('members')
    .set(fields)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(PUBLIC)
    .executeTakeFirstOrThrow()
    .catch(onUniqueViolation('members_email', emailTaken))
}

export async function deleteMemberRow(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('members').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function countAdmins(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow()
  return count
}

export async function findMemberIds(db: Db, workspaceId: string, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Checks that every owner is a member of the workspace. Throws unknown_member. */
export async function requireMembers(db: Db, workspaceId: string, ids: (string | null | undefined)[]): Promise<void> {
  const named = [...new Set(ids.filter((id) => id !== null && id !== undefined))]
  if (named.length === 0) return
  const known = named.every(isId) ? await findMemberIds(db, workspaceId, named) : new Set<string>()
  if (!named.every((id) => known.has(id.toLowerCase()))) throw unknownOwnerError()
}

export function unknownOwnerError(): AppError {
  return new AppError('unknown_member', 'owner_id must be a member of this workspace; GET /members lists them.')
}

export async function getMemberTimeZone(db: Db, workspaceId: string, id: string): Promise<string> {
  const { time_zone } = await db
    .selectFrom('members')
    .select('time_zone')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return time_zone
}

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { onUniqueViolation } from '../../db/errors.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { isId, newId } from '../../shared/ids.ts'

const PUBLIC = ['id', 'name', 'email', 'role', 'visibility', 'time_zone', 'created_at'] as const

export type MemberFields = { name: string; email: string; role: 'admin' | 'member'; visibility: 'all' | 'scoped' }

const emailTaken = () => new AppError('email_taken', 'Another member of this workspace has this email address.')

/** The members of a workspace, who have email addresses; service accounts are not among them. */
const selectMembers = (db: Db, workspaceId: string) =>
  db
    .selectFrom('members')
    .select(PUBLIC)
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'person')
    .$narrowType<{ email: string }>()

export function listMembers(db: Db, workspaceId: string) {
  return selectMembers(db, workspaceId).orderBy('created_at').orderBy('id').execute()
}

export async function findMember(db: Db, workspaceId: string, id: string) {
  if (!isId(id)) return null
  return (await selectMembers(db, workspaceId).where('id', '=', id).executeTakeFirst()) ?? null
}

/** The name of a member or a service account. */
export async function findActorName(db: Db, workspaceId: string, id: string): Promise<string | null> {
  const found = await db
    .selectFrom('members')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.name ?? null
}

/** The member with an email address, in any case. */
export async function findMemberByEmail(db: Db, workspaceId: string, email: string) {
  const found = await selectMembers(db, workspaceId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
  return found ?? null
}

/** A person may be a member of several workspaces; more than these are not expected. */
const MAX_MEMBERSHIPS = 10

/** The members with an email address, in any case, with the names of their workspaces. For signing in: in all workspaces. */
export function listMembershipsByEmail(db: Db, email: string) {
  return db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .modifyFront(sql.raw(ALL_WORKSPACES))
    .select(['members.workspace_id', 'members.id', 'members.name', 'members.email', 'workspaces.name as workspace'])
    .where(sql`lower(members.email)`, '=', email.toLowerCase())
    .orderBy('members.created_at')
    .limit(MAX_MEMBERSHIPS)
    .where('members.kind', '=', 'person')
    .$narrowType<{ email: string }>()
    .execute()
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
    .$narrowType<{ email: string }>()
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
    .$narrowType<{ email: string }>()
    .executeTakeFirstOrThrow()
    .catch(onUniqueViolation('members_email', emailTaken))
}

/** Whether the database knows the time zone. */
export async function isKnownTimeZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db)
  return rows.length > 0
}

export async function setTimeZone(db: Db, workspaceId: string, id: string, time_zone: string): Promise<void> {
  await db
    .updateTable('members')
    .set({ time_zone })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteMemberRow(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('members').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function countAdmins(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'person')
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow()
  return count
}

export async function findMemberIds(db: Db, workspaceId: string, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'person')
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

import { recordAt } from '../../audit/records.ts'
import { type AuditSource, auditedWithin } from '../../audit/store.ts'
import type { Deps } from '../../deps/deps.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError } from '../../shared/errors.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import {
  countAdmins,
  deleteMemberRow,
  findMemberByEmail,
  getMember,
  type MemberFields,
  updateMemberRow,
} from './store.ts'

type Parts = Pick<Deps, 'db' | 'keys'>

/** Changes a member; takes effect for their keys at once. Throws not_found, email_taken, last_admin. */
export async function updateMember(
  { db, keys }: Parts,
  workspaceId: string,
  id: string,
  wanted: Partial<MemberFields>,
) {
  const member = await db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    const member = await getMember(db, workspaceId, id)
    const fields = changedFields(member, wanted)
    if (Object.keys(fields).length === 0) return member
    if (member.role === 'admin' && fields.role === 'member') await requireOtherAdmin(db, workspaceId)
    return updateMemberRow(db, workspaceId, id, fields)
  })
  keys.forget()
  return member
}

/** Removes a member with their keys; their records lose the owner. Throws not_found, last_admin. */
export async function deleteMember({ db, keys }: Parts, workspaceId: string, id: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockWorkspace(db, workspaceId)
    const member = await getMember(db, workspaceId, id)
    if (member.role === 'admin') await requireOtherAdmin(db, workspaceId)
    await deleteMemberRow(db, workspaceId, id)
  })
  keys.forget()
}

/**
 * Gives a member the role, visibility and verified address (null keeps it) that a sign-in provider returned. The last admin
 * stays one, because otherwise no member could repair the mapping of groups. Call it in a transaction that holds the lock of
 * the workspace.
 */
export async function followProvider(
  { log }: Pick<Deps, 'log'>,
  db: Deps['db'],
  source: AuditSource,
  member: MemberFields & { id: string },
  { role, visibility, email }: Pick<MemberFields, 'role' | 'visibility'> & { email: string | null },
): Promise<void> {
  const { workspace_id } = source
  const isLastAdmin = member.role === 'admin' && role === 'member' && (await countAdmins(db, workspace_id)) < 2
  if (isLastAdmin) log.warn({ member_id: member.id }, 'a member stays admin against their groups: there is no other')
  const isMoved = email !== null && email.toLowerCase() !== member.email.toLowerCase()
  const holder = isMoved ? await findMemberByEmail(db, workspace_id, email) : null
  if (holder)
    log.warn({ member_id: member.id, holder_id: holder.id }, 'the new address of a member is that of another one')
  const wanted = {
    role: isLastAdmin ? 'admin' : role,
    visibility,
    email: isMoved && !holder ? email : member.email,
  } as const
  const fields = changedFields(member, wanted)
  if (Object.keys(fields).length === 0) return
  const target = { record: recordAt('/members'), id: member.id }
  await auditedWithin(db, source, 'updateMember', target, () => updateMemberRow(db, workspace_id, member.id, fields))
}

async function requireOtherAdmin(db: Deps['db'], workspaceId: string): Promise<void> {
  if ((await countAdmins(db, workspaceId)) < 2) {
    throw new AppError('last_admin', 'A workspace needs at least one admin. Make another member an admin first.')
  }
}

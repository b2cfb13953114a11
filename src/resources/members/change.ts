import type { Deps } from '../../deps/deps.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { AppError } from '../../shared/errors.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { countAdmins, deleteMemberRow, getMember, type MemberFields, updateMemberRow } from './store.ts'

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

async function requireOtherAdmin(db: Deps['db'], workspaceId: string): Promise<void> {
  if ((await countAdmins(db, workspaceId)) < 2) {
    throw new AppError('last_admin', 'A workspace needs at least one admin. Make another member an admin first.')
  }
}

import type { Db } from '../../db/connect.ts'
import { AppError } from '../../errors.ts'
import { type Member, viewerOf } from '../../member.ts'
import { requireMembers } from '../members/require.ts'

/**
 * Checks a change of owner. Whoever owns an account sees its people, so a member with scoped visibility may hand on an
 * account of their own and take no other. Throws unknown_member, forbidden.
 */
export async function checkOwner(db: Db, member: Member, current: string | null, wanted: string | null): Promise<void> {
  await requireMembers(db, member.workspace_id, [wanted])
  const isScoped = viewerOf(member).scoped_to !== null
  if (isScoped && wanted !== current && current !== member.id) {
    throw new AppError('forbidden', 'You may change the owner of your own accounts only.')
  }
}

import type { Db } from '../../db/connect.ts'
import { AppError } from '../../errors.ts'
import type { Allow } from '../../http/operation.ts'
import { isId } from '../../ids.ts'
import { isScoped, type Member } from '../../member.ts'
import { requireMembers } from '../members/require.ts'
import { getOwner } from './store.ts'

/**
 * Checks a change of owner. Whoever owns an account sees its people, so a member with scoped visibility may hand on an
 * account of their own and take no other. Throws unknown_member, forbidden.
 */
export async function checkOwner(db: Db, member: Member, current: string | null, wanted: string | null): Promise<void> {
  await requireMembers(db, member.workspace_id, [wanted])
  requireHandOn(member, current, wanted)
}

/** The same of a new owner who is known to be a member. Throws forbidden. */
export function requireHandOn(member: Member, current: string | null, wanted: string | null): void {
  if (isScoped(member) && wanted !== current && current !== member.id) {
    throw new AppError('forbidden', 'You may change the owner of your own accounts only.')
  }
}

/**
 * Every member reads, tags and corrects every account; a member with scoped visibility takes away and researches only
 * their own. It is said before anything else is looked at, so that a refusal tells nothing. Throws forbidden.
 */
export function requireOwn(member: Member, owner: string | null): void {
  if (isScoped(member) && owner !== member.id) {
    throw new AppError('forbidden', 'You may do this with your own accounts only.')
  }
}

/** For calls about an account in the path that are its owner's. Throws not_found, forbidden. */
export const ownAccount: Allow = ({ db }, { member, params }) => requireOwnAccount(db, member, params.id)

/** The same for an account that is not read yet; what is no id is left to whoever reads it. Throws not_found, forbidden. */
export async function requireOwnAccount(db: Db, member: Member, id: string): Promise<void> {
  if (isScoped(member) && isId(id)) requireOwn(member, await getOwner(db, member.workspace_id, id))
}

import type { Db } from '../../db/connect.ts'
import type { CheckRights } from '../../http/operation.ts'
import { AppError } from '../../shared/errors.ts'
import { isId } from '../../shared/ids.ts'
import { isScoped, type Member } from '../../shared/member.ts'
import { readWorkspaceSettings } from '../workspaces/store.ts'
import { getOwner, type LockedAccount, lockAccount } from './store.ts'

type Owned = Pick<LockedAccount, 'owner_id' | 'status'>

/**
 * The rule for every change of an account: a member with scoped visibility changes and researches only accounts they
 * own. Checked before the state of the account, so that a refusal does not reveal it. Throws forbidden.
 */
export function requireOwn(member: Member, owner: string | null): void {
  if (isScoped(member) && owner !== member.id) {
    throw new AppError('forbidden', 'You may change your own accounts only. Ask an admin to make you the owner.')
  }
}

/** Locks an account that the member is about to change. Throws not_found, forbidden. */
export async function lockOwnAccount(db: Db, member: Member, id: string): Promise<LockedAccount> {
  const account = await lockAccount(db, member.workspace_id, id)
  requireOwn(member, account.owner_id)
  return account
}

/** For operations on an account in the path that only its owner may call. Throws not_found, forbidden. */
export const ownAccount: CheckRights = ({ db }, { member, params }) => requireOwnAccount(db, member, params.id)

/**
 * The same for an account that was not read yet; the query that reads it rejects an invalid id. Throws not_found,
 * forbidden.
 */
export async function requireOwnAccount(db: Db, member: Member, id: string): Promise<void> {
  if (isScoped(member) && isId(id)) requireOwn(member, await getOwner(db, member.workspace_id, id))
}

/** Whether the workspace lets the member claim accounts without an owner. */
export async function mayClaimAccounts(db: Db, member: Member): Promise<boolean> {
  return !isScoped(member) || (await readWorkspaceSettings(db, member.workspace_id)).scoped_members_claim
}

/**
 * The owner of an account after the member activates it; undefined keeps the present one. The exception to
 * `requireOwn`: where the workspace allows claims, a member with scoped visibility may activate an account without an
 * owner and becomes its owner. Throws forbidden.
 */
export function ownerOnActivation(
  member: Member,
  { owner_id, status }: Owned,
  wanted: string | null | undefined,
  canClaim: boolean,
): string | null | undefined {
  if (!isScoped(member) || owner_id === member.id) return wanted
  if (owner_id !== null || status === 'active') requireOwn(member, owner_id)
  if (!canClaim) {
    const message =
      'This workspace does not let you claim an account without an owner. Ask an admin to assign it to you.'
    throw new AppError('forbidden', message)
  }
  if (wanted && wanted.toLowerCase() !== member.id) {
    throw new AppError(
      'forbidden',
      'You may claim an account for yourself only. Leave out owner_id to become its owner.',
    )
  }
  return member.id
}

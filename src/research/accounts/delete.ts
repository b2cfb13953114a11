import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { lockOwnAccount } from '../../resources/accounts/own.ts'
import { deleteAccountRows } from '../../resources/accounts/store.ts'
import type { Member } from '../../shared/member.ts'
import { stopMonitors } from '../monitor/watch.ts'

/** Deletes an account for good, with its monitor and all that is known about it. Throws not_found, forbidden. */
export function deleteAccount({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  const workspaceId = member.workspace_id
  return db.transaction().execute(async (db) => {
    await lockOwnAccount(db, member, id)
    await deleteLocked(db, workspaceId, [id])
  })
}

/** Deletes accounts that are locked. */
export async function deleteLocked(db: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  // Before the accounts: a check under way writes to its monitor first.
  await stopMonitors(db, workspaceId, ids)
  await deleteAccountRows(db, workspaceId, ids)
}

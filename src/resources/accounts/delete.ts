import type { Deps } from '../../deps.ts'
import type { Member } from '../../member.ts'
import { stopMonitor } from '../../research/monitor/watch.ts'
import { requireOwn } from './own.ts'
import { deleteAccountRow, lockAccount } from './store.ts'

/** Deletes an account for good, with its monitor and all that is known about it. Throws not_found, forbidden. */
export function deleteAccount({ db }: Pick<Deps, 'db'>, member: Member, id: string): Promise<void> {
  const workspaceId = member.workspace_id
  return db.transaction().execute(async (db) => {
    requireOwn(member, (await lockAccount(db, workspaceId, id)).owner_id)
    // Before the account: a check under way writes to its monitor first.
    await stopMonitor(db, workspaceId, id)
    await deleteAccountRow(db, workspaceId, id)
  })
}

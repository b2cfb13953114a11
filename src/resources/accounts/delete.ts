import type { Deps } from '../../deps.ts'
import { stopMonitor } from '../../research/monitor/watch.ts'
import { deleteAccountRow, lockAccount } from './store.ts'

/** Deletes an account for good, with its monitor and all that is known about it. Throws not_found. */
export function deleteAccount({ db }: Pick<Deps, 'db'>, workspaceId: string, id: string): Promise<void> {
  return db.transaction().execute(async (db) => {
    await lockAccount(db, workspaceId, id)
    // Before the account: a check under way writes to its monitor first.
    await stopMonitor(db, workspaceId, id)
    await deleteAccountRow(db, workspaceId, id)
  })
}

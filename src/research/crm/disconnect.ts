import type { Db } from '../../db/connect.ts'
import { chunks } from '../../providers/crm/vendor/call.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { lockWorkspace } from '../../resources/workspaces/store.ts'
import { applyToAccounts } from './apply-page.ts'
import { findMatchedAccounts } from './match-store.ts'
import { deleteCompaniesOf, deletePulledRows, removePeopleOf } from './removal-store.ts'

/** Runs a part of the work in a transaction; the work returns the accounts that it changed. */
type Store = (work: (db: Db) => Promise<string[]>) => Promise<void>

/** People or accounts that are locked together. */
const BATCH = 500

/**
 * Removes what was read from a CRM: its records, the people whom only it knows, and its values and relationships of accounts.
 * Accounts that were added by a rule stay. When it is interrupted, another call removes the rest.
 */
export async function removePulledRecords(db: Db, key: SyncKey, store: Store): Promise<void> {
  for (let isOver = false; !isOver; ) {
    await store(async (db) => {
      // An erasure takes place before or after.
      await lockWorkspace(db, key.workspace_id)
      const accounts = await removePeopleOf(db, key, BATCH)
      isOver = accounts === null
      return accounts ?? []
    })
  }
  for (const accounts of chunks(await findMatchedAccounts(db, key), BATCH)) {
    await store(async (db) => {
      await deleteCompaniesOf(db, key, accounts)
      await applyToAccounts(db, key.workspace_id, accounts)
      return accounts
    })
  }
  await store(async (db) => {
    await deletePulledRows(db, key)
    return []
  })
}

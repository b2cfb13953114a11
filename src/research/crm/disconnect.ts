import type { Db } from '../../db/connect.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { applyToAccounts } from './apply-page.ts'
import { findMatchedAccounts } from './match-store.ts'
import { deletePulledRows, removePeopleOf } from './removal-store.ts'

/**
 * Removes what was read from a CRM: its records, the people whom only it knows, and its values and relationships of accounts.
 * Accounts that were added by a rule stay. Returns the accounts that were matched.
 */
export async function removePulledRecords(db: Db, key: SyncKey): Promise<string[]> {
  const accounts = await findMatchedAccounts(db, key)
  await removePeopleOf(db, key)
  await deletePulledRows(db, key)
  await applyToAccounts(db, key.workspace_id, accounts)
  return accounts
}

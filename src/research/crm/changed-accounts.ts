import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { applyRelationships } from '../work-items/apply-relationships.job.ts'
import { findAffectedAccounts } from './pending-store.ts'

/** Has accounts scored and ranked and their drafts written again, in the transaction that changed them. */
export async function announceAccounts(
  { db, jobs }: { db: Db } & Pick<Deps, 'jobs'>,
  workspace_id: string,
  accountIds: string[],
): Promise<void> {
  const account_ids = accountIds.length > 0 ? await findAffectedAccounts(db, workspace_id, accountIds) : []
  if (account_ids.length > 0) await jobs.enqueue(db, applyRelationships, { workspace_id, account_ids })
}

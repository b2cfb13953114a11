import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { rescoreAccounts } from '../assess.ts'
import { applyRelationships } from '../work-items/apply-relationships.job.ts'
import { findWorkedAccounts, hasUnscoredAccounts } from './pending-store.ts'

/** Has accounts ranked and their drafts written again, in the transaction that changed them. */
export async function announceAccounts(
  { db, jobs }: { db: Db } & Pick<Deps, 'jobs'>,
  workspace_id: string,
  accountIds: string[],
): Promise<void> {
  const account_ids = accountIds.length > 0 ? await findWorkedAccounts(db, workspace_id, accountIds) : []
  if (account_ids.length > 0) await jobs.enqueue(db, applyRelationships, { workspace_id, account_ids })
}

/** Has the accounts scored that have other values: once after all changes, because a first read changes thousands. */
export async function rescoreChanged({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, workspaceId: string): Promise<void> {
  if (await hasUnscoredAccounts(db, workspaceId)) await jobs.enqueue(db, rescoreAccounts, {})
}

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Deps } from '../../deps/deps.ts'
import { applyRelationships } from '../work-items/apply-relationships.job.ts'

/** Has accounts ranked and their drafts written again, in the transaction that changed them. */
export async function announceAccounts(
  { db, jobs }: { db: Db } & Pick<Deps, 'jobs'>,
  workspaceId: string,
  accountIds: string[],
): Promise<void> {
  if (accountIds.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...new Set(accountIds)]}::uuid[]) as given (id)
    where exists (select from signal_detections where workspace_id = ${workspaceId} and account_id = given.id)
      or exists (select from work_items where workspace_id = ${workspaceId} and account_id = given.id)`.execute(db)
  const account_ids = rows.map(({ id }) => id)
  if (account_ids.length > 0) await jobs.enqueue(db, applyRelationships, { workspace_id: workspaceId, account_ids })
}

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ClaimedSync, SyncKey } from '../../resources/crm-sync/store.ts'
import { ofCrm } from './record-store.ts'

/** The next companies without an account that have one by now, by a record that was pushed or by domain. */
export async function findMatchable(db: Db, sync: ClaimedSync, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ crm_id: string }>`
    select one.crm_id from pulled_companies as one
    where ${ofCrm(sync, 'one')} and one.account_id is null and one.deleted_at is null and one.crm_id > ${after}
      and (exists (select from accounts where accounts.workspace_id = ${sync.workspace_id} and accounts.domain = one.domain)
        or exists (select from crm_companies as link where ${ofCrm(sync, 'link')}
          and link.portal = ${sync.portal} and link.crm_id = one.crm_id))
    order by one.crm_id limit ${limit}`.execute(db)
  return rows.map(({ crm_id }) => crm_id)
}

/** The next accounts of companies whose owner is another member than the one that was applied. */
export async function findReassigned(db: Db, key: SyncKey, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select accounts.id from accounts
    where accounts.workspace_id = ${key.workspace_id} and accounts.id > ${after}
      and exists (select from pulled_companies as one
        join pulled_owners as owner on owner.workspace_id = one.workspace_id and owner.provider = one.provider
          and owner.crm_id = one.owner_crm_id
        where ${ofCrm(key, 'one')} and one.account_id = accounts.id and one.deleted_at is null
          and owner.member_id::text <> coalesce(accounts.crm_fields #>> '{owner_id,value}', ''))
    order by accounts.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of the accounts that have detections or a work item, and therefore a rank or drafts. */
export async function findWorkedAccounts(db: Db, workspaceId: string, accountIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${[...new Set(accountIds)]}::uuid[]) as given (id)
    where exists (select from signal_detections where workspace_id = ${workspaceId} and account_id = given.id)
      or exists (select from work_items where workspace_id = ${workspaceId} and account_id = given.id)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether accounts are marked for rescoring. */
export async function hasUnscoredAccounts(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    select from accounts where workspace_id = ${workspaceId} and scored_at = 'epoch' limit 1`.execute(db)
  return rows.length > 0
}

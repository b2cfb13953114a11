import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Lease } from '../../db/leases.ts'
import type { CrmAccount } from './store.ts'

/** The activity of a work item in one account of a CRM. */
export type CrmActivityKey = CrmAccount & { workspaceId: string; workItemId: string }

const rowOf = ({ workspaceId, provider, vendorAccount, workItemId }: CrmActivityKey) =>
  sql`workspace_id = ${workspaceId} and provider = ${provider} and portal = ${vendorAccount}
    and work_item_id = ${workItemId}`

/** The ids of a written activity; null before it is written. */
export async function findCrmActivity(
  db: Db,
  key: CrmActivityKey,
): Promise<{ note_id: string; task_id: string } | null> {
  const { rows } = await sql<{ note_id: string; task_id: string }>`
    select note_id, task_id from crm_activities where ${rowOf(key)} and task_id is not null`.execute(db)
  return rows[0] ?? null
}

/** The user of the CRM who owns an account here; null without one who is active. */
export async function findOwnerInCrm(
  db: Db,
  { workspaceId, provider, vendorAccount }: Omit<CrmActivityKey, 'workItemId'>,
  accountId: string,
): Promise<string | null> {
  // Ids that were read from another account of the vendor mean nothing in this one.
  const { rows } = await sql<{ crm_id: string }>`
    select owner.crm_id from accounts
      join pulled_owners as owner on owner.workspace_id = accounts.workspace_id and owner.member_id = accounts.owner_id
      join crm_syncs as sync on sync.workspace_id = owner.workspace_id and sync.provider = owner.provider
    where accounts.workspace_id = ${workspaceId} and accounts.id = ${accountId} and owner.provider = ${provider}
      and owner.is_active and sync.portal = ${vendorAccount}
    order by owner.crm_id limit 1`.execute(db)
  return rows[0]?.crm_id ?? null
}

/** Claims an activity unless it is written or another process holds an unexpired lease on it. Returns whether it was claimed. */
export async function claimCrmActivity(db: Db, key: CrmActivityKey, { id, seconds }: Lease): Promise<boolean> {
  const { rows } = await sql`
    insert into crm_activities (workspace_id, provider, portal, work_item_id, lease_id, lease_until)
    values (${key.workspaceId}, ${key.provider}, ${key.vendorAccount}, ${key.workItemId}, ${id},
      now() + make_interval(secs => ${seconds}))
    on conflict (workspace_id, provider, portal, work_item_id) do update
      set lease_id = excluded.lease_id, lease_until = excluded.lease_until
      where crm_activities.lease_until < excluded.created_at
    returning 1 as claimed`.execute(db)
  return rows.length > 0
}

export async function renewCrmActivity(db: Db, key: CrmActivityKey, { id, seconds }: Lease): Promise<void> {
  await sql`
    update crm_activities set lease_until = now() + make_interval(secs => ${seconds})
    where ${rowOf(key)} and lease_id = ${id}`.execute(db)
}

/** Stores the ids and ends the lease. */
export async function saveCrmActivity(
  db: Db,
  key: CrmActivityKey,
  { note_id, task_id }: { note_id: string; task_id: string },
): Promise<void> {
  await sql`
    update crm_activities set note_id = ${note_id}, task_id = ${task_id}, lease_id = null, lease_until = null
    where ${rowOf(key)}`.execute(db)
}

/** Ends the lease of an activity that was not written. */
export async function releaseCrmActivity(db: Db, key: CrmActivityKey, { id }: Lease): Promise<void> {
  await sql`delete from crm_activities where ${rowOf(key)} and lease_id = ${id}`.execute(db)
}

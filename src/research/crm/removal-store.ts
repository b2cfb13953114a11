import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { ofCrm } from './record-store.ts'

/**
 * Removes up to `limit` people whom only this CRM knows, and the CRM from the sources of the others, with their contacts.
 * People who are contacts of another CRM, too, stay as they are. Returns the accounts; null when no people are left.
 */
export async function removePeopleOf(db: Db, key: SyncKey, limit: number): Promise<string[] | null> {
  const { workspace_id } = key
  const found = await sql<{ person_id: string }>`
    select distinct one.person_id from pulled_contacts as one where ${ofCrm(key, 'one')} and one.person_id is not null
    order by one.person_id limit ${limit}`.execute(db)
  if (found.rows.length === 0) return null
  const ids = found.rows.map(({ person_id }) => person_id)
  // Before the people, as everywhere.
  const accounts = await sql<{ id: string }>`
    select id from accounts where workspace_id = ${workspace_id} and id in (select account_id from people
      where workspace_id = ${workspace_id} and id = any(${ids}::uuid[]))
    order by id for no key update`.execute(db)
  const onlyHere = sql`people.workspace_id = ${workspace_id} and people.id = any(${ids}::uuid[])
    and not exists (select from pulled_contacts as other where other.workspace_id = ${workspace_id}
      and other.provider <> ${key.provider} and other.person_id = people.id)`
  await sql`update people set sources = array_remove(sources, 'crm'), crm_deleted_on = null
    where ${onlyHere} and sources @> '{crm}' and cardinality(sources) > 1`.execute(db)
  await sql`delete from people where ${onlyHere} and sources = '{crm}'`.execute(db)
  await sql`delete from pulled_contacts as one where ${ofCrm(key, 'one')} and person_id = any(${ids}::uuid[])`.execute(
    db,
  )
  return accounts.rows.map(({ id }) => id)
}

/** Deletes the companies of accounts. */
export async function deleteCompaniesOf(db: Db, key: SyncKey, accountIds: string[]): Promise<void> {
  await sql`delete from pulled_companies as one where ${ofCrm(key, 'one')} and account_id = any(${accountIds}::uuid[])`.execute(
    db,
  )
}

/** Deletes all records that were read from a CRM. */
export async function deletePulledRows(db: Db, key: SyncKey): Promise<void> {
  for (const table of ['pulled_deals', 'pulled_contacts', 'pulled_companies', 'pulled_owners'] as const)
    await sql`delete from ${sql.table(table)} as one where ${ofCrm(key, 'one')}`.execute(db)
}

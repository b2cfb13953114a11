import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { ofCrm } from './record-store.ts'

/**
 * Removes the people whom only this CRM knows, and the CRM from the sources of the others. People who are contacts of
 * another CRM, too, stay as they are.
 */
export async function removePeopleOf(db: Db, key: SyncKey): Promise<void> {
  const onlyHere = sql`
    select distinct one.person_id as id from pulled_contacts as one where ${ofCrm(key, 'one')} and one.person_id is not null
      and not exists (select from pulled_contacts as other where other.workspace_id = one.workspace_id
        and other.provider <> one.provider and other.person_id = one.person_id)`
  await sql`delete from people where workspace_id = ${key.workspace_id} and sources = '{crm}' and id in (${onlyHere})`.execute(
    db,
  )
  await sql`update people set sources = array_remove(sources, 'crm'), crm_deleted_on = null
    where workspace_id = ${key.workspace_id} and sources @> '{crm}' and cardinality(sources) > 1 and id in (${onlyHere})`.execute(
    db,
  )
}

/** Deletes all records that were read from a CRM. */
export async function deletePulledRows(db: Db, key: SyncKey): Promise<void> {
  for (const table of ['pulled_deals', 'pulled_contacts', 'pulled_companies', 'pulled_owners'] as const)
    await sql`delete from ${sql.table(table)} as one where ${ofCrm(key, 'one')}`.execute(db)
}

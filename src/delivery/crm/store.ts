import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { CrmProvider } from '../../providers/crm/registry.ts'
import type { CrmObject } from '../../providers/crm/vendor/types.ts'

/** An account at a vendor: record ids are valid only within it. */
export type CrmAccount = { provider: CrmProvider; vendorAccount: string }

const TABLE = { company: sql.table('crm_companies'), contact: sql.table('crm_contacts') }
const PULLED = { company: sql.table('pulled_companies'), contact: sql.table('pulled_contacts') }
const RECORD = { company: sql.ref('account_id'), contact: sql.ref('person_id') }

/** The link from a record to its CRM record, with a hash of each field value the service wrote. */
export type CrmLink = {
  id: string
  crm_id: string
  written: Record<string, string>
  /** The company the service associated a contact with. */
  company_id: string | null
}

/**
 * The CRM records of records: those the service wrote, otherwise those that were pulled and matched, so that neither path
 * creates a second one. A link to a record that was deleted or merged in the CRM does not count.
 */
export async function findCrmLinks(
  db: Db,
  workspaceId: string,
  { provider, vendorAccount }: CrmAccount,
  what: CrmObject,
  ids: string[],
): Promise<Map<string, CrmLink>> {
  const companyId = what === 'contact' ? sql.ref('company_id') : sql`null`
  const best = what === 'company' ? sql`array_position(array['id', 'domain', 'name', 'rule'], matched_by),` : sql``
  const { rows } = await sql<CrmLink>`
    with linked as (
      select ${RECORD[what]} as id, crm_id, written, ${companyId} as company_id from ${TABLE[what]} as link
      where workspace_id = ${workspaceId} and provider = ${provider} and portal = ${vendorAccount}
        and ${RECORD[what]} = any(${ids}::uuid[])
        and not exists (select from ${PULLED[what]} as gone
          join crm_syncs as sync on sync.workspace_id = gone.workspace_id and sync.provider = gone.provider
          where gone.workspace_id = ${workspaceId} and gone.provider = link.provider and gone.crm_id = link.crm_id
            and sync.portal = link.portal and gone.deleted_at is not null)
    ), pulled as (
      select distinct on (record.${RECORD[what]}) record.${RECORD[what]} as id, record.crm_id
      from ${PULLED[what]} as record
        join crm_syncs as sync on sync.workspace_id = record.workspace_id and sync.provider = record.provider
      where record.workspace_id = ${workspaceId} and record.provider = ${provider} and sync.portal = ${vendorAccount}
        and record.${RECORD[what]} = any(${ids}::uuid[]) and record.deleted_at is null
      order by record.${RECORD[what]}, ${best} record.crm_id
    )
    select id, crm_id, written, company_id from linked
    union all
    select id, crm_id, '{}'::jsonb, null from pulled where id not in (select id from linked)`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Merges the written hashes into the stored link; a link to another CRM record replaces them. Locks rows in id order, so
 * that two workers that push the same records cannot deadlock.
 */
export async function saveCrmLinks(
  db: Db,
  workspaceId: string,
  { provider, vendorAccount }: CrmAccount,
  what: CrmObject,
  rows: CrmLink[],
): Promise<void> {
  if (rows.length === 0) return
  const [column, given, update] =
    what === 'contact'
      ? [sql`, company_id`, sql`, given.company_id`, sql`, company_id = excluded.company_id`]
      : [sql``, sql``, sql``]
  await sql`
    insert into ${TABLE[what]} as known (workspace_id, provider, portal, ${RECORD[what]}, crm_id, written${column})
    select ${workspaceId}::uuid, ${provider}, ${vendorAccount}, given.id, given.crm_id, given.written${given}
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, crm_id text, written jsonb, company_id text)
    join ${sql.table(what === 'company' ? 'accounts' : 'people')} as there
      on there.workspace_id = ${workspaceId} and there.id = given.id
    order by given.id
    on conflict (workspace_id, provider, portal, ${RECORD[what]}) do update
      set crm_id = excluded.crm_id, pushed_at = excluded.pushed_at${update},
        written = case when known.crm_id = excluded.crm_id then known.written || excluded.written else excluded.written end`.execute(
    db,
  )
}

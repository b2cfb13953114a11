import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { CrmFieldValue, Firmographics } from '../../db/schema.ts'

/** The fields of an account that a CRM can provide. */
export const CRM_FIELDS = ['employees', 'industry', 'country', 'short_description'] as const
export type CrmField = (typeof CRM_FIELDS)[number]

/** The company of a CRM that an account is matched with. */
export type MatchedCompany = {
  provider: string
  crm_id: string
  fields: Partial<Record<CrmField, string | number>>
  /** Hashes of the values that the service wrote to it. */
  written: Record<string, string> | null
  /** The member who is its owner. */
  member_id: string | null
  modified_at: string
}

/** The member whom a CRM names as the owner. `is_applied`: the account has the owner because of it. */
export type NamedOwner = CrmFieldValue & { is_applied: boolean }

export type AccountWithCrm = Pick<Firmographics, CrmField> & {
  id: string
  owner_id: string | null
  overridden: string[]
  researched: Partial<Firmographics>
  from_crm: string[]
  crm_fields: Partial<Record<CrmField, CrmFieldValue>> & { owner_id?: NamedOwner }
  /** The last changed first. */
  companies: MatchedCompany[]
}

/** Locks accounts and returns them with their companies in all CRMs. */
export async function lockAccountsWithCrm(db: Db, workspaceId: string, ids: string[]): Promise<AccountWithCrm[]> {
  const { rows } = await sql<AccountWithCrm>`
    select id, owner_id, employees, industry, country, short_description, overridden, researched, from_crm, crm_fields,
      coalesce((
        select json_agg(json_build_object('provider', one.provider, 'crm_id', one.crm_id, 'fields', one.fields, 'written', link.written,
          'member_id', owner.member_id,
          'modified_at', to_char(one.modified_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by one.modified_at desc, one.crm_id)
        from pulled_companies as one
          join crm_syncs as sync on sync.workspace_id = one.workspace_id and sync.provider = one.provider
          left join pulled_owners as owner on owner.workspace_id = one.workspace_id and owner.provider = one.provider
            and owner.crm_id = one.owner_crm_id
          left join crm_companies as link on link.workspace_id = one.workspace_id and link.provider = one.provider
            and link.portal = sync.portal and link.account_id = one.account_id and link.crm_id = one.crm_id
        where one.workspace_id = ${workspaceId} and one.account_id = accounts.id and one.deleted_at is null), '[]')
        as companies
    from accounts where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    order by id for no key update of accounts`.execute(db)
  return rows
}

/** For each CRM, the fields for which the workspace prefers research. */
export async function findFieldSources(db: Db, workspaceId: string) {
  const rows = await db
    .selectFrom('crm_syncs')
    .select(['provider', 'field_sources'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  return new Map(rows.map(({ provider, field_sources }) => [provider, field_sources]))
}

export type WrittenAccount = Omit<AccountWithCrm, 'companies' | 'overridden'>

/** Writes locked accounts, and marks those with other values for rescoring. */
export async function writeCrmFields(db: Db, workspaceId: string, rows: WrittenAccount[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update accounts set employees = given.employees, industry = given.industry, country = given.country,
      short_description = given.short_description, owner_id = given.owner_id, researched = given.researched,
      from_crm = given.from_crm, crm_fields = given.crm_fields,
      scored_at = case when (accounts.employees, accounts.industry, accounts.country, accounts.short_description)
        is distinct from (given.employees, given.industry, given.country, given.short_description) then 'epoch'
        else accounts.scored_at end
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, employees integer, industry text, country text,
      short_description text, owner_id uuid, researched jsonb, from_crm text[], crm_fields jsonb)
    where accounts.workspace_id = ${workspaceId} and accounts.id = given.id`.execute(db)
}

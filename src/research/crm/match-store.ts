import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { ofCrm } from './record-store.ts'

/** Companies without an account: those given, or all. */
function unmatched(key: SyncKey, ids: string[] | null) {
  return sql`select crm_id, name, domain from pulled_companies as one where ${ofCrm(key, 'one')}
    and account_id is null and deleted_at is null ${ids ? sql`and crm_id = any(${ids}::text[])` : sql``}`
}

/**
 * Matches companies with accounts by the id of a record that was pushed, then by domain. Without ids, all companies are
 * matched, also by a name that only one account and one company of the CRM have, unless their domains differ. Returns the
 * accounts.
 */
export async function matchCompanies(db: Db, key: SyncKey, portal: string, ids: string[] | null): Promise<string[]> {
  const { workspace_id, provider } = key
  const byId = sql`
    select distinct on (one.crm_id) one.crm_id, link.account_id from one join crm_companies as link
      on link.workspace_id = ${workspace_id} and link.provider = ${provider} and link.portal = ${portal}
        and link.crm_id = one.crm_id
    order by one.crm_id, link.account_id`
  const byDomain = sql`
    select one.crm_id, accounts.id as account_id from one
    join accounts on accounts.workspace_id = ${workspace_id} and accounts.domain = one.domain`
  // Arrays, so that search_fold is computed once for each name, also without statistics.
  const byName = sql`
    select named.crm_id, account.account_id
    from (select min(crm_id) as crm_id, min(domain) as domain, search_fold(name) as folded from one group by search_fold(name)
      having count(*) = 1) as named
    join (select min(id::text)::uuid as account_id, min(domain) as domain, search_fold(name) as folded from accounts
      where workspace_id = ${workspace_id} and search_fold(name) = any (array(select search_fold(name) from one))
      group by search_fold(name) having count(*) = 1) as account on account.folded = named.folded
    where (named.domain is null or account.domain is null)
      and not exists (select from pulled_companies as other where ${ofCrm(key, 'other')}
        and other.account_id = account.account_id and other.deleted_at is null)`
  const accounts: string[] = []
  for (const [by, found] of [
    ['id', byId],
    ['domain', byDomain],
    ['name', byName],
  ] as const) {
    // Whether a name is unique is known when all companies were read.
    if (by !== 'name' || ids === null) accounts.push(...(await assign(db, key, by, unmatched(key, ids), found)))
  }
  if (accounts.length > 0) await linkCompanies(db, key, portal, accounts)
  return [...new Set(accounts)]
}

async function assign(
  db: Db,
  key: SyncKey,
  by: 'id' | 'domain' | 'name',
  companies: RawBuilder<unknown>,
  found: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    with one as materialized (${companies}), found as materialized (${found})
    update pulled_companies as known set account_id = found.account_id, matched_by = ${by}
    from found where ${ofCrm(key, 'known')} and known.crm_id = found.crm_id
    returning known.account_id`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Stores the company of each account as the record that a push updates, unless it has one. */
export async function linkCompanies(db: Db, key: SyncKey, portal: string, accountIds: string[]): Promise<void> {
  await sql`
    insert into crm_companies (workspace_id, provider, portal, account_id, crm_id)
    select distinct on (account_id) workspace_id, provider, ${portal}, account_id, crm_id from pulled_companies as known
    where ${ofCrm(key, 'known')} and account_id = any(${accountIds}::uuid[]) and deleted_at is null
    order by account_id, array_position(array['id', 'domain', 'name', 'rule'], matched_by), crm_id
    on conflict do nothing`.execute(db)
}

/** Companies as they are stored, by their id. */
export async function findPulledCompanies(db: Db, key: SyncKey, ids: string[]) {
  const { rows } = await sql<{ crm_id: string; name: string; domain: string | null; account_id: string | null }>`
    select crm_id, name, domain, account_id from pulled_companies as known
    where ${ofCrm(key, 'known')} and crm_id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.crm_id, row]))
}

/**
 * Separates companies whose domain was corrected from accounts with another domain. A record that the service has written to
 * stays with its account. Returns the accounts.
 */
export async function unmatchCompanies(db: Db, key: SyncKey, portal: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ crm_id: string; account_id: string }>`
    with wrong as materialized (
      select one.crm_id, one.account_id from pulled_companies as one
        join accounts on accounts.workspace_id = one.workspace_id and accounts.id = one.account_id
      where ${ofCrm(key, 'one')} and one.crm_id = any(${ids}::text[]) and one.matched_by <> 'id'
        and one.domain <> accounts.domain
        and not exists (select from crm_companies as link where ${ofCrm(key, 'link')} and link.portal = ${portal}
          and link.crm_id = one.crm_id and link.account_id = one.account_id and link.written <> '{}')
    )
    update pulled_companies as known set account_id = null, matched_by = null
    from wrong where ${ofCrm(key, 'known')} and known.crm_id = wrong.crm_id
    returning wrong.crm_id, wrong.account_id`.execute(db)
  if (rows.length === 0) return []
  await sql`
    delete from crm_companies as link
    using json_to_recordset(${JSON.stringify(rows)}::json) as wrong (crm_id text, account_id uuid)
    where ${ofCrm(key, 'link')} and link.portal = ${portal} and link.crm_id = wrong.crm_id
      and link.account_id = wrong.account_id`.execute(db)
  const accounts = [...new Set(rows.map(({ account_id }) => account_id))]
  await linkCompanies(db, key, portal, accounts)
  return accounts
}

/** The accounts of companies. */
export async function findAccountsOf(db: Db, key: SyncKey, companyIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from pulled_companies as known
    where ${ofCrm(key, 'known')} and crm_id = any(${companyIds}::text[]) and account_id is not null`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** All accounts of a CRM. */
export async function findMatchedAccounts(db: Db, key: SyncKey): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from pulled_companies as known
    where ${ofCrm(key, 'known')} and account_id is not null`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { CrmAccountRule } from '../../db/schema.ts'
import type { SyncKey } from '../../resources/crm-sync/store.ts'
import { ofCrm } from './record-store.ts'

/** The deals of a company. */
const hasDeal = (key: SyncKey, condition: ReturnType<typeof sql>) => sql`exists (select from pulled_deals as deal
  where ${ofCrm(key, 'deal')} and deal.company_crm_id = one.crm_id and deal.deleted_at is null and ${condition})`

/** Which companies a rule adds. */
const MEETS = {
  customers: (key) => sql`(one.is_customer or (not one.is_former_customer and ${hasDeal(key, sql`deal.is_won`)}))`,
  open_deals: (key) => hasDeal(key, sql`not deal.is_closed`),
  owned: (key) => sql`exists (select from pulled_owners as owner where ${ofCrm(key, 'owner')}
    and owner.crm_id = one.owner_crm_id and owner.member_id is not null)`,
} satisfies Record<CrmAccountRule, (key: SyncKey) => unknown>

/** Companies that are no account. One whose account was deleted stays without. */
const isNew = (key: SyncKey) => sql`${ofCrm(key, 'one')} and one.account_id is null and one.matched_by is null
  and one.deleted_at is null and one.domain is not null and not exists (select from accounts
    where accounts.workspace_id = ${key.workspace_id} and accounts.domain = one.domain)`

/** How many accounts each rule would add. */
export async function countByRule(db: Db, key: SyncKey): Promise<Record<CrmAccountRule, number>> {
  const { rows } = await sql<Record<CrmAccountRule, number>>`
    select count(distinct domain) filter (where ${MEETS.customers(key)})::int as customers,
      count(distinct domain) filter (where ${MEETS.open_deals(key)})::int as open_deals,
      count(distinct domain) filter (where ${MEETS.owned(key)})::int as owned
    from pulled_companies as one where ${isNew(key)}`.execute(db)
  return rows[0] ?? { customers: 0, open_deals: 0, owned: 0 }
}

export type RuleCompany = { crm_id: string; name: string; domain: string; fields: Record<string, string | number> }

/** The next companies that meet one of the rules, each domain once. */
export async function findByRules(
  db: Db,
  key: SyncKey,
  rules: CrmAccountRule[],
  limit: number,
): Promise<RuleCompany[]> {
  if (rules.length === 0) return []
  const meets = sql.join(
    rules.map((rule) => MEETS[rule](key)),
    sql` or `,
  )
  const { rows } = await sql<RuleCompany>`
    select distinct on (one.domain) one.crm_id, one.name, one.domain, one.fields from pulled_companies as one
    where ${isNew(key)} and (${meets})
    order by one.domain, one.crm_id limit ${limit}`.execute(db)
  return rows
}

/** Stores the accounts that companies became by a rule. */
export async function assignByRule(
  db: Db,
  key: SyncKey,
  rows: { domain: string; account_id: string }[],
): Promise<void> {
  await sql`
    update pulled_companies as one set account_id = given.account_id, matched_by = 'rule'
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (domain text, account_id uuid)
    where ${ofCrm(key, 'one')} and one.domain = given.domain and one.account_id is null and one.deleted_at is null`.execute(
    db,
  )
}

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { CrmFieldValue } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { CustomerFacts } from '../../engine/icp/from-customers.ts'
import { notFound } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import type { AccountCrm } from './crm-schema.ts'
import { RELATIONSHIPS } from './schema.ts'

/**
 * The condition on accounts for a filter of relationships separated by commas. As literals, because a generic plan cannot
 * use the partial index of accounts with a relationship.
 */
export function hasRelationship(filter: string): string {
  const wanted = filter.split(',')
  const values = RELATIONSHIPS.filter((one) => wanted.includes(one)).map((one) => `'${one}'`)
  return `accounts.relationship in (${values.join(', ')})`
}

const MAX_LISTED = 50

/** Customers by the amount of their won deals, the highest first, and how many there are. */
export async function listBestCustomers(db: Db, workspaceId: string, limit: number) {
  const { rows } = await sql<CustomerFacts & { total: number }>`
    select employees, industry, country, technologies, total from (
      select accounts.*, (count(*) over ())::int as total, (select sum(deal.amount)
        from pulled_deals as deal join pulled_companies as company on company.workspace_id = deal.workspace_id
          and company.provider = deal.provider and company.crm_id = deal.company_crm_id
        where company.workspace_id = ${workspaceId} and company.account_id = accounts.id
          and company.deleted_at is null and deal.deleted_at is null and deal.is_won) as won
      from accounts where workspace_id = ${workspaceId} and relationship = 'customer') as customer
    order by won desc nulls last, relationship_on desc nulls last, id limit ${limit}`.execute(db)
  return { customers: rows.map(({ total: _, ...facts }) => facts), total: rows[0]?.total ?? 0 }
}

/** Whether a `contact` of a CRM is a person, or was before it changed its company. */
export const isContactOf = (person: string) =>
  sql<boolean>`(contact.person_id = ${sql.ref(person)} or contact.former_person_id = ${sql.ref(person)})`

/** Deals of an account that exist in the CRM, as `deal`. */
export function dealsOf(workspaceId: string, accountId: string | RawBuilder<unknown>) {
  return sql`pulled_deals as deal join pulled_companies as company on company.workspace_id = deal.workspace_id
      and company.provider = deal.provider and company.crm_id = deal.company_crm_id
    where company.workspace_id = ${workspaceId} and company.account_id = ${accountId} and company.deleted_at is null
      and deal.deleted_at is null`
}

/** Which of these domains belong to customers in the CRM, whether or not they are accounts. */
export async function findCustomerDomains(db: Db, workspaceId: string, domains: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select distinct company.domain from pulled_companies as company
    where company.workspace_id = ${workspaceId} and company.domain = any(${domains}::text[]) and company.deleted_at is null
      and (company.is_customer or not company.is_former_customer and exists (select from pulled_deals as deal
        where deal.workspace_id = ${workspaceId} and deal.provider = company.provider
          and deal.company_crm_id = company.crm_id and deal.is_won and deal.deleted_at is null))`.execute(db)
  return rows.map(({ domain }) => domain)
}

/** What the CRM knows about an account, with the people whom the viewer may see. Throws not_found. */
export async function readAccountCrm(db: Db, viewer: Viewer, accountId: string): Promise<AccountCrm> {
  const { workspace_id } = viewer
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'relationship', 'relationship_on', 'relationship_reason', 'crm_fields', 'from_crm', 'overridden'])
    .select(['employees', 'industry', 'location', 'country', 'network_url', 'short_description'])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (!account) throw notFound('account')
  const [deals, contacts] = await Promise.all([
    listDeals(db, workspace_id, accountId),
    listContacts(db, viewer, accountId),
  ])
  const { crm_fields, from_crm, overridden, relationship, relationship_on, relationship_reason } = account
  return {
    ...{ account_id: account.id, relationship, relationship_on, relationship_reason },
    ...{ deals: deals.map(({ total: _, ...deal }) => deal), total_deals: deals[0]?.total ?? 0 },
    ...{ contacts: contacts.map(({ total: _, ...contact }) => contact), total_contacts: contacts[0]?.total ?? 0 },
    // The owner is shown as the owner of the account.
    fields: (Object.entries(crm_fields) as [keyof typeof crm_fields, CrmFieldValue][])
      .filter(([field]) => field in account)
      .map(([field, { value, provider, at }]) => ({
        ...{ field, crm_value: value, provider: provider as 'crm_one', at },
        used: overridden.includes(field) ? 'member' : from_crm.includes(field) ? 'crm' : 'research',
        used_value: account[field],
      })),
  }
}

async function listDeals(db: Db, workspaceId: string, accountId: string) {
  const { rows } = await sql<AccountCrm['deals'][number] & { total: number }>`
    select deal.crm_id, deal.provider, deal.name, deal.stage, deal.amount::float8 as amount, deal.currency,
      case when not deal.is_closed then 'open' when deal.is_won then 'won' else 'lost' end as state,
      case when deal.is_closed and not deal.is_won then deal.lost_reason end as lost_reason,
      deal.opened_on, deal.closes_on, (select owner.name from pulled_owners as owner
        where owner.workspace_id = ${workspaceId} and owner.provider = deal.provider
          and owner.crm_id = deal.owner_crm_id) as owner_name, (count(*) over ())::int as total
    from ${dealsOf(workspaceId, accountId)}
    order by coalesce(deal.closes_on, deal.opened_on) desc nulls last, deal.provider, deal.crm_id
    limit ${sql.lit(MAX_LISTED)}`.execute(db)
  return rows
}

async function listContacts(db: Db, viewer: Viewer, accountId: string) {
  const { rows } = await sql<AccountCrm['contacts'][number] & { total: number }>`
    select people.id as person_id, people.full_name, people.title, people.left_on,
      people.crm_deleted_on as deleted_in_crm_on, known.won_deals, (count(*) over ())::int as total
    from (
      select contact.person_id, count(distinct (deal.provider, deal.crm_id))
        filter (where deal.crm_id is not null)::int as won_deals
      from pulled_companies as company
        join pulled_contacts as contact on contact.workspace_id = company.workspace_id
          and contact.provider = company.provider and contact.company_crm_id = company.crm_id
        left join pulled_deals as deal on deal.workspace_id = contact.workspace_id and deal.provider = contact.provider
          and deal.contact_crm_ids @> array[contact.crm_id] and deal.is_won and deal.deleted_at is null
      where company.workspace_id = ${viewer.workspace_id} and company.account_id = ${accountId}
        and company.deleted_at is null and contact.person_id is not null
      group by contact.person_id
    ) as known join people on people.workspace_id = ${viewer.workspace_id} and people.id = known.person_id
    where ${visibleTo(viewer)}
    order by known.won_deals desc, people.full_name, people.id limit ${sql.lit(MAX_LISTED)}`.execute(db)
  return rows
}

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/**
 * Derives the relationship with accounts from the companies and deals of all CRMs: a customer is marked as one or has a won
 * deal, unless the CRM marks it as a former one; otherwise the open deals count, then the mark of a former customer and the
 * last closed deal. Returns the accounts whose relationship changed.
 */
export async function deriveRelationships(db: Db, workspaceId: string, accountIds: string[]): Promise<string[]> {
  if (accountIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    with touched as materialized (
      select id from accounts where workspace_id = ${workspaceId} and id = any(${accountIds}::uuid[])
      order by id for no key update
    ),
    companies as (
      select account_id, provider, crm_id, is_customer, is_former_customer from pulled_companies
      where workspace_id = ${workspaceId} and account_id = any(${accountIds}::uuid[]) and deleted_at is null
    ),
    marked as (
      select account_id, bool_or(is_customer) as is_customer, bool_or(is_former_customer) as is_former
      from companies group by account_id
    ),
    deals as (
      select companies.account_id, deal.is_closed, deal.is_won, deal.opened_on, deal.lost_reason, deal.modified_at,
        -- A deal that was closed early may keep the day on which it was expected to close.
        least(deal.closes_on, (deal.modified_at at time zone 'utc')::date) as closed_on
      from companies join pulled_deals as deal on deal.workspace_id = ${workspaceId} and deal.provider = companies.provider
        and deal.company_crm_id = companies.crm_id and deal.deleted_at is null
    ),
    counted as (
      select account_id, bool_or(is_won) as has_won, max(closed_on) filter (where is_won) as won_on,
        bool_or(not is_closed) as has_open, max(opened_on) filter (where not is_closed) as opened_on
      from deals group by account_id
    ),
    lost as (
      select distinct on (account_id) account_id, closed_on, lost_reason from deals where is_closed and not is_won
      order by account_id, closed_on desc, modified_at desc
    ),
    derived as (
      select touched.id, lost.closed_on as lost_on, lost.lost_reason, counted.won_on, counted.opened_on,
        case when marked.is_customer or (counted.has_won and not marked.is_former) then 'customer'
          when counted.has_open then 'open_deal'
          when marked.is_former then 'former_customer'
          when lost.account_id is not null then 'lost_deal'
          else 'none' end as relationship
      from touched left join marked on marked.account_id = touched.id
        left join counted on counted.account_id = touched.id left join lost on lost.account_id = touched.id
    ),
    given as (
      select id, relationship,
        case relationship when 'open_deal' then opened_on when 'lost_deal' then lost_on when 'none' then null else won_on end
          as relationship_on,
        case relationship when 'lost_deal' then lost_reason end as relationship_reason
      from derived
    )
    update accounts set relationship = given.relationship, relationship_on = given.relationship_on,
      relationship_reason = given.relationship_reason
    from given where accounts.workspace_id = ${workspaceId} and accounts.id = given.id
      and (accounts.relationship, accounts.relationship_on, accounts.relationship_reason)
        is distinct from (given.relationship, given.relationship_on, given.relationship_reason)
    returning accounts.id`.execute(db)
  return rows.map(({ id }) => id)
}

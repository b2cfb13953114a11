import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { Viewer } from '../../shared/member.ts'
import type { OutcomeGroup } from './schema.ts'

/** Members are the largest group, and a page cannot show more. */
const MAX_ROWS = 500

export type OutcomeCounts = {
  is_total: boolean
  key: string | null
  name: string | null
  findings: number
  contacted: number
  answered: number
  led_to_deal: number
  deals: number
  won: number
}

type Range = { from: string; to: string; group_by: OutcomeGroup; window_days: number }

/**
 * Counts what became of the findings of a range of days, for all of them and by group. A reply, a meeting or a deal counts
 * for the first contact of the account within the window before it, and so for the findings that its work item had then.
 * A finding with several sources is in several rows, and a deal in the row of each finding; the total counts each once.
 */
export async function countOutcomes(db: Db, viewer: Viewer, range: Range): Promise<OutcomeCounts[]> {
  const { rows } = await selectOutcomes(viewer, range).execute(db)
  return rows
}

function selectOutcomes(viewer: Viewer, { from, to, group_by, window_days }: Range): RawBuilder<OutcomeCounts> {
  const { workspace_id, scoped_to } = viewer
  const own = scoped_to === null ? sql`` : sql`and accounts.owner_id = ${scoped_to}`
  const isInRange = (column: string) => sql`${sql.ref(column)} >= ${from}::date::timestamp at time zone 'UTC'
    and ${sql.ref(column)} < (${to}::date + 1)::timestamp at time zone 'UTC'`
  const { finding, move } = GROUPS[group_by]
  const readsAccounts = group_by !== 'signal' || scoped_to !== null
  return sql<OutcomeCounts>`
    with found as materialized (
      select d.id, d.account_id, event.work_item_id, event.created_at as joined_at, ${finding.key} as key, ${finding.name} as name
      from signal_detections as d
        ${readsAccounts ? sql`join accounts on accounts.workspace_id = d.workspace_id and accounts.id = d.account_id` : sql``}
        left join work_item_events as event on event.workspace_id = d.workspace_id and event.record_id = d.id
        ${finding.join}
      where d.workspace_id = ${workspace_id} and d.is_shown and ${isInRange('d.created_at')} ${own}
      union all
      select move.id, item.account_id, item.id, event.created_at, ${move.key}, ${move.name}
      from work_item_events as event
        join work_items as item on item.workspace_id = event.workspace_id and item.id = event.work_item_id
        join person_moves as move on move.workspace_id = event.workspace_id and move.id = event.record_id
        join people on people.workspace_id = move.workspace_id and people.id = move.person_id
        join accounts on accounts.workspace_id = item.workspace_id and accounts.id = item.account_id
        ${move.join}
      where event.workspace_id = ${workspace_id} and event.kind = 'move' and ${isInRange('move.created_at')}
        and ${visibleTo(viewer)} ${own}
    ), contact as materialized (
      select line.work_item_id as item_id, line.account_id, line.created_at as at,
        (line.created_at at time zone 'UTC')::date as day
      from account_activities as line
      where line.workspace_id = ${workspace_id} and line.account_id in (select account_id from found)
        and line.work_item_id is not null
        and (line.kind in ('copied', 'emailed', 'called', 'pushed')
          or line.kind = 'done' and line.data ->> 'outcome' in ('contacted', 'pushed'))
        -- Opening an item again takes its contacts back.
        and not exists (select from account_activities as later where later.workspace_id = line.workspace_id
          and later.account_id = line.account_id and later.work_item_id = line.work_item_id
          and later.kind = 'reopened' and later.created_at > line.created_at)
    ), contacted as materialized (
      select item_id, max(at) as at from contact group by item_id
    ), answer as (
      select distinct on (line.id) contact.item_id, contact.at
      from account_activities as line join contact on contact.account_id = line.account_id
        and contact.at <= line.created_at
        and (line.created_at at time zone 'UTC')::date <= contact.day + ${window_days}::int
      where line.workspace_id = ${workspace_id} and line.kind in ('replied', 'meeting')
      order by line.id, contact.at, contact.item_id
    ), answered as materialized (
      select item_id, max(at) as at from answer group by item_id
    ), deal as materialized (
      select distinct on (deals.provider, deals.crm_id) deals.provider || ' ' || deals.crm_id as id, deals.is_won,
        contact.item_id, contact.at
      from pulled_deals as deals
        join pulled_companies as company on company.workspace_id = deals.workspace_id
          and company.provider = deals.provider and company.crm_id = deals.company_crm_id and company.deleted_at is null
        join contact on contact.account_id = company.account_id
          and deals.opened_on between contact.day and contact.day + ${window_days}::int
      where deals.workspace_id = ${workspace_id} and deals.deleted_at is null
      order by deals.provider, deals.crm_id, contact.at, contact.item_id
    )
    select grouping(found.key) <> 0 as is_total, found.key, max(found.name) as name,
      count(distinct found.id)::int as findings,
      (count(distinct found.id) filter (where contacted.item_id is not null))::int as contacted,
      (count(distinct found.id) filter (where answered.item_id is not null))::int as answered,
      (count(distinct found.id) filter (where deal.id is not null))::int as led_to_deal,
      count(distinct deal.id)::int as deals,
      (count(distinct deal.id) filter (where deal.is_won))::int as won
    from found
      -- A contact is about the findings that the item had then.
      left join contacted on contacted.item_id = found.work_item_id and contacted.at >= found.joined_at
      left join answered on answered.item_id = found.work_item_id and answered.at >= found.joined_at
      left join deal on deal.item_id = found.work_item_id and deal.at >= found.joined_at
    group by grouping sets ((found.key), ())
    order by is_total desc, findings desc, name, found.key limit ${MAX_ROWS + 1}`
}

type Grouping = { key: RawBuilder<unknown>; name: RawBuilder<unknown>; join: RawBuilder<unknown> }

const owner: Grouping = {
  key: sql`accounts.owner_id::text`,
  name: sql`members.name`,
  join: sql`left join members on members.workspace_id = accounts.workspace_id and members.id = accounts.owner_id`,
}

/** The host of an address without `www.`. */
const HOST = sql`substring(proof ->> 'source_url' from '^https?://(?:www[.])?([^/:?#]+)')`

/** Documents are deleted after a time; then the host of a proof says where it came from. */
const SOURCE_OF_PROOF = sql`
  select coalesce(
    -- A subquery, so that each document is found by its address and not among all of the account.
    (select document.source from documents as document where document.workspace_id = d.workspace_id
      and document.account_id = d.account_id and md5(document.url) = md5(proof ->> 'source_url')),
    case when accounts.domain = ${HOST} or ${HOST} like '%.' || accounts.domain then 'website' else ${HOST} end) as name
  from jsonb_array_elements(d.evidence) as proof where proof ->> 'source_url' is not null`

const bySource = (sources: RawBuilder<unknown>): Grouping => ({
  key: sql`origin.name`,
  name: sql`origin.name`,
  join: sql`left join lateral (${sources}) as origin on true`,
})

const GROUPS: Record<OutcomeGroup, { finding: Grouping; move: Grouping }> = {
  signal: {
    finding: {
      key: sql`d.signal_id`,
      name: sql`signals.name`,
      join: sql`join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id`,
    },
    move: { key: sql`null`, name: sql`null`, join: sql`` },
  },
  source: {
    finding: bySource(SOURCE_OF_PROOF),
    move: bySource(sql`select proof ->> 'source' as name from jsonb_array_elements(move.evidence) as proof`),
  },
  owner: { finding: owner, move: owner },
}

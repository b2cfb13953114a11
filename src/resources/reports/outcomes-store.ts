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
  const startOf = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone 'UTC'`
  const isInRange = (column: string) => sql`${sql.ref(column)} >= ${startOf(sql`${from}::date`)}
    and ${sql.ref(column)} < ${startOf(sql`${to}::date + 1`)}`
  const { finding, move, keys, name, names } = GROUPS[group_by]
  const readsAccounts = group_by === 'owner' || scoped_to !== null
  return sql<OutcomeCounts>`
    with line as materialized (
      select id, kind, account_id, work_item_id as item_id, created_at as at, (created_at at time zone 'UTC')::date as day
      from account_activities
      -- An earlier contact is before all findings, and not the first one in the window of anything after them.
      where workspace_id = ${workspace_id} and created_at >= ${startOf(sql`${from}::date - ${window_days}::int`)}
        -- The condition of the index account_activities_results.
        and (kind in ('copied', 'emailed', 'called', 'pushed', 'reopened', 'replied', 'meeting')
          or kind = 'done' and data ->> 'outcome' in ('contacted', 'pushed'))
    ), contact as materialized (
      select line.item_id, line.account_id, line.at, line.day
      from line left join (select item_id, max(at) as at from line where kind = 'reopened' group by item_id) as reopened
        on reopened.item_id = line.item_id
      where line.item_id is not null and line.kind not in ('reopened', 'replied', 'meeting')
        -- Opening an item again takes its contacts back.
        and (reopened.at is null or reopened.at <= line.at)
    ), answer as (
      select distinct on (line.id) contact.item_id, contact.at
      from line join contact on contact.account_id = line.account_id and contact.at <= line.at
        and line.day <= contact.day + ${window_days}::int
      where line.kind in ('replied', 'meeting')
      order by line.id, contact.at, contact.item_id
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
    ), item as (
      select contacted.item_id, contacted.at as contacted_at, answered.at as answered_at, dealt.at as dealt_at
      from (select item_id, max(at) as at from contact group by item_id) as contacted
        left join (select item_id, max(at) as at from answer group by item_id) as answered using (item_id)
        left join (select item_id, max(at) as at from deal group by item_id) as dealt using (item_id)
    ), contacted as materialized (
      -- A contact is about the findings that the item had then.
      select event.record_id as id, event.work_item_id as item_id, event.created_at as joined_at,
        answered_at >= event.created_at as is_answered, dealt_at >= event.created_at as led_to_deal
      from item join work_item_events as event on event.workspace_id = ${workspace_id} and event.work_item_id = item.item_id
        and event.created_at <= contacted_at
    ), found as (
      select d.id, ${finding} as key from signal_detections as d
        ${readsAccounts ? sql`join accounts on accounts.workspace_id = d.workspace_id and accounts.id = d.account_id` : sql``}
      where d.workspace_id = ${workspace_id} and d.is_shown and ${isInRange('d.created_at')} ${own}
      union all
      select move.id, ${move}
      from work_item_events as event
        join work_items as item on item.workspace_id = event.workspace_id and item.id = event.work_item_id
        join person_moves as move on move.workspace_id = event.workspace_id and move.id = event.record_id
        join people on people.workspace_id = move.workspace_id and people.id = move.person_id
        join accounts on accounts.workspace_id = item.workspace_id and accounts.id = item.account_id
      where event.workspace_id = ${workspace_id} and event.kind = 'move' and ${isInRange('move.created_at')}
        and ${visibleTo(viewer)} ${own}
    ), counted as materialized (
      select key, count(*) as findings, count(contacted.id) as contacted, count(*) filter (where is_answered) as answered,
        count(*) filter (where led_to_deal) as led_to_deal, array_agg(found.id) filter (where led_to_deal) as dealt_ids
      from found left join contacted on contacted.id = found.id group by key
    ), part as (
      select true as is_total, null as key, findings, contacted, answered, led_to_deal, dealt_ids from counted
      union all
      select false, each.key, findings, contacted, answered, led_to_deal, dealt_ids
      from counted left join unnest(${keys}) as each (key) on true
    ), dealt as (
      select is_total, key, count(distinct deal.id) as deals, count(distinct deal.id) filter (where deal.is_won) as won
      from part, unnest(dealt_ids) as finding_id
        join contacted on contacted.id = finding_id and contacted.led_to_deal
        join deal on deal.item_id = contacted.item_id and deal.at >= contacted.joined_at
      group by is_total, key
    )
    select row.is_total, row.key, ${name} as name, findings, contacted, answered, led_to_deal,
      coalesce(deals, 0)::int as deals, coalesce(won, 0)::int as won
    from (
        select is_total, key, sum(findings)::int as findings, sum(contacted)::int as contacted, sum(answered)::int as answered,
          sum(led_to_deal)::int as led_to_deal
        from part group by is_total, key
      ) as row
      left join dealt on dealt.is_total = row.is_total and dealt.key is not distinct from row.key
      ${names(workspace_id)}
    order by row.is_total desc, findings desc, name, row.key limit ${MAX_ROWS + 1}`
}

/** The key of a finding and of a move, the keys of rows that it stands for, and their names. */
type Grouping = Record<'finding' | 'move' | 'keys' | 'name', RawBuilder<unknown>> & {
  names: (workspaceId: string) => RawBuilder<unknown>
}

const GROUPS: Record<OutcomeGroup, Grouping> = {
  signal: {
    finding: sql`d.signal_id`,
    move: sql`null`,
    keys: sql`array[counted.key]`,
    name: sql`signals.name`,
    names: (workspaceId) => sql`left join signals on signals.workspace_id = ${workspaceId} and signals.id = row.key`,
  },
  source: {
    finding: sql`d.source_names`,
    move: sql`array(select distinct proof ->> 'source' from jsonb_array_elements(move.evidence) as proof order by 1)`,
    keys: sql`counted.key`,
    name: sql`row.key`,
    names: () => sql``,
  },
  owner: {
    finding: sql`accounts.owner_id`,
    move: sql`accounts.owner_id`,
    keys: sql`array[counted.key::text]`,
    name: sql`members.name`,
    names: (workspaceId) =>
      sql`left join members on members.workspace_id = ${workspaceId} and members.id::text = row.key`,
  },
}

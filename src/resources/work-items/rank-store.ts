import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import { MOVE_SENTENCE } from '../../db/move-sentence.ts'
import type { StoredEvidence } from '../../db/schema.ts'
import type { ActNowFactor, WorkItemEventKind } from '../../db/work-item-tables.ts'
import type { Champion, Relation } from '../../engine/act-now/relation.ts'
import { newId } from '../../shared/ids.ts'
import { dealsOf, isContactOf } from '../accounts/crm-store.ts'

/** An event that may need a work item: `same` are other records of the same event, which never open another item. */
export type NewEvent = { id: string; kind: WorkItemEventKind; same: readonly string[] }

/**
 * Adds events to the work item of an account that is not done, or to a new one. A snoozed item opens again. An event of
 * which another record is known joins the item of that record without a change of its state.
 */
export async function addEvents(db: Db, workspaceId: string, accountId: string, events: readonly NewEvent[]) {
  if (events.length === 0) return
  const known = await findItems(
    db,
    workspaceId,
    events.flatMap(({ id, same }) => [id, ...same]),
  )
  const rows: { record_id: string; kind: WorkItemEventKind; work_item_id: string }[] = []
  let current: string | null = null
  for (const { id, kind, same } of events) {
    if (known.has(id)) continue
    const joined = same.map((other) => known.get(other)).find((item) => item !== undefined)
    current ??= joined ? null : await openItem(db, workspaceId, accountId)
    const work_item_id = joined ?? current
    // The account was deleted.
    if (!work_item_id) return
    known.set(id, work_item_id)
    rows.push({ record_id: id, kind, work_item_id })
  }
  if (rows.length === 0) return
  await db
    .insertInto('work_item_events')
    .values(rows.map((row) => ({ workspace_id: workspaceId, ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function findItems(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('work_item_events')
    .select(['record_id', 'work_item_id'])
    .where('workspace_id', '=', workspaceId)
    .where('record_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ record_id, work_item_id }) => [record_id, work_item_id]))
}

/** The open item of an account: an existing one, a snoozed one that opens again, or a new one. */
async function openItem(db: Db, workspaceId: string, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    with snoozed as (
      select id from work_items where workspace_id = ${workspaceId} and account_id = ${accountId} and state = 'snoozed'
    ), line as (
      insert into account_activities (workspace_id, id, account_id, kind, work_item_id)
      select ${workspaceId}::uuid, ${newId()}::uuid, ${accountId}::uuid, 'reopened', id from snoozed
    )
    insert into work_items (workspace_id, id, account_id, owner_id, account_status)
    select workspace_id, ${newId()}::uuid, id, owner_id, status from accounts
    where workspace_id = ${workspaceId} and id = ${accountId}
    -- Its owner must not change before the item has a copy of it.
    for no key update
    on conflict (workspace_id, account_id) where state <> 'done' do update
      set state = 'open', snoozed_until = null, wakes_at = null,
        opened_at = case when work_items.state = 'snoozed' then excluded.opened_at else work_items.opened_at end
    returning id`.execute(db)
  return rows[0]?.id ?? null
}

/** The item of an account that is not done. */
export async function findCurrentItem(db: Db, workspaceId: string, accountId: string) {
  const item = await db
    .selectFrom('work_items')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.workspace_id', '=', 'work_items.workspace_id')
        .onRef('accounts.id', '=', 'work_items.account_id'),
    )
    .select(['work_items.id', 'accounts.icp_fit', 'accounts.relationship'])
    .select(['accounts.relationship_on', 'accounts.relationship_reason'])
    .where('work_items.workspace_id', '=', workspaceId)
    .where('work_items.account_id', '=', accountId)
    .where('work_items.state', '<>', 'done')
    .executeTakeFirst()
  return item ?? null
}

/** The headline of a lost deal that is due. */
export const LOST_DEAL_HEADLINE = sql<string>`'Lost on ' || to_char(accounts.relationship_on, 'FMDD FMMonth YYYY') ||
  coalesce(' (' || ${shortText(sql`accounts.relationship_reason`)} || ')', '') || ': time for another try'`

/** The id of the event of a lost deal: a later loss is another event. */
export const LOST_DEAL_ID = sql<string>`md5(accounts.id || ' lost ' || accounts.relationship_on)::uuid`

/** A text of a CRM on one line, short enough for a reason. */
function shortText(column: ReturnType<typeof sql>) {
  return sql`left(regexp_replace(btrim(${column}), '\\s+', ' ', 'g'), 80)`
}

export type CurrentItem = NonNullable<Awaited<ReturnType<typeof findCurrentItem>>>

export type StoredEvent = {
  id: string
  kind: WorkItemEventKind
  /** Null for a move and a lost deal. */
  signal_id: string | null
  headline: string
  happened_on: string
  confidence: number
  earlier: number
  evidence: StoredEvidence[]
  /** The person who moved, and their new title. */
  person_name: string | null
  title: string | null
  /** Whether they joined this account. */
  is_arrival: boolean
  /** False for a detection of a signal that is switched off. */
  is_enabled: boolean
  /** For the move of a contact of a won deal. */
  champion: Champion | null
}

/** Earlier events of a signal make a new one less rare for this long. */
const EARLIER_DAYS = 365

/** The last deal that was won with the person of a `move`, as JSON; null when there is none or it was at the new company. */
const championOf = (
  workspaceId: string,
  accountId: string,
) => sql<Champion | null>`case when move.kind = 'joined' then (
  select json_build_object('full_name', people.full_name, 'company', coalesce(former.name, company.name),
    'won_on', deal.closes_on, 'title', move.to_title,
    'joined', case when move.to_account_id is distinct from ${accountId} then move.to_employer end,
    'is_former', coalesce(former.relationship = 'former_customer', company.is_former_customer and not company.is_customer))
  from pulled_contacts as contact
    join pulled_deals as deal on deal.workspace_id = contact.workspace_id and deal.provider = contact.provider
      and deal.contact_crm_ids @> array[contact.crm_id] and deal.is_won and deal.deleted_at is null
    join pulled_companies as company on company.workspace_id = deal.workspace_id and company.provider = deal.provider
      and company.crm_id = deal.company_crm_id and company.deleted_at is null
    left join accounts as former on former.workspace_id = company.workspace_id and former.id = company.account_id
  where contact.workspace_id = ${workspaceId} and ${isContactOf('move.person_id')}
    and (company.account_id is null or company.account_id is distinct from move.to_account_id)
  order by deal.closes_on desc nulls last, deal.crm_id limit 1) end`

/** The detections of an item that are shown, its moves, and its lost deal while it is one. */
export async function listItemEvents(db: Db, workspaceId: string, accountId: string, itemId: string) {
  const { rows } = await sql<StoredEvent>`
    select d.id, 'detection' as kind, d.signal_id, ${sql.raw(FINDING_HEADLINE)} as headline, d.detected_at as happened_on, d.confidence,
      d.evidence, null as person_name, null as title, false as is_arrival, signals.enabled as is_enabled,
      null::json as champion,
      (select count(*)::int from signal_detections as other where other.workspace_id = ${workspaceId}
        and other.account_id = d.account_id and other.signal_id = d.signal_id and other.is_shown
        and other.detected_at < d.detected_at and other.detected_at > d.detected_at - ${sql.lit(EARLIER_DAYS)}) as earlier
    from work_item_events as event
      join signal_detections as d on d.workspace_id = event.workspace_id and d.id = event.record_id and d.is_shown
      join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
    where event.workspace_id = ${workspaceId} and event.work_item_id = ${itemId} and event.kind = 'detection'
    union all
    select move.id, 'move', null, ${MOVE_SENTENCE}, coalesce(move.happened_on, move.created_at::date), 1,
      '[]'::jsonb, people.full_name, case when move.to_account_id = ${accountId} then move.to_title else move.from_title end,
      coalesce(move.to_account_id = ${accountId}, false), true, ${championOf(workspaceId, accountId)}, 0
    from work_item_events as event
      join person_moves as move on move.workspace_id = event.workspace_id and move.id = event.record_id
      join people on people.workspace_id = move.workspace_id and people.id = move.person_id
    where event.workspace_id = ${workspaceId} and event.work_item_id = ${itemId} and event.kind = 'move'
    union all
    select event.record_id, 'deal', null, ${LOST_DEAL_HEADLINE}, event.created_at::date, 1, '[]'::jsonb, null, null, false, true,
      null, 0
    from work_item_events as event
      join accounts on accounts.workspace_id = event.workspace_id and accounts.id = ${accountId}
        and accounts.relationship = 'lost_deal' and event.record_id = ${LOST_DEAL_ID}
    where event.workspace_id = ${workspaceId} and event.work_item_id = ${itemId} and event.kind = 'deal'`.execute(db)
  return rows
}

/** The open deal of an account that closes next. */
export async function findOpenDeal(db: Db, workspaceId: string, accountId: string): Promise<Relation['open_deal']> {
  const { rows } = await sql<NonNullable<Relation['open_deal']>>`
    select ${shortText(sql`deal.stage`)} as stage, deal.closes_on
    from ${dealsOf(workspaceId, accountId)} and not deal.is_closed
    order by deal.closes_on nulls last, deal.crm_id limit 1`.execute(db)
  return rows[0] ?? null
}

/**
 * Accounts of all workspaces whose lost deal is due for another try and has no work item yet: of each workspace as many as
 * given, those first that were lost last, because they became due when they should.
 */
export async function listDueDeals(db: Db, today: string, perWorkspace: number) {
  const { rows } = await sql<{ workspace_id: string; account_id: string; record_id: string }>`
    ${sql.raw(ALL_WORKSPACES)} select workspace_id, account_id, record_id from (
      select accounts.workspace_id, accounts.id as account_id, ${LOST_DEAL_ID} as record_id, row_number() over
        (partition by accounts.workspace_id order by accounts.relationship_on desc, accounts.id) as place
      from workspaces join accounts on accounts.workspace_id = workspaces.id
      where accounts.relationship = 'lost_deal'
        and accounts.status in ('active', 'suggested')
        and (accounts.relationship_on + make_interval(months => workspaces.lost_deal_months))::date <= ${today}::date
        and not exists (select from work_item_events as known where known.workspace_id = accounts.workspace_id
          and known.record_id = ${LOST_DEAL_ID})
    ) as due
    where place <= ${perWorkspace}`.execute(db)
  return rows
}

type Rank = { act_now: number; factors: ActNowFactor[]; lead_id: string | null; person_id: string | null }

/** A done item keeps its last rank: it may have been closed since it was read. */
export async function writeRank(db: Db, workspaceId: string, id: string, { factors, ...rank }: Rank): Promise<void> {
  await db
    .updateTable('work_items')
    .set({ ...rank, factors: JSON.stringify(factors) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '<>', 'done')
    .execute()
}

export async function deleteWorkItem(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('work_items')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '<>', 'done')
    .execute()
}

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { FINDING_HEADLINE } from '../../db/finding-headline.ts'
import { MOVE_SENTENCE } from '../../db/move-sentence.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { WorkItemOutcome, WorkItemState } from '../../db/work-item-tables.ts'
import { notFound } from '../../shared/errors.ts'
import type { Viewer } from '../../shared/member.ts'
import { hasRelationship } from '../accounts/crm-store.ts'
import { draftFields } from '../detections/store.ts'
import { LOST_DEAL_HEADLINE, LOST_DEAL_ID } from './rank-store.ts'
import type { WorkItem } from './schema.ts'

const MAX_EVENTS = 5

export type WorkItemFilter = {
  view: 'queue' | 'mine' | 'unowned' | 'all' | 'suggested'
  state: WorkItemState
  account_id?: string | undefined
  relationship?: string | undefined
  page: number
  per_page: number
}

/** The member who reads, and whose view applies. */
type Reader = { viewer: Viewer; member_id: string; sees_suggestions: boolean }

/** A page of work items in the order of the queue, and how many there are. */
export async function listWorkItems(db: Db, reader: Reader, filter: WorkItemFilter) {
  const [{ rows }, { rows: counts }] = await Promise.all([
    selectPage(reader, filter).execute(db),
    countItems(reader, filter).execute(db),
  ])
  return { rows, total: Number(counts[0]?.total ?? 0) }
}

export function selectPage(reader: Reader, filter: WorkItemFilter): RawBuilder<WorkItem> {
  const { workspace_id } = reader.viewer
  const { value, by } = ORDER[filter.state]
  const wanted = filter.page * filter.per_page
  // Each part is read from the index in its order, so that a page costs as much as its position.
  const ids = sql.join(
    partsOf(reader, filter).map(
      (condition, tier) => sql`(select id, ${sql.lit(tier)} as tier, ${value} as place
        from work_items where workspace_id = ${workspace_id} and ${condition} order by ${by} limit ${wanted})`,
    ),
    sql` union all `,
  )
  const direction = filter.state === 'snoozed' ? sql`asc` : sql`desc`
  // Snoozed and done items are a calendar: the owner of the account does not change their order.
  const tier = filter.state === 'open' ? sql`tier,` : sql``
  const items = sql`page join work_items as item on item.workspace_id = ${workspace_id} and item.id = page.id`
  return sql<WorkItem>`
    with page as materialized (
      select id, row_number() over (order by ${tier} place ${direction}, id) as place from (${ids}) as found
      order by 2 limit ${filter.per_page} offset ${(filter.page - 1) * filter.per_page}
    )
    ${contentOf(reader.viewer, items)}
    order by page.place`
}

export function countItems(reader: Reader, filter: WorkItemFilter): RawBuilder<{ total: number }> {
  const counts = partsOf(reader, filter).map(
    (condition) =>
      sql`(select count(*) from work_items where workspace_id = ${reader.viewer.workspace_id} and ${condition})`,
  )
  return sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`
}

const ORDER = {
  open: { value: sql`act_now::float8`, by: sql`act_now desc, id` },
  snoozed: { value: sql`extract(epoch from wakes_at)::float8`, by: sql`wakes_at, id` },
  done: { value: sql`extract(epoch from changed_at)::float8`, by: sql`changed_at desc, id` },
}

/** The conditions of a view, one for each part of the list in its order. */
function partsOf({ viewer, member_id, sees_suggestions }: Reader, filter: WorkItemFilter): RawBuilder<unknown>[] {
  const { state, view, account_id, relationship } = filter
  const isScoped = viewer.scoped_to !== null
  const common = sql`state = ${state} ${state === 'open' ? sql`and lead_id is not null` : sql``}
    ${account_id ? sql`and account_id = ${account_id}` : sql``}
    ${
      relationship
        ? sql`and account_id in (select id from accounts where workspace_id = ${viewer.workspace_id}
      and ${sql.raw(hasRelationship(relationship))})`
        : sql``
    } ${isScoped ? sql`and ${hasVisibleEvent(viewer)}` : sql``}`
  const active = sql`account_status = 'active'`
  const mine = sql`${common} and ${active} and owner_id = ${member_id}`
  const unowned = sql`${common} and ${active} and owner_id is null`
  const suggested = sql`${common} and account_status = 'suggested'`
  if (view === 'suggested') {
    if (!isScoped) return [suggested]
    const own = sql`${suggested} and owner_id = ${member_id}`
    return sees_suggestions ? [sql`${suggested} and (owner_id is null or owner_id = ${member_id})`] : [own]
  }
  if (view === 'mine' || isScoped) return view === 'unowned' ? [sql`false`] : [mine]
  if (view === 'unowned') return [unowned]
  return view === 'all' ? [sql`${common} and ${active}`] : [mine, unowned]
}

/** Whether a scoped viewer sees an event of the item: moves of people whom they do not see are hidden. */
function hasVisibleEvent(viewer: Viewer) {
  return sql`exists (select from work_item_events as event where event.workspace_id = ${viewer.workspace_id}
    and event.work_item_id = work_items.id and (event.kind <> 'move' or exists (select from person_moves as move
      join people on people.workspace_id = move.workspace_id and people.id = move.person_id
      where move.workspace_id = ${viewer.workspace_id} and move.id = event.record_id and ${visibleTo(viewer)})))`
}

/** The fields of the API for the rows of `from`, in which the item is `item`. People whom the viewer may not see are left out. */
function contentOf(viewer: Viewer, from: RawBuilder<unknown>) {
  const drafted = draftFields('d', viewer)
  return sql`
    select item.id, item.state, item.outcome, item.snoozed_until, item.note, item.changed_by, item.changed_at,
      round(item.act_now)::int as act_now, ${factorsFor(viewer)} as factors, item.opened_at,
      json_build_object('id', accounts.id, 'name', accounts.name, 'domain', accounts.domain, 'status', accounts.status,
        'owner_id', accounts.owner_id, 'score', accounts.score, 'is_hot', accounts.is_hot, 'tags', accounts.tags,
        'relationship', accounts.relationship) as account,
      coalesce(events.listed, '[]') as events, coalesce(events.total, 0)::int as total_events,
      person.shown as person,
      case when person.shown is null then ${MISSING_PERSON}
        when person.shown ->> 'email' is null then coalesce(person.shown ->> 'email_note', 'The email has not been looked up yet.')
      end as missing,
      lead.drafted_message_md, lead.draft
    from ${from}
      join accounts on accounts.workspace_id = item.workspace_id and accounts.id = item.account_id
      left join lateral (
        select ${sql.raw(drafted.drafted_message_md)} as drafted_message_md, ${sql.raw(drafted.draft)} as draft
        from signal_detections as d where d.workspace_id = ${viewer.workspace_id} and d.id = item.lead_id and d.is_shown
      ) as lead on true
      left join lateral (
        select json_build_object('id', people.id, 'full_name', people.full_name, 'title', people.title, 'email', people.email,
          'email_note', people.email_note, 'phone', people.phone, 'network_url', people.network_url) as shown
        from people where people.workspace_id = ${viewer.workspace_id} and people.id = item.person_id and ${visibleTo(viewer)}
      ) as person on true
      left join lateral (
        select json_agg(event.shown order by event.place) filter (where event.place <= ${sql.lit(MAX_EVENTS)}) as listed,
          count(*) as total
        from (
          select shown, row_number() over (order by (shown ->> 'id')::uuid = item.lead_id desc, weight desc,
            shown ->> 'happened_on' desc, shown ->> 'id') as place
          from (${eventsOf(viewer)}) as each
        ) as event
      ) as events on true`
}

const MISSING_PERSON = sql`(select upper(left(factor ->> 'why', 1)) || substr(factor ->> 'why', 2) || '.'
  from jsonb_array_elements(item.factors) as factor where factor ->> 'name' = 'contact' and item.person_id is null limit 1)`

/** The factors of `item`; for a scoped viewer without those that name people or moves whom they may not see. */
function factorsFor(viewer: Viewer) {
  if (viewer.scoped_to === null) return sql`item.factors`
  return sql`(select coalesce(jsonb_agg(factor order by place), '[]')
    from jsonb_array_elements(item.factors) with ordinality as each (factor, place)
    where case
      when factor ->> 'name' in ('event', 'champion') then exists (select from (${eventsOf(viewer)}) as seen where seen.shown ->> 'id' = factor ->> 'record_id')
      when factor ->> 'name' = 'contact' then item.person_id is null or person.shown is not null
      else true end)`
}

/** The events of `item` as the API shows them; those of signals that are switched off only when it is done. */
function eventsOf(viewer: Viewer) {
  return sql`
    select json_build_object('id', d.id, 'kind', 'detection', 'signal_id', d.signal_id, 'signal_name', signals.name,
        'headline', ${sql.raw(FINDING_HEADLINE)}, 'happened_on', d.detected_at, 'claim', d.evidence -> 0 ->> 'claim',
        'quote', d.evidence -> 0 ->> 'quote', 'source_url', d.evidence -> 0 ->> 'source_url',
        'reports', jsonb_array_length(d.evidence)) as shown, d.alpha as weight
    from work_item_events as event
      join signal_detections as d on d.workspace_id = event.workspace_id and d.id = event.record_id and d.is_shown
      join signals on signals.workspace_id = d.workspace_id and signals.id = d.signal_id
        and (signals.enabled or item.state = 'done')
    where event.workspace_id = ${viewer.workspace_id} and event.work_item_id = item.id and event.kind = 'detection'
    union all
    select json_build_object('id', move.id, 'kind', 'move', 'signal_id', null, 'signal_name', 'Job change',
        'headline', ${MOVE_SENTENCE}, 'happened_on', coalesce(move.happened_on, move.created_at::date),
        'claim', null, 'quote', move.evidence -> 0 ->> 'quote',
        'source_url', coalesce(nullif(move.evidence -> 0 ->> 'url', ''), move.evidence -> 0 ->> 'source'),
        'reports', jsonb_array_length(move.evidence)), 60
    from work_item_events as event
      join person_moves as move on move.workspace_id = event.workspace_id and move.id = event.record_id
      join people on people.workspace_id = move.workspace_id and people.id = move.person_id
    where event.workspace_id = ${viewer.workspace_id} and event.work_item_id = item.id and event.kind = 'move'
      and ${visibleTo(viewer)}
    union all
    select json_build_object('id', event.record_id, 'kind', 'deal', 'signal_id', null, 'signal_name', 'Lost deal',
        'headline', ${LOST_DEAL_HEADLINE}, 'happened_on', event.created_at::date, 'claim', null, 'quote', null,
        'source_url', null, 'reports', 1), 40
    from work_item_events as event
    where event.workspace_id = ${viewer.workspace_id} and event.work_item_id = item.id and event.kind = 'deal'
      and accounts.relationship = 'lost_deal' and event.record_id = ${LOST_DEAL_ID}`
}

/** Throws not_found; also for an item of an account that a scoped viewer does not own. */
export async function getWorkItem(db: Db, viewer: Viewer, id: string): Promise<WorkItem> {
  const own = viewer.scoped_to === null ? sql`` : sql`and accounts.owner_id = ${viewer.scoped_to}`
  const { rows } = await sql<WorkItem>`
    ${contentOf(viewer, sql`work_items as item`)}
    where item.workspace_id = ${viewer.workspace_id} and item.id = ${id} ${own}`.execute(db)
  if (!rows[0]) throw notFound('work item')
  return rows[0]
}

const LOCKED = ['id', 'account_id', 'state', 'outcome', 'lead_id', 'snoozed_until', 'note'] as const

/** Locks an item. Throws not_found. */
export async function lockWorkItem(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('work_items')
    .select(LOCKED)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound('work item')
  return found
}

export type LockedWorkItem = Awaited<ReturnType<typeof lockWorkItem>>

/** The item of an account that is not done, locked. */
export async function lockCurrentItem(db: Db, workspaceId: string, accountId: string) {
  const found = await db
    .selectFrom('work_items')
    .select(LOCKED)
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('state', '<>', 'done')
    .forUpdate()
    .executeTakeFirst()
  return found ?? null
}

type NewState = { state: 'open' } | { state: 'snoozed'; until: string } | { state: 'done'; outcome: WorkItemOutcome }

/** Writes the state of an item. A snoozed one wakes at the start of the day in the member's time zone. */
export async function writeState(
  db: Db,
  workspaceId: string,
  id: string,
  memberId: string | null,
  to: NewState & { note: string | null },
): Promise<void> {
  const until = to.state === 'snoozed' ? to.until : null
  await db
    .updateTable('work_items')
    .set({
      state: to.state,
      outcome: to.state === 'done' ? to.outcome : null,
      snoozed_until: until,
      wakes_at:
        until === null
          ? null
          : sql<string>`(${until}::date::timestamp at time zone
              coalesce((select time_zone from members where workspace_id = ${workspaceId} and id = ${memberId}), 'UTC'))`,
      note: to.note,
      // The reasons name people; a done item is not ranked, and an opened one is ranked again.
      ...(to.state === 'done' ? { factors: '[]' } : {}),
      changed_by: memberId,
      changed_at: sql`now()`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** The detections of an item, also those that are not shown. */
export async function listItemDetections(db: Db, workspaceId: string, id: string) {
  return db
    .selectFrom('work_item_events as event')
    .innerJoin('signal_detections as d', (join) =>
      join.onRef('d.workspace_id', '=', 'event.workspace_id').onRef('d.id', '=', 'event.record_id'),
    )
    .select(['d.id', 'd.verdict', 'd.is_shown'])
    .where('event.workspace_id', '=', workspaceId)
    .where('event.work_item_id', '=', id)
    .execute()
}

/** Opens items of all workspaces whose snooze has ended. Returns how many. */
export async function wakeItems(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    ${sql.raw(ALL_WORKSPACES)} update work_items set state = 'open', snoozed_until = null, wakes_at = null, opened_at = now()
    where state = 'snoozed' and wakes_at <= now()`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

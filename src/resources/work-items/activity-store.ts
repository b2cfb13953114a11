import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { PushRecordType } from '../../db/push-tables.ts'
import { visibleTo } from '../../db/visibility.ts'
import type { ActivityKind } from '../../db/work-item-tables.ts'
import { newId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'
import type { AccountActivity } from './schema.ts'

export type NewActivity = {
  account_id: string
  kind: ActivityKind
  member_id: string | null
  person_id?: string | null
  work_item_id?: string | null
  note?: string | null
  data?: { outcome?: string; until?: string; target?: string }
}

/** Adds a line to the timeline of an account. */
export async function recordActivity(db: Db, workspaceId: string, { data, ...activity }: NewActivity): Promise<void> {
  await recordActivities(db, workspaceId, [{ ...activity, ...(data ? { data } : {}) }])
}

export async function recordActivities(db: Db, workspaceId: string, activities: readonly NewActivity[]): Promise<void> {
  if (activities.length === 0) return
  await db
    .insertInto('account_activities')
    .values(
      activities.map(({ account_id, kind, member_id, person_id, work_item_id, note, data }) => ({
        workspace_id: workspaceId,
        id: newId(),
        account_id,
        kind,
        member_id,
        person_id: person_id ?? null,
        work_item_id: work_item_id ?? null,
        note: note ?? null,
        data: JSON.stringify(data ?? {}),
      })),
    )
    .execute()
}

type HandOver = {
  account_id: string
  work_item_id: string
  person_id: string | null
  member_id: string
  target: string
}

/** Adds a line for the push of a work item to a CRM, once: another attempt writes what other CRMs lack. */
export async function recordHandOver(db: Db, workspaceId: string, handOver: HandOver): Promise<void> {
  const { account_id, work_item_id, person_id, member_id, target } = handOver
  await sql`
    insert into account_activities (workspace_id, id, account_id, kind, member_id, person_id, work_item_id, data)
    select ${workspaceId}::uuid, ${newId()}::uuid, ${account_id}::uuid, 'pushed', ${member_id}::uuid, ${person_id}::uuid,
      ${work_item_id}::uuid, ${JSON.stringify({ target })}::jsonb
    where not exists (select 1 from account_activities where workspace_id = ${workspaceId} and account_id = ${account_id}
      and work_item_id = ${work_item_id} and kind = 'pushed' and data ->> 'target' = ${target})`.execute(db)
}

/** Adds a line for each pushed account, or for the account of each pushed person. */
export async function recordPushActivities(
  db: Db,
  workspaceId: string,
  recordType: PushRecordType,
  ids: readonly string[],
  { member_id, target }: { member_id: string; target: string },
): Promise<void> {
  const table = recordType === 'accounts' ? sql`accounts` : sql`people`
  const columns = recordType === 'accounts' ? sql`id, null::uuid` : sql`account_id, id`
  await sql`
    insert into account_activities (workspace_id, id, account_id, person_id, kind, member_id, data)
    select workspace_id, gen_random_uuid(), ${columns}, 'pushed', ${member_id}::uuid, ${JSON.stringify({ target })}::jsonb
    from ${table} where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(db)
}

/** The lines of an account, newest first. A person whom the viewer may not see is left out, with the note about them. */
export async function listActivities(
  db: Db,
  viewer: Viewer,
  accountId: string,
  { page, per_page }: { page: number; per_page: number },
) {
  const { workspace_id } = viewer
  const [{ rows }, { total }] = await Promise.all([
    sql<AccountActivity>`
      select line.id, line.kind, line.member_id, line.work_item_id, line.created_at, person.shown as person,
        case when line.person_id is null or person.shown is not null then line.note end as note,
        line.data ->> 'outcome' as outcome, line.data ->> 'until' as until, line.data ->> 'target' as target
      from account_activities as line
        left join lateral (
          select json_build_object('id', people.id, 'full_name', people.full_name) as shown from people
          where people.workspace_id = ${workspace_id} and people.id = line.person_id and ${visibleTo(viewer)}
        ) as person on true
      where line.workspace_id = ${workspace_id} and line.account_id = ${accountId}
      order by line.created_at desc, line.id desc limit ${per_page} offset ${(page - 1) * per_page}`.execute(db),
    db
      .selectFrom('account_activities')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .where('workspace_id', '=', workspace_id)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total }
}

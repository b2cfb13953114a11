import { type RawBuilder, sql } from 'kysely'
import { toArrayLiteral, toTextArrayLiteral } from '../../db/arrays.ts'
import type { Db } from '../../db/connect.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { PushRecordType } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'

/** The destination of attempts and their run; a test has no run. */
type DeliveredTo = { destination_id: string; run_id: string | null }

export type DeliveryRow = {
  record_id: string | null
  webhook_id: string
  attempt: number
  status: number | null
  message: string | null
  latency_ms: number
  answer: string | null
  /** In milliseconds. */
  sent_at: number
  /** Hexadecimal. */
  body_digest: string
}

/** The statement that logs attempts. Entries logged after the destination was deleted are purged by age. */
export function deliveriesInsert(
  workspaceId: string,
  { destination_id, run_id }: DeliveredTo,
  rows: readonly DeliveryRow[],
): RawBuilder<unknown> {
  const of = <T>(read: (row: DeliveryRow) => T) => rows.map(read)
  return sql`
    insert into deliveries (workspace_id, id, destination_id, run_id, record_id, webhook_id, attempt, status, message, latency_ms, answer,
      sent_at, body_digest)
    select ${workspaceId}::uuid, given.id, ${destination_id}::uuid, ${run_id}::uuid, record_id, webhook_id, attempt, status, message, latency_ms, answer,
      to_timestamp(sent_at / 1000), decode(body_digest, 'hex')
    from unnest(${toArrayLiteral(of(newId))}::uuid[], ${toArrayLiteral(of((row) => row.record_id))}::uuid[],
      ${toArrayLiteral(of((row) => row.webhook_id))}::text[], ${toArrayLiteral(of((row) => row.attempt))}::int[],
      ${toArrayLiteral(of((row) => row.status))}::int[], ${toTextArrayLiteral(of((row) => row.message))}::text[],
      ${toArrayLiteral(of((row) => row.latency_ms))}::int[], ${toTextArrayLiteral(of((row) => row.answer))}::text[],
      ${toArrayLiteral(of((row) => row.sent_at))}::float8[], ${toArrayLiteral(of((row) => row.body_digest))}::text[])
      as given (id, record_id, webhook_id, attempt, status, message, latency_ms, answer, sent_at, body_digest)`
}

export async function insertDeliveries(
  db: Db,
  workspaceId: string,
  to: DeliveredTo,
  rows: readonly DeliveryRow[],
): Promise<void> {
  await deliveriesInsert(workspaceId, to, rows).execute(db)
}

/** Attempts that were not acknowledged; the index `deliveries_failed` has the same condition. */
const FAILED = sql<boolean>`(deliveries.status is null or deliveries.status not between 200 and 299)`

/** The log of a destination: a scoped viewer sees only the entries of people they see. */
function deliveriesTo(db: Db, viewer: Viewer, destinationId: string) {
  return db
    .selectFrom('deliveries')
    .where('deliveries.workspace_id', '=', viewer.workspace_id)
    .where('deliveries.destination_id', '=', destinationId)
    .$if(viewer.scoped_to !== null, (query) =>
      query.where(sql<boolean>`(record_id is null
        or exists (select from accounts where accounts.workspace_id = ${viewer.workspace_id} and accounts.id = record_id)
        or exists (select from people where people.workspace_id = ${viewer.workspace_id} and people.id = record_id
          and ${visibleTo(viewer)}))`),
    )
}

const COLUMNS = [
  'deliveries.id',
  'deliveries.run_id',
  'deliveries.record_id',
  'deliveries.webhook_id',
  'deliveries.attempt',
  'deliveries.status',
  'deliveries.message',
  'deliveries.latency_ms',
  'deliveries.answer',
  'deliveries.created_at',
] as const

/** The record of the entry with its name; null for a test and for a deleted record. */
const recordOf = (workspaceId: string) =>
  sql<{ type: 'account' | 'person'; id: string; name: string } | null>`(
  select json_build_object('type', type, 'id', record_id, 'name', name) from (
    select 'account' as type, accounts.name from accounts
    where accounts.workspace_id = ${workspaceId} and accounts.id = record_id
    union all
    select 'person', people.full_name from people
    where people.workspace_id = ${workspaceId} and people.id = record_id limit 1) as named)`.as('record')

type Which = { failed?: boolean | undefined; page: number; per_page: number }

export async function listDeliveries(db: Db, viewer: Viewer, destinationId: string, { failed, page, per_page }: Which) {
  const base = deliveriesTo(db, viewer, destinationId).$if(failed === true, (query) => query.where(FAILED))
  const [rows, { count }] = await Promise.all([
    base
      .select(COLUMNS)
      .select(recordOf(viewer.workspace_id))
      .orderBy('deliveries.created_at', 'desc')
      .orderBy('deliveries.id', 'desc')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    base.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: count }
}

/** One attempt with the digest of its body. Throws not_found. */
export async function getDelivery(db: Db, viewer: Viewer, destinationId: string, id: string) {
  const found = await deliveriesTo(db, viewer, destinationId)
    .leftJoin('push_runs', (join) =>
      join
        .onRef('push_runs.workspace_id', '=', 'deliveries.workspace_id')
        .onRef('push_runs.id', '=', 'deliveries.run_id'),
    )
    .select(COLUMNS)
    .select(['deliveries.sent_at', 'deliveries.body_digest', 'push_runs.record_type'])
    .select(recordOf(viewer.workspace_id))
    .where('deliveries.id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('delivery')
  return found
}

/**
 * Records that the viewer sees and whose last attempt was not acknowledged, without those that wait to be sent again.
 */
export async function findFailedRecords(db: Db, viewer: Viewer, destinationId: string) {
  const { rows } = await sql<{ record_type: PushRecordType; ids: string[] }>`
    with last as (
      select distinct on (record_id) record_id, run_id, status from deliveries
      where workspace_id = ${viewer.workspace_id} and destination_id = ${destinationId} and record_id is not null
      order by record_id, created_at desc, id desc
    )
    select push_runs.record_type, array_agg(last.record_id order by last.record_id) as ids
    from last join push_runs on push_runs.workspace_id = ${viewer.workspace_id} and push_runs.id = last.run_id
    where (last.status is null or last.status not between 200 and 299)
      and case push_runs.record_type
        when 'accounts' then exists (select from accounts
          where accounts.workspace_id = ${viewer.workspace_id} and accounts.id = last.record_id)
        else exists (select from people
          where people.workspace_id = ${viewer.workspace_id} and people.id = last.record_id and ${visibleTo(viewer)}) end
      and not exists (select from push_runs as running join push_rows as waiting
          on waiting.workspace_id = running.workspace_id and waiting.run_id = running.id
        where running.workspace_id = ${viewer.workspace_id} and running.destination_id = ${destinationId}
          and running.status = 'running' and waiting.record_id = last.record_id and waiting.state = 'pending')
    group by push_runs.record_type order by push_runs.record_type`.execute(db)
  return rows
}

/** Deletes log entries older than so many days. */
export const oldDeliveries = (days: number) => purgeOlderThan({ table: 'deliveries', time: 'created_at', days })

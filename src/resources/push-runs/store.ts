import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type LeasedQueue, leasedQueue } from '../../db/leases.ts'
import { before, inBatches, type Purge } from '../../db/purge.ts'
import type { PushChannel, PushRecordType, RowOutcomes } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import { notFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import type { Viewer } from '../../member.ts'

/** Rows of runs that are forgotten at once, beside those of the last run. */
const PURGED_ROWS = 5_000

const RUN_COLUMNS = [
  'id',
  'channel',
  'record_type',
  'status',
  'providers',
  'total',
  'sent',
  'failed',
  'skipped',
  'created_at',
  'finished_at',
] as const
const SAMPLE = 10
/** Ids without a row that are kept to be named, and of each so many characters. */
const SURPLUS = 100
const SURPLUS_CHARACTERS = 100

/** Why a record is skipped that the caller named. */
export const NOT_THERE = 'It names no record that you can see.'
export const NO_ID = 'It is no id.'
export const CAME_BEFORE = 'It came before in the list.'

/**
 * Whether a row is about a record the viewer sees now. What is said of a person is for whoever sees them, also where a
 * scoped member started the run and the person's account has a new owner since.
 */
const isSeen = (viewer: Viewer) =>
  viewer.scoped_to === null
    ? sql`true`
    : sql`(push_runs.record_type <> 'people' or exists (select from people
        where people.workspace_id = rows.workspace_id and people.id = rows.record_id and ${visibleTo(viewer)}))`

/** Where a webhook push goes, by name. */
const DESTINATION = sql<{
  id: string
  name: string
} | null>`(select json_build_object('id', to_it.id, 'name', to_it.name)
  from webhook_destinations as to_it
  where to_it.workspace_id = push_runs.workspace_id and to_it.id = push_runs.destination_id)`.as('destination')

/** What went wrong, at most ten of it: the failure of the run itself, then rows. */
const errorSample = (viewer: Viewer) =>
  sql<{ id: string | null; name: string | null; status: number | null; message: string }[]>`
  (select coalesce(json_agg(sample), '[]') from (
    (select null::uuid as id, null as name, null::integer as status, push_runs.failure as message where push_runs.failure is not null)
    union all
    (select record_id, case push_runs.record_type
       when 'accounts' then (select name from accounts where accounts.workspace_id = rows.workspace_id and accounts.id = record_id)
       else (select full_name from people where people.workspace_id = rows.workspace_id and people.id = record_id) end,
       rows.status, coalesce(message, 'It could not be delivered.') from push_rows as rows
     where rows.workspace_id = push_runs.workspace_id and rows.run_id = push_runs.id and rows.state = 'failed' and ${isSeen(viewer)}
     order by position limit ${sql.lit(SAMPLE)})
    limit ${sql.lit(SAMPLE)}) as sample)`.as('error_sample')

/** What was skipped and why, at most ten of it: records, then ids that have no row. */
const skippedSample = (viewer: Viewer) =>
  sql<{ id: string; message: string }[]>`
  (select coalesce(json_agg(sample), '[]') from (
    (select record_id::text as id, coalesce(case when ${isSeen(viewer)} then message end, ${sql.lit(NOT_THERE)}) as message
     from push_rows as rows
     where rows.workspace_id = push_runs.workspace_id and rows.run_id = push_runs.id and rows.state = 'skipped'
     order by position limit ${sql.lit(SAMPLE)})
    union all
    (select id, case when id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${sql.lit(CAME_BEFORE)} else ${sql.lit(NO_ID)} end
     from unnest(push_runs.surplus) as given (id))
    limit ${sql.lit(SAMPLE)}) as sample)`.as('skipped_sample')

/** What went wrong with people is for those who may see them: a scoped member sees the runs of people they started. */
function runsOf(db: Db, { workspace_id, scoped_to }: Viewer) {
  return db
    .selectFrom('push_runs')
    .where('workspace_id', '=', workspace_id)
    .$if(scoped_to !== null, (query) =>
      query.where((eb) => eb.or([eb('record_type', '!=', 'people'), eb('scoped_to', '=', scoped_to)])),
    )
}

/** Throws not_found. */
export async function getPushRun(db: Db, viewer: Viewer, id: string) {
  const found = await runsOf(db, viewer)
    .select(RUN_COLUMNS)
    .select([DESTINATION, errorSample(viewer), skippedSample(viewer)])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw notFound('push run')
  return found
}

type RunFilters = { status?: 'running' | 'completed' | 'failed'; page: number; per_page: number }

export async function listPushRuns(db: Db, viewer: Viewer, { status, page, per_page }: RunFilters) {
  const base = runsOf(db, viewer).$if(status !== undefined, (query) => query.where('status', '=', status as 'running'))
  const [rows, { count }] = await Promise.all([
    base
      .select(RUN_COLUMNS)
      .select([DESTINATION, errorSample(viewer), skippedSample(viewer)])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    base.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: count }
}

export type NewPushRun = {
  channel: PushChannel
  recordType: PushRecordType
  destinationId: string | null
  /** The CRMs of a CRM push. */
  providers?: string[]
  /** Unique ids, in the order asked. */
  ids: string[]
  /** Ids that came before, or that are none; skipped. */
  surplus: string[]
}

/**
 * Writes a run and all its rows in one statement. Records that are not there, or that the viewer may not see, are rows
 * that are skipped from the start.
 */
export async function insertPushRun(
  db: Db,
  viewer: Viewer,
  { channel, recordType, destinationId, providers = [], ids, surplus }: NewPushRun,
) {
  const id = newId()
  const visible = recordType === 'people' ? sql`and ${visibleTo(viewer)}` : sql``
  const table = sql.table(recordType)
  await sql`
    with asked as (
      select given.id, given.at, ${table}.id is not null as there
      from unnest(${ids}::uuid[]) with ordinality as given (id, at)
      left join ${table} on ${table}.workspace_id = ${viewer.workspace_id} and ${table}.id = given.id ${visible}
    ), run as (
      insert into push_runs (workspace_id, id, channel, record_type, status, destination_id, providers, scoped_to, surplus, total, skipped)
      select ${viewer.workspace_id}::uuid, ${id}::uuid, ${channel}, ${recordType}, 'running', ${destinationId}::uuid, ${providers}::text[], ${viewer.scoped_to}::uuid,
        ${surplus.slice(0, SURPLUS).map((id) => id.slice(0, SURPLUS_CHARACTERS))}::text[],
        count(*) + ${surplus.length}::int, count(*) filter (where not there) + ${surplus.length}::int
      from asked
    )
    insert into push_rows (workspace_id, run_id, record_id, position, state)
    select ${viewer.workspace_id}::uuid, ${id}::uuid, id, at, case when there then 'pending' else 'skipped' end from asked`.execute(
    db,
  )
  return { run_id: id, total: ids.length + surplus.length }
}

export type PushedRow = {
  id: string
  state: 'pending' | 'sent' | 'failed' | 'skipped'
  status: number | null
  message: string | null
  providers_done: string[]
  outcomes: RowOutcomes | null
}

/** What has become of each record of a run, in the order asked. For runs of a few. */
export function readPushedRows(db: Db, workspaceId: string, runId: string): Promise<PushedRow[]> {
  return db
    .selectFrom('push_rows')
    .select(['record_id as id', 'state', 'status', 'message', 'providers_done', 'outcomes'])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
}

export type RunTarget = { destination_id: string | null; providers: string[] }

/** Where the rows of a run go. */
export function getPushTarget(db: Db, workspaceId: string, id: string): Promise<RunTarget> {
  return db
    .selectFrom('push_runs')
    .select(['destination_id', 'providers'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** The run as its worker needs it; null when it is gone. */
export async function findPushWork(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('push_runs')
    .select(['status', 'record_type', 'destination_id', 'providers', 'scoped_to'])
    .select(sql<string>`coalesce(reopened_at, created_at)`.as('opened_at'))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found ?? null
}

export type PushWork = NonNullable<Awaited<ReturnType<typeof findPushWork>>>

export type ClaimedRow = { record_id: string; attempts: number; providers_done: string[] }

/** The rows of a run that are to be sent. */
export function dueRows(db: Db, workspaceId: string, runId: string): LeasedQueue<ClaimedRow> {
  return leasedQueue(db, {
    table: 'push_rows',
    key: ['workspace_id', 'run_id', 'record_id'],
    open: sql`workspace_id = ${workspaceId} and run_id = ${runId} and state = 'pending'`,
    due: sql`next_attempt_at <= now()`,
    order: sql`next_attempt_at, position`,
    columns: ['record_id', 'attempts', 'providers_done'],
  })
}

export type RowResult = {
  record_id: string
  state: 'pending' | 'sent' | 'failed' | 'skipped'
  /** Seconds until the next attempt, for a row that stays pending. */
  retry_in: number
  status: number | null
  message: string | null
  /** The CRMs that have it by now. */
  done?: string[]
  /** What the CRMs said this time. */
  outcomes?: RowOutcomes
  /** It was not tried: this counts as no attempt. */
  waits?: true
}

/**
 * Writes what became of rows and counts them. Rows whose lease another worker has taken since are left to it. They are
 * locked in the order of their ids, as everybody does who writes several: otherwise two could deadlock.
 */
export async function recordResults(
  db: Db,
  workspaceId: string,
  runId: string,
  leaseId: string,
  results: RowResult[],
): Promise<void> {
  await sql`
    with held as materialized (
      select record_id from push_rows
      where workspace_id = ${workspaceId} and run_id = ${runId} and lease_id = ${leaseId}
        and record_id = any(${results.map((result) => result.record_id)}::uuid[])
      order by record_id for update
    ), done as (
      update push_rows set state = given.state, attempts = attempts + case when given.waits then 0 else 1 end, status = given.status, message = given.message,
        next_attempt_at = now() + make_interval(secs => given.retry_in), lease_id = null, lease_until = null,
        providers_done = coalesce(given.done, providers_done),
        outcomes = case when given.outcomes is null then push_rows.outcomes
          else coalesce(push_rows.outcomes, '{}') || given.outcomes end
      from json_to_recordset(${JSON.stringify(results)}::json)
        as given (record_id uuid, state text, retry_in float8, status integer, message text, done text[], waits boolean, outcomes jsonb)
        join held using (record_id)
      where workspace_id = ${workspaceId} and run_id = ${runId} and push_rows.record_id = held.record_id
      returning push_rows.state
    ), counted as (
      select count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'failed') as failed,
        count(*) filter (where state = 'skipped') as skipped from done
    )
    update push_runs set sent = push_runs.sent + counted.sent, failed = push_runs.failed + counted.failed,
      skipped = push_runs.skipped + counted.skipped, touched_at = now()
    from counted where workspace_id = ${workspaceId} and id = ${runId} and status = 'running'`.execute(db)
}

/**
 * Ends the run if every row is delivered, failed for good or skipped. Otherwise answers in how many seconds there is
 * something to do: a retry that is due, or a lease that runs out.
 */
export async function finishOrWait(db: Db, workspaceId: string, runId: string): Promise<number | null> {
  const { rows } = await sql<{ wait: number | null }>`
    select extract(epoch from min(greatest(next_attempt_at, coalesce(lease_until, next_attempt_at))) - now())::float8 as wait
    from push_rows where workspace_id = ${workspaceId} and run_id = ${runId} and state = 'pending'`.execute(db)
  const wait = rows[0]?.wait ?? null
  if (wait !== null) return Math.max(0, wait)
  await sql`
    update push_runs set status = 'completed', finished_at = now()
    where workspace_id = ${workspaceId} and id = ${runId} and status = 'running'
      and not exists (select from push_rows where workspace_id = ${workspaceId} and run_id = ${runId} and state = 'pending')`.execute(
    db,
  )
  return null
}

/** Ends a run that cannot go on. What was not delivered counts as failed and can be sent again with a retry. */
export async function failPushRun(db: Db, workspaceId: string, runId: string, failure: string): Promise<void> {
  await sql`
    with held as materialized (
      select record_id from push_rows
      where workspace_id = ${workspaceId} and run_id = ${runId} and state = 'pending' order by record_id for update
    ), left_over as (
      update push_rows set state = 'failed', message = coalesce(message, ${failure}), lease_id = null, lease_until = null
      from held where workspace_id = ${workspaceId} and run_id = ${runId} and push_rows.record_id = held.record_id returning 1
    )
    update push_runs set status = 'failed', failure = ${failure}, finished_at = now(),
      failed = push_runs.failed + (select count(*) from left_over)
    where workspace_id = ${workspaceId} and id = ${runId} and status = 'running'`.execute(db)
}

/** Makes failed rows pending again and the run running. Answers how many; 0 changes nothing. Throws not_found. */
export async function reopenPushRun(db: Db, workspaceId: string, runId: string): Promise<number> {
  const run = await db
    .selectFrom('push_runs')
    .select('status')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst()
  if (!run) throw notFound('push run')
  const { rows } = await sql<{ reopened: number }>`
    with again as (
      update push_rows set state = 'pending', attempts = 0, next_attempt_at = now(), status = null, message = null
      where workspace_id = ${workspaceId} and run_id = ${runId} and state = 'failed' returning 1
    ), counted as (select count(*)::int as reopened from again), run as (
      update push_runs set status = 'running', failure = null, reopened_at = now(), finished_at = null, failed = failed - counted.reopened, touched_at = now()
      from counted where workspace_id = ${workspaceId} and id = ${runId} and counted.reopened > 0
    )
    select reopened from counted`.execute(db)
  return rows[0]?.reopened ?? 0
}

/** Runs of all workspaces that nobody has worked on for a while: their worker was killed. */
export async function findForgottenPushRuns(db: Db, idleSeconds: number) {
  return db
    .selectFrom('push_runs')
    .select(['workspace_id', 'id', 'channel'])
    .where('status', '=', 'running')
    .where('touched_at', '<', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
    .limit(1000)
    .execute()
}

export async function touchPushRun(db: Db, workspaceId: string, runId: string): Promise<void> {
  await db
    .updateTable('push_runs')
    .set({ touched_at: sql`now()` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', runId)
    .execute()
}

/** Runs of all workspaces that ended so many days ago, each with its rows; as many at once as have a batch of rows. */
export const oldPushRuns =
  (days: number): Purge =>
  (db, deadline) =>
    inBatches(deadline, '-infinity', async (since) => {
      const isOld = sql`finished_at >= ${since}::timestamptz and finished_at < ${before({ days })}`
      const deleted = await sql<{ count: number; last: string | null }>`
        with span as materialized (
          select max(finished_at) as last from (
            select finished_at, sum(total) over (order by finished_at, workspace_id, id) - total as before
            from (select * from push_runs where ${isOld} order by finished_at limit 1000) as oldest
          ) as counted where before < ${sql.lit(PURGED_ROWS)}
        ), old as (
          delete from push_runs where ${isOld} and finished_at <= (select last from span) returning workspace_id, id
        ), gone as (
          delete from push_rows using old where push_rows.workspace_id = old.workspace_id and push_rows.run_id = old.id
          returning 1
        )
        select (select count(*)::int from gone) as count, last::text from span`.execute(db)
      const { count, last } = deleted.rows[0] as { count: number; last: string | null }
      return { count, next: last }
    })

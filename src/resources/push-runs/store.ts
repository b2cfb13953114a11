import { sql } from 'kysely'
import { toArrayLiteral } from '../../db/arrays.ts'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { ageLimit, type Purge, purgeInBatches } from '../../db/purge.ts'
import type { PushChannel, PushRecordType, RowOutcomes } from '../../db/schema.ts'
import { visibleTo } from '../../db/visibility.ts'
import { notFound } from '../../shared/errors.ts'
import { newId } from '../../shared/ids.ts'
import type { Viewer } from '../../shared/member.ts'
import { openRanges } from './work-store.ts'

/** Rows deleted in one statement, in addition to those of the last run. */
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
/** Ids without a row that are stored to be listed, and the characters stored of each. */
const SURPLUS = 100
const SURPLUS_CHARACTERS = 100

/** Why an id of the caller is skipped. */
export const NOT_FOUND = 'It names no record that you can see.'
export const NOT_AN_ID = 'It is not an id.'
export const REPEATED = 'It is repeated in the list.'

/**
 * Whether the viewer sees the record of a row now. A scoped member who started the run may no longer see a person whose
 * account has a new owner since.
 */
const isSeen = (viewer: Viewer) =>
  viewer.scoped_to === null
    ? sql`true`
    : sql`(push_runs.record_type <> 'people' or exists (select from people
        where people.workspace_id = ${viewer.workspace_id} and people.id = rows.record_id and ${visibleTo(viewer)}))`

/** The destination of a webhook push. */
const destination = ({ workspace_id }: Viewer) =>
  sql<{
    id: string
    name: string
  } | null>`(select json_build_object('id', to_it.id, 'name', to_it.name)
  from webhook_destinations as to_it
  where to_it.workspace_id = ${workspace_id} and to_it.id = push_runs.destination_id)`.as('destination')

/** At most ten errors: the failure of the run, then those of rows. */
const errorSample = (viewer: Viewer) =>
  sql<{ id: string | null; name: string | null; status: number | null; message: string }[]>`
  (select coalesce(json_agg(sample), '[]') from (
    (select null::uuid as id, null as name, null::integer as status, push_runs.failure as message where push_runs.failure is not null)
    union all
    (select record_id, case push_runs.record_type
       when 'accounts' then (select name from accounts where accounts.workspace_id = ${viewer.workspace_id} and accounts.id = record_id)
       else (select full_name from people where people.workspace_id = ${viewer.workspace_id} and people.id = record_id) end,
       rows.status, coalesce(message, 'It could not be delivered.') from push_rows as rows
     where rows.workspace_id = ${viewer.workspace_id} and rows.run_id = push_runs.id and rows.unsent = 'failed' and ${isSeen(viewer)}
     order by position limit ${sql.lit(SAMPLE)})
    limit ${sql.lit(SAMPLE)}) as sample)`.as('error_sample')

/** At most ten skipped ids with the reason: records, then ids without a row. */
const skippedSample = (viewer: Viewer) =>
  sql<{ id: string; message: string }[]>`
  (select coalesce(json_agg(sample), '[]') from (
    (select record_id::text as id, coalesce(case when ${isSeen(viewer)} then message end, ${sql.lit(NOT_FOUND)}) as message
     from push_rows as rows
     where rows.workspace_id = ${viewer.workspace_id} and rows.run_id = push_runs.id and rows.unsent = 'skipped'
     order by position limit ${sql.lit(SAMPLE)})
    union all
    (select id, case when id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${sql.lit(REPEATED)} else ${sql.lit(NOT_AN_ID)} end
     from unnest(push_runs.surplus) as given (id))
    limit ${sql.lit(SAMPLE)}) as sample)`.as('skipped_sample')

/** Errors may contain personal data: a scoped member sees only the runs of people they started. */
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
    .select([destination(viewer), errorSample(viewer), skippedSample(viewer)])
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
      .select([destination(viewer), errorSample(viewer), skippedSample(viewer)])
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
  /** A new id unless given. */
  id?: string | null
  channel: PushChannel
  recordType: PushRecordType
  destinationId: string | null
  /** The CRMs of a CRM push. */
  providers?: string[]
  /** Unique ids, in the order of the request. */
  ids: string[]
  /** Ids that are repeated or invalid, which are skipped. */
  surplus: string[]
  /** Seconds until an inline push ends; a run in the background has no time limit. */
  endsAfter?: number
}

/**
 * Inserts a run and all its rows; call it in a transaction. Rows of records that do not exist, or that the viewer may not
 * see, are skipped from the start.
 */
export async function insertPushRun(
  db: Db,
  viewer: Viewer,
  { id: given, channel, recordType, destinationId, providers = [], ids, surplus, endsAfter }: NewPushRun,
) {
  const id = given ?? newId()
  const visible = recordType === 'people' ? sql`and ${visibleTo(viewer)}` : sql``
  const table = sql.table(recordType)
  await sql`
    with requested as (
      select given.id, given.at, ${table}.id is not null as there
      from unnest(${toArrayLiteral(ids)}::uuid[]) with ordinality as given (id, at)
      left join ${table} on ${table}.workspace_id = ${viewer.workspace_id} and ${table}.id = given.id ${visible}
    ), run as (
      insert into push_runs (workspace_id, id, channel, record_type, status, destination_id, providers, scoped_to, ends_at, surplus, total, skipped)
      select ${viewer.workspace_id}::uuid, ${id}::uuid, ${channel}, ${recordType}, 'running', ${destinationId}::uuid, ${providers}::text[], ${viewer.scoped_to}::uuid,
        now() + make_interval(secs => ${endsAfter ?? null}::float8),
        ${surplus.slice(0, SURPLUS).map((id) => id.slice(0, SURPLUS_CHARACTERS))}::text[],
        count(*) + ${surplus.length}::int, count(*) filter (where not there) + ${surplus.length}::int
      from requested
    )
    insert into push_rows (workspace_id, run_id, record_id, position, state)
    select ${viewer.workspace_id}::uuid, ${id}::uuid, id, at, case when there then 'pending' else 'skipped' end from requested`.execute(
    db,
  )
  await openRanges(db, viewer.workspace_id, id)
  return { run_id: id, total: ids.length + surplus.length }
}

/**
 * The run that an earlier request with the same Idempotency-Key has started although its response was an error; otherwise the id
 * for a new run. That id is null, for a random one, when the run is older than the 24 hours for which a key is remembered.
 */
export async function findStartedRun(db: Db, workspaceId: string, id: string | null) {
  if (id === null) return { id, started: null }
  const run = await db
    .selectFrom('push_runs')
    .select(['total', sql<boolean>`created_at > now() - interval '24 hours'`.as('is_recent')])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!run) return { id, started: null }
  return { id: null, started: run.is_recent ? { run_id: id, total: run.total, status: 'running' as const } : null }
}

export type PushedRow = {
  id: string
  state: 'pending' | 'sent' | 'failed' | 'skipped'
  status: number | null
  message: string | null
  providers_done: string[]
  outcomes: RowOutcomes | null
}

/** The state of each row of a small run, in the order of the request. */
export function readPushedRows(db: Db, workspaceId: string, runId: string): Promise<PushedRow[]> {
  return db
    .selectFrom('push_rows')
    .select(['record_id as id', 'state', 'status', 'message', 'providers_done', 'outcomes'])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute()
}

/** Deletes the runs of all workspaces that ended so many days ago, with their rows, in batches by number of rows. */
export const oldPushRuns =
  (days: number): Purge =>
  (db, deadline) =>
    purgeInBatches(deadline, async (since) => {
      const isOld = sql`finished_at >= ${since}::timestamptz and finished_at < ${ageLimit({ days })}`
      const { rows: oldest } = await sql<{ at: string; total: number }>`
        select ${sql.raw(ALL_WORKSPACES)} finished_at::text as at, total from push_runs where ${isOld}
        order by finished_at limit 1000`.execute(db)
      let [last, before] = [null as string | null, 0]
      for (const { at, total } of oldest) {
        if (before < PURGED_ROWS) last = at
        before += total
      }
      if (last === null) return { count: 0, next: null }
      const count = await db.transaction().execute(async (db) => {
        const { rows: old } = await sql<{ workspace_id: string; id: string }>`
          delete ${sql.raw(ALL_WORKSPACES)} from push_runs where ${isOld} and finished_at <= ${last}::timestamptz
          returning workspace_id, id`.execute(db)
        const { numAffectedRows = 0n } = await sql`
          delete ${sql.raw(ALL_WORKSPACES)} from push_rows
          using unnest(${old.map((run) => run.workspace_id)}::uuid[], ${old.map((run) => run.id)}::uuid[]) as old (workspace_id, run_id)
          where push_rows.workspace_id = old.workspace_id and push_rows.run_id = old.run_id`.execute(db)
        return Number(numAffectedRows)
      })
      return { count, next: last }
    })

import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { onMissingReference } from '../../db/errors.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import { AppError, notFound } from '../../shared/errors.ts'
import { isId, newId } from '../../shared/ids.ts'
import type { RunsQuery } from './schema.ts'

const FIELDS = [
  ...(['id', 'signal_id', 'name', 'mode', 'status', 'timeframe_days', 'started_at', 'finished_at'] as const),
  ...(['created_at', 'failure', 'spec'] as const),
] as const

/** The outcome of a source: items, nothing, or the reason of its failure. */
export type SourceReport = {
  name: string
  outcome: 'items' | 'nothing' | 'failed'
  items: number
  reason: string | null
  /** It reports only firmographics, no events. */
  profile_only?: boolean
  /** The languages of its documents that were not read. */
  not_read?: string[]
}

export type RunStats = {
  candidates: number
  accounts: number
  matched: number
  documents?: number
  signals?: number
  detections?: number
  pending?: number
  existing?: number
  unresolved?: number
  monitored?: number
  failed?: number
  /** The last page that a running scan has read, and their number. */
  reading?: { url: string; pages: number }
  sources?: SourceReport[]
  lead_sources?: SourceReport[]
}

export type NewRun = {
  mode: 'discovery' | 'monitor' | 'both'
  name: string
  signal_id?: string | null
  account_id?: string
  spec?: Record<string, unknown>
  timeframe_days: number | null
  stats: RunStats
}

const signalGone = () =>
  new AppError('unknown_signal', 'The signal was just deleted; GET /signals lists those there are.')

/** Inserts a running run. Throws unknown_signal. */
export function insertRun(db: Db, workspaceId: string, run: Omit<NewRun, 'account_id'>) {
  return db
    .insertInto('runs')
    .values({
      workspace_id: workspaceId,
      id: newId(),
      status: 'running',
      mode: run.mode,
      name: run.name,
      signal_id: run.signal_id ?? null,
      spec: run.spec ? JSON.stringify(run.spec) : null,
      timeframe_days: run.timeframe_days,
      stats: JSON.stringify(run.stats),
    })
    .returning([...FIELDS, 'stats'])
    .executeTakeFirstOrThrow()
    .catch(onMissingReference('runs_workspace_id_signal_id_fkey', signalGone))
}

/**
 * Inserts a running scan for each account without one, and returns those. In the order of account ids, so that
 * concurrent calls do not deadlock. Throws not_found.
 */
export async function insertScans(
  db: Db,
  workspaceId: string,
  accounts: readonly { id: string; name: string }[],
  { timeframe_days, stats }: Pick<NewRun, 'timeframe_days' | 'stats'>,
): Promise<{ id: string; account_id: string }[]> {
  const rows = accounts.map(({ id, name }) => ({ id: newId(), account_id: id, name: `Scan of ${name}` }))
  const { rows: added } = await sql<{ id: string; account_id: string }>`
    insert into runs (workspace_id, id, status, mode, name, account_id, timeframe_days, stats)
    select ${workspaceId}::uuid, id, 'running', 'monitor', name, account_id, ${timeframe_days}::integer, ${JSON.stringify(stats)}::jsonb
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (id uuid, account_id uuid, name text) order by account_id
    on conflict (workspace_id, account_id) where status = 'running' and account_id is not null do nothing
    returning id, account_id`
    .execute(db)
    .catch(onMissingReference('runs_workspace_id_account_id_fkey', () => notFound('account')))
  return added
}

/** Inserts a run that has already ended. */
export async function insertEndedRun(
  db: Db,
  workspaceId: string,
  run: NewRun & { id: string; started_at: Date; failure: string | null },
): Promise<void> {
  await db
    .insertInto('runs')
    .values({
      workspace_id: workspaceId,
      id: run.id,
      status: run.failure === null ? 'done' : 'failed',
      mode: run.mode,
      name: run.name,
      account_id: run.account_id ?? null,
      timeframe_days: run.timeframe_days,
      stats: JSON.stringify(run.stats),
      failure: run.failure,
      started_at: run.started_at,
      finished_at: sql`now()`,
    })
    .execute()
}

/** The running scan of an account, if there is one. */
export async function findScan(db: Db, workspaceId: string, accountId: string) {
  const found = await db
    .selectFrom('runs')
    .select(['id', 'stats'])
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return found ?? null
}

/** The three counts that every run has, for lists. */
const BRIEF_STATS = sql<{ candidates: number; accounts: number; matched: number }>`jsonb_build_object(
  'candidates', coalesce(stats -> 'candidates', '0'), 'accounts', coalesce(stats -> 'accounts', '0'),
  'matched', coalesce(stats -> 'matched', '0'))`

export async function listRuns(
  db: Db,
  workspaceId: string,
  { status, account_id, asked, page, per_page }: RunsQuery & { page: number; per_page: number },
) {
  if (account_id !== undefined && !isId(account_id)) return { rows: [], count: 0 }
  let query = db.selectFrom('runs').where('workspace_id', '=', workspaceId)
  if (status) query = query.where('status', '=', status)
  if (account_id) query = query.where('account_id', '=', account_id)
  if (asked !== undefined) query = query.where('spec', asked ? 'is not' : 'is', null)
  const [rows, { count }] = await Promise.all([
    query
      .select([...FIELDS, BRIEF_STATS.as('stats')])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(per_page)
      .offset((page - 1) * per_page)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, count }
}

/**
 * The run with its jobs, one for each signal of a scan; or a check of the monitor that created no run. Throws
 * not_found.
 */
export async function getRun(db: Db, workspaceId: string, id: string) {
  const found = (await findRun(db, workspaceId, id)) ?? (await findCheck(db, workspaceId, id))
  if (!found) throw notFound('run')
  return { ...found, jobs: await listTasks(db, workspaceId, id) }
}

/** A check without news, represented by its event: thousands of them a day are not stored as runs as well. */
async function findCheck(db: Db, workspaceId: string, id: string): Promise<Awaited<ReturnType<typeof findRun>>> {
  const event = await db
    .selectFrom('monitor_events')
    .select(['id', 'account_id', 'url', 'status', 'reason', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .whereRef('run_id', '=', 'id')
    .executeTakeFirst()
  if (!event) return null
  const { account_id, url, reason, created_at } = event
  const isFailed = event.status === 'failed'
  return {
    ...{ id, account_id, created_at, started_at: created_at, finished_at: created_at },
    ...{ mode: 'monitor', signal_id: null, timeframe_days: null, spec: null },
    name: `Check of ${url}`.slice(0, 200),
    status: isFailed ? 'failed' : 'done',
    failure: isFailed ? reason : null,
    stats: { candidates: 1, accounts: isFailed ? 0 : 1, matched: 0 },
  }
}

export async function findRun(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('runs')
    .select([...FIELDS, 'stats', 'account_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found ? { ...found, stats: found.stats as RunStats } : null
}

/** Locks a run until the transaction ends. */
export async function lockRun(db: Db, workspaceId: string, id: string) {
  const found = await db
    .selectFrom('runs')
    .select(['id', 'status', 'stats'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return found ? { ...found, stats: found.stats as RunStats } : null
}

/** Discovery runs of all workspaces without activity for a while. Runs older than a day are not resumed. */
export function findIdleDiscoveries(db: Db, idleSeconds: number) {
  return (
    db
      .selectFrom('runs')
      .modifyFront(sql.raw(ALL_WORKSPACES))
      .select(['workspace_id', 'id'])
      .where('status', '=', 'running')
      // A run of a single account is a scan.
      .where('account_id', 'is', null)
      .where('touched_at', '<', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
      .where('created_at', '>', sql<string>`now() - interval '1 day'`)
      .orderBy('touched_at')
      .limit(1000)
      .execute()
  )
}

/** Writes the statistics of a run and records its activity. Returns false when it is no longer running. */
export async function touchRun(db: Db, workspaceId: string, id: string, stats?: RunStats): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({ touched_at: sql`now()`, ...(stats ? { stats: JSON.stringify(stats) } : {}) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends a running run and its tasks: those without an outcome have failed. `failure` is a sentence for a person. */
export async function endRun(
  db: Db,
  workspaceId: string,
  id: string,
  { stats, failure }: { stats?: RunStats; failure?: string },
): Promise<void> {
  await db
    .with('ended', (db) =>
      db
        .updateTable('runs')
        .set({
          status: failure === undefined ? 'done' : 'failed',
          failure: failure ?? null,
          finished_at: sql`now()`,
          touched_at: sql`now()`,
          ...(stats ? { stats: JSON.stringify(stats) } : {}),
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('status', '=', 'running')
        .returning('id'),
    )
    .updateTable('run_tasks')
    .from('ended')
    .set({ state: 'failed' })
    .where('run_tasks.workspace_id', '=', workspaceId)
    .whereRef('run_tasks.run_id', '=', 'ended.id')
    .where('run_tasks.state', '=', 'pending')
    .execute()
}

/**
 * Fails runs without activity for the given time, and those that did not start within a day: their jobs are lost. Runs
 * that only wait in the queue do not change. Returns the number of failed runs.
 */
export async function failIdleRuns(db: Db, idleSeconds: number): Promise<number> {
  const isIdle = sql`status = 'running' and (touched_at < now() - make_interval(secs => ${idleSeconds})
    or (touched_at is null and created_at < now() - interval '1 day'))`
  const { rows: workspaces } = await sql<{ workspace_id: string }>`
    ${sql.raw(ALL_WORKSPACES)} select distinct workspace_id from runs where ${isIdle}`.execute(db)
  let failed = 0
  for (const { workspace_id } of workspaces) {
    const { rows } = await sql<{ count: number }>`
      with ended as (
        update runs set status = 'failed', finished_at = now(),
          failure = 'The run was interrupted and could not be resumed. Start a new one.'
        where workspace_id = ${workspace_id} and ${isIdle}
        returning id
      ), tasks as (
        update run_tasks set state = 'failed' from ended
        where run_tasks.workspace_id = ${workspace_id} and run_id = ended.id and state = 'pending'
      )
      select count(*)::int as count from ended`.execute(db)
    failed += rows[0]?.count ?? 0
  }
  return failed
}

/** Runs that ended more than a number of days ago, with their tasks and candidates. */
export const oldRuns = (days: number) => purgeOlderThan({ table: 'runs', time: 'finished_at', days, batch: 500 })

/** The signals of these runs. */
export async function insertTasks(db: Db, workspaceId: string, runIds: string[], signalIds: string[]): Promise<void> {
  await sql`
    with wanted as (select id from signals where workspace_id = ${workspaceId} and id = any(${signalIds}::text[])
      order by id for key share)
    insert into run_tasks (workspace_id, run_id, signal_id, state)
    select ${workspaceId}::uuid, run_id, wanted.id, 'pending' from wanted, unnest(${runIds}::uuid[]) as run_id
    on conflict do nothing`.execute(db)
}

/** Records the outcome of each signal of a scan; those that could not be observed fail when the run ends. */
export async function endTasks(
  db: Db,
  workspaceId: string,
  runId: string,
  found: readonly string[],
  seen: readonly string[],
): Promise<void> {
  await sql`
    update run_tasks set state = case when signal_id = any(${found}::text[]) then 'found' else 'absent' end
    where workspace_id = ${workspaceId} and run_id = ${runId}
      and signal_id = any(${[...found, ...seen]}::text[])`.execute(db)
}

export function listTasks(db: Db, workspaceId: string, runId: string) {
  return db
    .selectFrom('run_tasks')
    .select(['signal_id', 'state'])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .orderBy('signal_id')
    .execute()
}

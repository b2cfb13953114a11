import { type RawBuilder, sql } from 'kysely'
import { toArrayLiteral, toTextArrayLiteral } from '../../db/arrays.ts'
import type { Db } from '../../db/connect.ts'
import { ALL_WORKSPACES } from '../../db/distribution.ts'
import { type Lease, type LeasedQueue, leasedQueue } from '../../db/leases.ts'
import type { RowOutcomes } from '../../db/schema.ts'
import { notFound } from '../../shared/errors.ts'

/** Positions in one range; the migration that created the first ranges uses the same number. */
const RANGE_ROWS = 100

export type PushTarget = { destination_id: string | null; providers: string[] }

/** The receivers of a run. */
export function getPushTarget(db: Db, workspaceId: string, id: string): Promise<PushTarget> {
  return db
    .selectFrom('push_runs')
    .select(['destination_id', 'providers'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export type PushRunKey = { workspace_id: string; run_id: string }

/** The columns of a run that its worker needs; null when the run was deleted. */
export async function findPushRun(db: Db, { workspace_id, run_id }: PushRunKey) {
  const found = await db
    .selectFrom('push_runs')
    .select(['status', 'record_type', 'destination_id', 'providers', 'scoped_to'])
    .select([
      sql<string>`coalesce(reopened_at, created_at)`.as('opened_at'),
      sql<boolean>`ends_at is not null`.as('is_inline'),
      sql<boolean>`coalesce(ends_at < now(), false)`.as('is_overdue'),
    ])
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', run_id)
    .executeTakeFirst()
  return found ? { ...found, workspace_id, run_id } : null
}

export type PushRunWork = NonNullable<Awaited<ReturnType<typeof findPushRun>>>

/** Creates ranges for the pending rows of a run, or makes their ranges due earlier. */
export async function openRanges(db: Db, workspaceId: string, runId: string): Promise<void> {
  const size = sql.lit(RANGE_ROWS)
  await sql`
    insert into push_ranges (workspace_id, run_id, first_position, last_position, due_at)
    select workspace_id, run_id, at * ${size} + 1, (at + 1) * ${size}, min(next_attempt_at)
    from push_rows cross join lateral (select (position - 1) / ${size} as at) as range
    where push_rows.workspace_id = ${workspaceId} and run_id = ${runId} and state = 'pending'
    group by workspace_id, run_id, at
    on conflict (workspace_id, run_id, first_position) do update set due_at = least(push_ranges.due_at, excluded.due_at)`.execute(
    db,
  )
}

export type ClaimedRow = {
  /** The first position of its range. */
  range: number
  position: number
  record_id: string
  attempts: number
  providers_done: string[]
}

type RowResult = {
  row: ClaimedRow
  state: 'pending' | 'sent' | 'failed' | 'skipped'
  /** Seconds until the next attempt, for a row that stays pending. */
  retry_in: number
  status: number | null
  message: string | null
  /** The CRMs that have the record. */
  done?: string[]
  /** The results of the CRMs in this attempt. */
  outcomes?: RowOutcomes
  /** Whether it counts as an attempt. */
  counts: boolean
}

/** The queue of the pending rows of a run. */
type PushRows = LeasedQueue<ClaimedRow> & {
  /**
   * Stores the results of rows and updates the counts of the run, together with the statement `log`. Rows whose range
   * another worker has claimed since are left unchanged.
   */
  record: (leaseId: string, results: RowResult[], log?: RawBuilder<unknown> | null) => Promise<void>
}

export function pushRows(db: Db, workspaceId: string, runId: string): PushRows {
  const ofRun = sql`workspace_id = ${workspaceId} and run_id = ${runId}`
  const ranges = leasedQueue<ClaimedRow | { range: number; position: null }>(db, workspaceId, {
    table: 'push_ranges',
    key: ['run_id', 'first_position'],
    open: sql`run_id = ${runId}`,
    due: sql`due_at <= now()`,
    order: sql`due_at, first_position`,
    columns: ['first_position', 'last_position'],
    reading: sql`
      select first_position as range, due.position, due.record_id, due.attempts, due.providers_done
      from claimed left join lateral (
        select position, record_id, attempts, providers_done from push_rows
        where ${ofRun} and position between first_position and last_position and state = 'pending' and next_attempt_at <= now()
        order by position limit ${sql.lit(RANGE_ROWS)}) as due on true
      order by due.position`,
  })
  /** The number of rows without a result in each claimed range. */
  const open = new Map<number, number>()
  /** Claimed ranges whose rows all have a result. They are settled with the next claim, not with each batch of results. */
  let over: number[] = []

  async function claim(lease: Lease, limit: number): Promise<ClaimedRow[]> {
    for (;;) {
      await settle(lease.id)
      const found = await ranges.claim(lease, Math.ceil(limit / RANGE_ROWS))
      const rows = found.filter((row) => row.position !== null)
      for (const { range, position } of found) {
        if (position === null) over.push(range)
        else open.set(range, (open.get(range) ?? 0) + 1)
      }
      if (rows.length > 0 || found.length === 0) return rows
    }
  }

  async function record(leaseId: string, results: RowResult[], log: RawBuilder<unknown> | null = null): Promise<void> {
    const of = <T>(read: (result: RowResult) => T) => results.map(read)
    const positions = of(({ row }) => row.position)
    const [first, last] = [Math.min(...positions), Math.max(...positions)]
    const hasOutcomes = results.some(({ outcomes, done }) => outcomes ?? done)
    const crm = (read: (result: RowResult) => unknown) =>
      toTextArrayLiteral(hasOutcomes ? of((one) => json(read(one))) : [])
    // The bounds on the position keep PostgreSQL from scanning the whole run while it has no statistics on it.
    // Every writer locks ranges, then rows, then the run: otherwise two could deadlock.
    await sql`
      with held as materialized (
        select first_position, last_position from push_ranges
        where ${ofRun} and lease_id = ${leaseId} order by first_position for update
      ), given as (
        select given.*, now() + make_interval(secs => given.retry_in) as retry_at from unnest(${toArrayLiteral(positions)}::int[], ${toArrayLiteral(of(({ state }) => state))}::text[],
          ${toArrayLiteral(of(({ retry_in }) => retry_in))}::float8[], ${toArrayLiteral(of(({ status }) => status))}::int[],
          ${toTextArrayLiteral(of(({ message }) => message))}::text[], ${toArrayLiteral(of(({ counts }) => (counts ? 't' : 'f')))}::boolean[],
          ${crm(({ done }) => done)}::jsonb[], ${crm(({ outcomes }) => outcomes)}::jsonb[])
          as given (position, state, retry_in, status, message, counts, done, outcomes)
        where exists (select from held where given.position between first_position and last_position)
      ), done as (
        update push_rows set state = given.state, attempts = attempts + case when given.counts then 1 else 0 end, status = given.status,
          message = given.message, next_attempt_at = given.retry_at,
          providers_done = case when given.done is null then providers_done
            else array(select jsonb_array_elements_text(given.done)) end,
          outcomes = case when given.outcomes is null then push_rows.outcomes
            else coalesce(push_rows.outcomes, '{}') || given.outcomes end
        from given where push_rows.workspace_id = ${workspaceId} and run_id = ${runId} and push_rows.position = given.position
          and push_rows.state = 'pending' and push_rows.position between ${first} and ${last}
        returning push_rows.state
      ), counted as (
        select count(*) filter (where state = 'sent') as sent, count(*) filter (where state = 'failed') as failed,
          count(*) filter (where state = 'skipped') as skipped from done
      )${log ? sql`, logged as (${log})` : sql``}
      update push_runs set sent = push_runs.sent + counted.sent, failed = push_runs.failed + counted.failed,
        skipped = push_runs.skipped + counted.skipped, touched_at = now()
      from counted where push_runs.workspace_id = ${workspaceId} and id = ${runId} and status = 'running'`.execute(db)
    for (const { row } of results) {
      const left = (open.get(row.range) ?? 0) - 1
      if (left > 0) open.set(row.range, left)
      else if (open.delete(row.range)) over.push(row.range)
    }
  }

  async function release(lease: Lease): Promise<void> {
    try {
      await settle(lease.id)
    } finally {
      await ranges.release(lease)
    }
  }

  /** Releases ranges whose rows all have a result; a range with rows to retry is due again with the first of them. */
  async function settle(leaseId: string): Promise<void> {
    if (over.length === 0) return
    const settled = over
    over = []
    await sql`
      with held as materialized (
        select first_position, (select min(next_attempt_at) from push_rows
          where ${ofRun} and position between first_position and last_position and state = 'pending') as next_at
        from push_ranges where ${ofRun} and lease_id = ${leaseId} and first_position = any(${toArrayLiteral(settled)}::int[])
        order by first_position for update
      ), gone as (
        delete from push_ranges using held
        where push_ranges.workspace_id = ${workspaceId} and run_id = ${runId}
          and push_ranges.first_position = held.first_position and next_at is null
      )
      update push_ranges set due_at = next_at, lease_id = null, lease_until = null from held
      where push_ranges.workspace_id = ${workspaceId} and run_id = ${runId}
        and push_ranges.first_position = held.first_position and next_at is not null`.execute(db)
  }

  return { ...ranges, claim, record, release }
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** A run that delivered nothing has failed; one that delivered something, or had nothing to deliver, is completed. */
const outcome = (failed: RawBuilder<unknown>) =>
  sql`case when push_runs.sent = 0 and ${failed} > 0 then 'failed' else 'completed' end`

/**
 * Ends the run if no row is pending and returns null. Otherwise returns the seconds until a retry is due or a lease
 * expires.
 */
export async function finishOrWait(db: Db, workspaceId: string, runId: string): Promise<number | null> {
  const { rows } = await sql<{ wait: number | null }>`
    select extract(epoch from min(greatest(due_at, coalesce(lease_until, due_at))) - now())::float8 as wait
    from push_ranges where workspace_id = ${workspaceId} and run_id = ${runId}`.execute(db)
  const wait = rows[0]?.wait ?? null
  if (wait !== null) return Math.max(0, wait)
  const { rows: running } = await sql<{ is_over: boolean }>`
    with over as (
      update push_runs set status = ${outcome(sql`push_runs.failed`)}, finished_at = now()
      where workspace_id = ${workspaceId} and id = ${runId} and status = 'running'
        and not exists (select from push_rows where workspace_id = ${workspaceId} and run_id = ${runId} and state = 'pending')
      returning 1
    )
    select exists (select from over) as is_over from push_runs
    where workspace_id = ${workspaceId} and id = ${runId} and status = 'running'`.execute(db)
  if (running[0]?.is_over ?? true) return null
  // Rows of a range were retried while it was released.
  await openRanges(db, workspaceId, runId)
  return 0
}

/** Ends a run that cannot continue. Rows that were not delivered count as failed and can be retried. */
export function failPushRun(db: Db, workspaceId: string, runId: string, failure: string): Promise<void> {
  return endPushRun(db, workspaceId, runId, { reason: failure, failure, which: sql`true` })
}

/**
 * Ends an inline push. Rows that were not delivered count as failed, with this reason unless they have one. A run that was
 * retried meanwhile continues in the background.
 */
export function endInlinePush(db: Db, workspaceId: string, runId: string, reason: string): Promise<void> {
  return endPushRun(db, workspaceId, runId, { reason, failure: null, which: sql`ends_at is not null` })
}

type End = { reason: string; failure: string | null; which: RawBuilder<unknown> }

async function endPushRun(db: Db, workspaceId: string, runId: string, { reason, failure, which }: End): Promise<void> {
  await db.transaction().execute(async (db) => {
    await lockRanges(db, workspaceId, runId)
    await sql`
      with run as materialized (
        select id from push_runs
        where workspace_id = ${workspaceId} and id = ${runId} and status = 'running' and ${which} for update
      ), gone as (
        delete from push_ranges using run where push_ranges.workspace_id = ${workspaceId} and run_id = run.id
      ), left_over as (
        update push_rows set state = 'failed', message = coalesce(message, ${reason}) from run
        where push_rows.workspace_id = ${workspaceId} and run_id = run.id and state = 'pending' returning 1
      ), lost as (select count(*)::int as count from left_over)
      update push_runs set status = ${outcome(sql`push_runs.failed + lost.count`)}, failure = ${failure},
        finished_at = now(), failed = push_runs.failed + lost.count
      from run, lost where push_runs.workspace_id = ${workspaceId} and push_runs.id = run.id`.execute(db)
  })
}

/** Waits for writers of the rows of a run, and blocks others until the transaction ends. */
async function lockRanges(db: Db, workspaceId: string, runId: string): Promise<void> {
  await db
    .selectFrom('push_ranges')
    .select('first_position')
    .where('workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .orderBy('first_position')
    .forUpdate()
    .execute()
}

/** Makes failed rows pending and the run running; call it in a transaction. Returns the number of rows. Throws not_found. */
export async function reopenPushRun(db: Db, workspaceId: string, runId: string): Promise<number> {
  await lockRanges(db, workspaceId, runId)
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
      where workspace_id = ${workspaceId} and run_id = ${runId} and unsent = 'failed' returning 1
    ), counted as (select count(*)::int as reopened from again), run as (
      update push_runs set status = 'running', failure = null, reopened_at = now(), ends_at = null, finished_at = null, failed = failed - counted.reopened, touched_at = now()
      from counted where push_runs.workspace_id = ${workspaceId} and id = ${runId} and counted.reopened > 0
    )
    select reopened from counted`.execute(db)
  const reopened = rows[0]?.reopened ?? 0
  if (reopened > 0) await openRanges(db, workspaceId, runId)
  return reopened
}

/** Running runs of all workspaces without progress for so long: their worker was killed. */
export async function findStalledPushRuns(db: Db, idleSeconds: number) {
  return db
    .selectFrom('push_runs')
    .select(['workspace_id', 'id', 'channel'])
    .where('status', '=', 'running')
    .where('touched_at', '<', sql<string>`now() - make_interval(secs => ${idleSeconds})`)
    .limit(1000)
    .modifyFront(sql.raw(ALL_WORKSPACES))
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

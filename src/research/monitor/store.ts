import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type LeasedQueue, leasedQueueOfAll } from '../../db/leases.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { Database } from '../../db/schema.ts'

export type WatchedKind = Database['watched_pages']['kind']

/** Pages of a quiet site are checked once in this many checks; a new account starts at a random offset. */
export const QUIET_PAGE_INTERVAL = 6

/** The minimum share of the interval between two checks: a cache lifetime of one day then covers two daily checks. */
export const MIN_INTERVAL_SHARE = 0.92

/** A page as of its last check; `content_hash` is null until it was read. */
export type WatchedPage = {
  url: string
  kind: WatchedKind
  etag: string | null
  last_modified: string | null
  content_hash: string | null
  /** The hash of the raw response body. */
  body_hash: string | null
  /** The end of the cache lifetime that the site declares; null where that is before the next check. */
  fresh_until: string | null
  changed_at: string
  failures: number
}

export type ClaimedMonitor = {
  workspace_id: string
  account_id: string
  name: string
  domain: string | null
  /** The number of complete checks, plus a random initial offset. */
  checks: number
  pages: WatchedPage[]
}

/**
 * Starts monitors at a random offset of their schedule, so that accounts activated together do not have all their pages
 * checked on the same days. An existing monitor does not change.
 */
export async function insertMonitors(
  db: Db,
  workspaceId: string,
  accountIds: readonly string[],
  inSeconds: number,
): Promise<void> {
  await sql`
    insert into monitors (workspace_id, account_id, next_check_at, checks)
    select ${workspaceId}::uuid, id, now() + make_interval(secs => ${inSeconds}), floor(random() * ${sql.lit(QUIET_PAGE_INTERVAL)})
    from unnest(${accountIds}::uuid[]) as id order by id
    on conflict do nothing`.execute(db)
}

/**
 * Deletes monitors with their watched pages; their events stay, and no page counts as failing. Locks in the order of
 * ids, as claiming does.
 */
export async function deleteMonitors(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<void> {
  await sql`
    with held as (select account_id from monitors
      where workspace_id = ${workspaceId} and account_id = any(${accountIds}::uuid[]) order by account_id for update)
    , ended as (update monitor_events set failing = '{}' from held
      where monitor_events.workspace_id = ${workspaceId} and monitor_events.account_id = held.account_id and failing <> '{}')
    delete from monitors using held
    where monitors.workspace_id = ${workspaceId} and monitors.account_id = held.account_id`.execute(db)
}

export type NewWatchedPage = Pick<
  WatchedPage,
  'url' | 'kind' | 'etag' | 'last_modified' | 'content_hash' | 'body_hash'
> & {
  /** Sixteen hex digits for each line. */
  line_hashes: string
}

/**
 * Adds pages to watch, up to a limit per account. Does nothing without a monitor, and for pages that are already
 * watched.
 */
export async function insertPages(
  db: Db,
  workspaceId: string,
  accountId: string,
  pages: NewWatchedPage[],
  limit: number,
): Promise<void> {
  await sql`
    insert into watched_pages (workspace_id, account_id, url, kind, etag, last_modified, content_hash, body_hash, marks)
    select monitors.workspace_id, monitors.account_id, url, kind, etag, last_modified, content_hash,
      body_hash, decode(line_hashes, 'hex')
    from monitors, json_to_recordset(${JSON.stringify(pages)}::json) as given
      (url text, kind text, etag text, last_modified text, content_hash text, body_hash text, line_hashes text)
    where monitors.workspace_id = ${workspaceId} and account_id = ${accountId}
    limit greatest(0, ${limit}::int - (select count(*)::int from watched_pages
      where workspace_id = ${workspaceId} and account_id = ${accountId}))
    on conflict do nothing`.execute(db)
}

/**
 * The monitors of all workspaces that are due, with their watched pages. The line hashes are left out, because only
 * changed pages need them.
 */
export function dueMonitors(db: Db): LeasedQueue<ClaimedMonitor> {
  return leasedQueueOfAll(db, 'monitors', (workspaceId) => ({
    key: ['account_id'],
    open: sql`next_check_at <= now()`,
    order: sql`next_check_at`,
    columns: ['account_id', 'checks'],
    reading: sql`
      select ${workspaceId} as workspace_id, claimed.account_id, accounts.name, accounts.domain, claimed.checks, pages
      from claimed
      join accounts on accounts.workspace_id = ${workspaceId} and accounts.id = claimed.account_id
      cross join lateral (
        select coalesce(json_agg(json_build_object('url', url, 'kind', kind, 'etag', etag, 'last_modified', last_modified,
          'content_hash', content_hash, 'body_hash', body_hash, 'fresh_until', fresh_until, 'changed_at', changed_at, 'failures', failures)), '[]') as pages
        from watched_pages
        where watched_pages.workspace_id = ${workspaceId} and watched_pages.account_id = claimed.account_id
      ) as watched`,
  }))
}

/** Whether the monitor still exists and this worker holds its lease. */
export async function holdsLease(db: Db, workspaceId: string, accountId: string, leaseId: string): Promise<boolean> {
  const found = await db
    .selectFrom('monitors')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('lease_id', '=', leaseId)
    .executeTakeFirst()
  return found !== undefined
}

/** The concatenated line hashes of a page at its last read, in hex digits. */
export async function findLineHashes(db: Db, workspaceId: string, accountId: string, url: string): Promise<string> {
  const found = await db
    .selectFrom('watched_pages')
    .select('marks')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('url', '=', url)
    .executeTakeFirst()
  return found?.marks.toString('hex') ?? ''
}

/** The update of a page after a check; an unchanged page has none. */
export type PageResult = Omit<NewWatchedPage, 'line_hashes'> & {
  /** Null keeps the stored hashes. */
  line_hashes: string | null
  fresh_until: string | null
  /** Whether its content has changed. */
  changed: boolean
  failures: number
  /** Insert, update or delete the page. */
  write: 'add' | 'update' | 'drop'
}

export type EventResult = Pick<
  Database['monitor_events'],
  'id' | 'url' | 'status' | 'search_status' | 'meaningful' | 'confidence' | 'reason'
> & {
  /** Null where there was no new content. */
  run_id: string | null
}

export type CheckResult = {
  workspace_id: string
  account_id: string
  /** Whether all due pages were checked; otherwise they are due again. */
  complete: boolean
  pages: PageResult[]
  events: EventResult[]
  /** Addresses that no longer fail: they were read, or are no longer watched. */
  settled: string[]
}

/**
 * Writes the results of checks in a workspace and the times of the next ones. The first check is at a random time within
 * the interval, so that accounts activated together spread out; later ones follow after slightly less than the interval, so
 * that a cached robots.txt with a lifetime of one day covers one more check. Results of deleted monitors, and of those that
 * another worker has claimed, are ignored. Pages that fail for the same reason share one event, which is counted until
 * all of them are read again.
 */
export async function recordChecks(
  db: Db,
  workspaceId: string,
  leaseId: string,
  results: readonly CheckResult[],
  intervalSeconds: number,
): Promise<void> {
  const flat = (rowsOf: (result: CheckResult) => readonly object[]) =>
    JSON.stringify(
      results.flatMap((result) => rowsOf(result).map((row) => ({ account_id: result.account_id, ...row }))),
    )
  // Locks accounts before their monitors, as deletion does, to avoid a deadlock.
  const keys = JSON.stringify(
    results.map(({ account_id, complete }) => ({ account_id, complete, chance: Math.random() })),
  )
  await sql`
    with present as materialized (
      select accounts.id as account_id, given.complete,
        now() + make_interval(secs => ${intervalSeconds}::float8 * given.chance) as first_at,
        now() + make_interval(secs => ${intervalSeconds}::float8 * (${sql.lit(MIN_INTERVAL_SHARE)} + 0.07 * given.chance)) as next_at
      from accounts join json_to_recordset(${keys}::json) as given (account_id uuid, complete boolean, chance float8)
        on accounts.id = given.account_id
      where accounts.workspace_id = ${workspaceId}
      order by accounts.id for key share of accounts
    ), mine as (
      update monitors set lease_id = null, lease_until = null, last_checked_at = now(),
        checks = checks + given.complete::int,
        next_check_at = case when last_checked_at is null then given.first_at else given.next_at end
      from present as given
      where monitors.workspace_id = ${workspaceId} and monitors.account_id = given.account_id and lease_id = ${leaseId}
      returning monitors.account_id
    ), checked as (
      select given.*, now() as at from json_to_recordset(${flat(({ pages }) => pages)}::json) as given (account_id uuid, url text, kind text,
        etag text, last_modified text, content_hash text, body_hash text, fresh_until timestamptz, line_hashes text, changed boolean, failures integer, write text)
      join mine using (account_id)
    ), dropped as (
      delete from watched_pages using checked
      where write = 'drop' and watched_pages.workspace_id = ${workspaceId}
        and watched_pages.account_id = checked.account_id and watched_pages.url = checked.url
    ), updated as (
      update watched_pages set etag = checked.etag, last_modified = checked.last_modified, content_hash = checked.content_hash,
        body_hash = checked.body_hash, fresh_until = checked.fresh_until, failures = checked.failures, marks = coalesce(decode(checked.line_hashes, 'hex'), watched_pages.marks),
        changed_at = case when checked.changed then checked.at else changed_at end
      from checked
      where write = 'update' and watched_pages.workspace_id = ${workspaceId}
        and watched_pages.account_id = checked.account_id and watched_pages.url = checked.url
    ), added as (
      insert into watched_pages
        (workspace_id, account_id, url, kind, etag, last_modified, content_hash, body_hash, fresh_until, marks, failures)
      select ${workspaceId}::uuid, account_id, url, kind, etag, last_modified, content_hash, body_hash, fresh_until, decode(coalesce(line_hashes, ''), 'hex'), failures
      from checked where write = 'add'
      on conflict do nothing
    ), reported as (
      select given.* from json_to_recordset(${flat(eventRows)}::json) as given (id uuid, account_id uuid,
        url text, status text, search_status text, meaningful boolean, confidence float8, reason text, run_id uuid,
        count integer, urls text[], failing text[])
      join mine using (account_id)
    ), settled as (
      select account_id, url from json_to_recordset(${flat(settledRows)}::json) as given (account_id uuid, url text)
      join mine using (account_id)
    ), recovered as (
      -- Failures for the same reason are counted in the insert below, because a statement cannot write a row twice.
      update monitor_events as event set failing = array(select unnest(event.failing) except select url from settled
        where settled.account_id = event.account_id)
      where event.workspace_id = ${workspaceId} and event.failing <> '{}' and exists (select from settled
          where settled.account_id = event.account_id and settled.url = any(event.failing))
        and not exists (select from reported where reported.account_id = event.account_id
          and reported.failing <> '{}' and md5(reported.reason) = md5(event.reason))
    )
    insert into monitor_events
      (workspace_id, id, account_id, url, status, search_status, meaningful, confidence, reason, run_id, count, urls, failing)
    select ${workspaceId}::uuid, id, account_id, url, status, search_status, meaningful, confidence, reason, run_id, count, urls, failing
    from reported
    on conflict (workspace_id, account_id, md5(reason)) where failing <> '{}' do update set
      count = monitor_events.count + excluded.count,
      last_seen_at = excluded.last_seen_at,
      urls = (array(select distinct unnest(monitor_events.urls || excluded.urls)))[:${sql.lit(MAX_URLS)}],
      failing = (array(select unnest(monitor_events.failing) except select url from settled
        where settled.account_id = excluded.account_id
        union select unnest(excluded.failing)))[:${sql.lit(MAX_URLS)}]`.execute(db)
}

/** The limit of addresses in a failure event; an account has fewer watched pages. */
const MAX_URLS = 50

type EventRow = Omit<EventResult, 'run_id'> & { run_id: string; count: number; urls: string[]; failing: string[] }

/** The events of a check as rows, with one row for all failures of the same reason. */
function eventRows({ events, settled }: CheckResult): EventRow[] {
  // The id that groups the events of the check: preferably of an event with news, which is stored longest. A failure
  // may be counted in an existing event, so it has its own group.
  const own = events.filter(({ status, run_id }) => status !== 'failed' && run_id === null)
  const check = (own.find(({ status }) => status !== 'unchanged') ?? own[0])?.id
  const rows: EventRow[] = []
  const failures = new Map<string, EventRow>()
  for (const event of events) {
    if (event.status !== 'failed') {
      rows.push({ ...event, run_id: event.run_id ?? check ?? event.id, count: 1, urls: [], failing: [] })
      continue
    }
    let failure = failures.get(event.reason)
    if (!failure) {
      failure = { ...event, run_id: event.id, count: 0, urls: [], failing: [] }
      failures.set(event.reason, failure)
      rows.push(failure)
    }
    failure.count++
    failure.urls.push(event.url)
    if (!settled.includes(event.url)) failure.failing.push(event.url)
  }
  return rows
}

/** Addresses whose earlier failure is over; those that fail now are reported with the current reason. */
function settledRows({ events, settled }: CheckResult): { url: string }[] {
  const urls = new Set([...settled, ...events.map(({ url }) => url)])
  return [...urls].map((url) => ({ url }))
}

/** Events without news, by their last occurrence. The condition must match the index `monitor_events_quiet`. */
export const oldQuietEvents = (days: number) =>
  purgeOlderThan({ table: 'monitor_events', time: 'last_seen_at', days, where: sql`status in ('unchanged', 'failed')` })

/** Events with news. The condition must match the index `monitor_events_news`. */
export const oldNewsEvents = (days: number) =>
  purgeOlderThan({ table: 'monitor_events', time: 'created_at', days, where: sql`status in ('new', 'changed')` })

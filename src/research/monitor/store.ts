import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type LeasedQueue, leasedQueue } from '../../db/leases.ts'
import { purgeOlderThan } from '../../db/purge.ts'
import type { Database } from '../../db/schema.ts'

export type WatchedKind = Database['watched_pages']['kind']

/** The other pages of a quiet site are looked at in one of so many checks; a new account starts anywhere in between. */
export const QUIET_TURN_CHECKS = 6

/** The next check comes after so much of the interval at least: what holds for a day then serves two daily checks. */
export const EARLIEST_SHARE = 0.92

/** A page as it was at the last check; `content_hash` is null until it could be read. */
export type WatchedPage = {
  url: string
  kind: WatchedKind
  etag: string | null
  last_modified: string | null
  content_hash: string | null
  /** Of what came, byte for byte. */
  body_hash: string | null
  /** The site says that it holds until then; null where that is before the next check. */
  fresh_until: string | null
  changed_at: string
  failures: number
}

export type ClaimedMonitor = {
  workspace_id: string
  account_id: string
  name: string
  domain: string | null
  /** Checks that were made to the end, and where it began to count. */
  checks: number
  pages: WatchedPage[]
}

/**
 * Starts the monitors of accounts, at any place among the checks, so that accounts activated together do not have all their
 * pages looked at on the same days. One that runs already goes on as it is.
 */
export async function insertMonitors(
  db: Db,
  workspaceId: string,
  accountIds: readonly string[],
  inSeconds: number,
): Promise<void> {
  await sql`
    insert into monitors (workspace_id, account_id, next_check_at, checks)
    select ${workspaceId}::uuid, id, now() + make_interval(secs => ${inSeconds}), floor(random() * ${sql.lit(QUIET_TURN_CHECKS)})
    from unnest(${accountIds}::uuid[]) as id order by id
    on conflict do nothing`.execute(db)
}

/** Ends the monitors of accounts and forgets their pages; what they saw stays, and no page counts as failing. Locked in the order of ids, like a claim. */
export async function deleteMonitors(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<void> {
  await sql`
    with held as (select account_id from monitors
      where workspace_id = ${workspaceId} and account_id = any(${accountIds}::uuid[]) order by account_id for update)
    , ended as (update monitor_events set failing = '{}' from held
      where workspace_id = ${workspaceId} and monitor_events.account_id = held.account_id and failing <> '{}')
    delete from monitors using held
    where workspace_id = ${workspaceId} and monitors.account_id = held.account_id`.execute(db)
}

export type PrimedPage = Pick<WatchedPage, 'url' | 'kind' | 'etag' | 'last_modified' | 'content_hash' | 'body_hash'> & {
  /** Sixteen hex digits for each line. */
  line_hashes: string
}

/** Adds pages to watch, at most so many for an account. Without a monitor, and for pages already watched, nothing happens. */
export async function insertPages(
  db: Db,
  workspaceId: string,
  accountId: string,
  pages: PrimedPage[],
  limit: number,
): Promise<void> {
  await sql`
    insert into watched_pages (workspace_id, account_id, url, kind, etag, last_modified, content_hash, body_hash, marks)
    select monitors.workspace_id, monitors.account_id, url, kind, etag, last_modified, content_hash,
      body_hash, decode(line_hashes, 'hex')
    from monitors, json_to_recordset(${JSON.stringify(pages)}::json) as given
      (url text, kind text, etag text, last_modified text, content_hash text, body_hash text, line_hashes text)
    where workspace_id = ${workspaceId} and account_id = ${accountId}
    limit greatest(0, ${limit}::int - (select count(*)::int from watched_pages
      where workspace_id = ${workspaceId} and account_id = ${accountId}))
    on conflict do nothing`.execute(db)
}

/**
 * The monitors of all workspaces whose turn it is, with the pages they watch. The line hashes are left out: only a page
 * that changed needs them.
 */
export function dueMonitors(db: Db): LeasedQueue<ClaimedMonitor> {
  return leasedQueue(db, {
    table: 'monitors',
    key: ['workspace_id', 'account_id'],
    open: sql`next_check_at <= now()`,
    order: sql`next_check_at`,
    columns: ['workspace_id', 'account_id', 'checks'],
    reading: sql`
      select claimed.workspace_id, claimed.account_id, accounts.name, accounts.domain, claimed.checks, pages
      from claimed
      join accounts on accounts.workspace_id = claimed.workspace_id and accounts.id = claimed.account_id
      cross join lateral (
        select coalesce(json_agg(json_build_object('url', url, 'kind', kind, 'etag', etag, 'last_modified', last_modified,
          'content_hash', content_hash, 'body_hash', body_hash, 'fresh_until', fresh_until, 'changed_at', changed_at, 'failures', failures)), '[]') as pages
        from watched_pages
        where watched_pages.workspace_id = claimed.workspace_id and watched_pages.account_id = claimed.account_id
      ) as watched`,
  })
}

/** Whether the monitor is still there and still this worker's. */
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

/** The line hashes of a page at its last reading, as hex digits one after the other. */
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

/** What changes about a page after a check; a page that is as it was has no such row. */
export type PageResult = Omit<PrimedPage, 'line_hashes'> & {
  /** Null leaves those of the last reading. */
  line_hashes: string | null
  fresh_until: string | null
  /** Whether it reads differently now. */
  changed: boolean
  failures: number
  /** Add it, bring it up to date, or watch it no longer. */
  write: 'add' | 'update' | 'drop'
}

export type EventResult = Pick<
  Database['monitor_events'],
  'id' | 'url' | 'status' | 'search_status' | 'meaningful' | 'confidence' | 'reason'
> & {
  /** Null where nothing was read that is new. */
  run_id: string | null
}

export type CheckResult = {
  workspace_id: string
  account_id: string
  /** Whether everything whose turn it was had it; otherwise it is their turn again. */
  complete: boolean
  pages: PageResult[]
  events: EventResult[]
  /** Addresses that do not fail any more: they were read, or are watched no longer. */
  settled: string[]
}

/**
 * Writes what checks found and when the next are due: the first one at any time within the interval, so that accounts
 * activated together do not stay together, later ones an interval on or a little sooner: what may be kept for the interval,
 * as a robots.txt for a day, then serves one more check. Monitors that are gone, or that another
 * worker has taken since, get nothing. Pages that fail for one reason are one event, which is counted up until all of them
 * are read again.
 */
export async function recordChecks(
  db: Db,
  leaseId: string,
  results: readonly CheckResult[],
  intervalSeconds: number,
): Promise<void> {
  const flat = (rowsOf: (result: CheckResult) => readonly object[]) =>
    JSON.stringify(
      results.flatMap((result) =>
        rowsOf(result).map((row) => ({ workspace_id: result.workspace_id, account_id: result.account_id, ...row })),
      ),
    )
  // The accounts are locked before their monitors, in the order of whoever deletes one: otherwise the two could deadlock.
  const keys = JSON.stringify(
    results.map(({ workspace_id, account_id, complete }) => ({ workspace_id, account_id, complete })),
  )
  await sql`
    with present as materialized (
      select accounts.workspace_id, accounts.id as account_id, given.complete from accounts
      join json_to_recordset(${keys}::json) as given (workspace_id uuid, account_id uuid, complete boolean)
        on accounts.workspace_id = given.workspace_id and accounts.id = given.account_id
      order by 1, 2 for key share of accounts
    ), mine as (
      update monitors set lease_id = null, lease_until = null, last_checked_at = now(),
        checks = checks + given.complete::int,
        next_check_at = now() + make_interval(secs => ${intervalSeconds}::float8
          * case when last_checked_at is null then random() else ${sql.lit(EARLIEST_SHARE)} + 0.07 * random() end)
      from present as given
      where monitors.workspace_id = given.workspace_id and monitors.account_id = given.account_id and lease_id = ${leaseId}
      returning monitors.workspace_id, monitors.account_id
    ), looked as (
      select given.* from json_to_recordset(${flat(({ pages }) => pages)}::json) as given (workspace_id uuid, account_id uuid, url text, kind text,
        etag text, last_modified text, content_hash text, body_hash text, fresh_until timestamptz, line_hashes text, changed boolean, failures integer, write text)
      join mine using (workspace_id, account_id)
    ), dropped as (
      delete from watched_pages using looked
      where write = 'drop' and watched_pages.workspace_id = looked.workspace_id
        and watched_pages.account_id = looked.account_id and watched_pages.url = looked.url
    ), updated as (
      update watched_pages set etag = looked.etag, last_modified = looked.last_modified, content_hash = looked.content_hash,
        body_hash = looked.body_hash, fresh_until = looked.fresh_until, failures = looked.failures, marks = coalesce(decode(looked.line_hashes, 'hex'), watched_pages.marks),
        changed_at = case when looked.changed then now() else changed_at end
      from looked
      where write = 'update' and watched_pages.workspace_id = looked.workspace_id
        and watched_pages.account_id = looked.account_id and watched_pages.url = looked.url
    ), added as (
      insert into watched_pages
        (workspace_id, account_id, url, kind, etag, last_modified, content_hash, body_hash, fresh_until, marks, failures)
      select workspace_id, account_id, url, kind, etag, last_modified, content_hash, body_hash, fresh_until, decode(coalesce(line_hashes, ''), 'hex'), failures
      from looked where write = 'add'
      on conflict do nothing
    ), told as (
      select given.* from json_to_recordset(${flat(eventRows)}::json) as given (workspace_id uuid, id uuid, account_id uuid,
        url text, status text, search_status text, meaningful boolean, confidence float8, reason text, run_id uuid,
        count integer, urls text[], failing text[])
      join mine using (workspace_id, account_id)
    ), settled as (
      select workspace_id, account_id, url
      from json_to_recordset(${flat(settledRows)}::json) as given (workspace_id uuid, account_id uuid, url text)
      join mine using (workspace_id, account_id)
    ), recovered as (
      -- Those that fail for the same reason again are counted up below: no row is written twice.
      update monitor_events as event set failing = array(select unnest(event.failing) except select url from settled
        where settled.workspace_id = event.workspace_id and settled.account_id = event.account_id)
      where event.failing <> '{}' and exists (select from settled where settled.workspace_id = event.workspace_id
          and settled.account_id = event.account_id and settled.url = any(event.failing))
        and not exists (select from told where told.workspace_id = event.workspace_id and told.account_id = event.account_id
          and told.failing <> '{}' and md5(told.reason) = md5(event.reason))
    )
    insert into monitor_events
      (workspace_id, id, account_id, url, status, search_status, meaningful, confidence, reason, run_id, count, urls, failing)
    select workspace_id, id, account_id, url, status, search_status, meaningful, confidence, reason, run_id, count, urls, failing
    from told
    on conflict (workspace_id, account_id, md5(reason)) where failing <> '{}' do update set
      count = monitor_events.count + excluded.count,
      last_seen_at = now(),
      urls = (array(select distinct unnest(monitor_events.urls || excluded.urls)))[:${sql.lit(MAX_URLS)}],
      failing = (array(select unnest(monitor_events.failing) except select url from settled
        where settled.workspace_id = excluded.workspace_id and settled.account_id = excluded.account_id
        union select unnest(excluded.failing)))[:${sql.lit(MAX_URLS)}]`.execute(db)
}

/** Addresses that an event of failures names; an account has fewer pages that are watched. */
const MAX_URLS = 50

type EventRow = Omit<EventResult, 'run_id'> & { run_id: string; count: number; urls: string[]; failing: string[] }

/** The events of a check as rows: failures for one reason are one. */
function eventRows({ events, settled }: CheckResult): EventRow[] {
  // Stands for the check, one that found something if any did: it is kept longest. A failure may be counted up instead of
  // being added, so it stands for itself alone.
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

/** Addresses that no longer fail for the reason they failed for: of those that fail now, the present one is told. */
function settledRows({ events, settled }: CheckResult): { url: string }[] {
  const looked = new Set([...settled, ...events.map(({ url }) => url)])
  return [...looked].map((url) => ({ url }))
}

/** Looks that found nothing new, by the last time they did not. The index `monitor_events_quiet` is written in the same words. */
export const quietLooks = (days: number) =>
  purgeOlderThan({ table: 'monitor_events', time: 'last_seen_at', days, where: sql`status in ('unchanged', 'failed')` })

/** Looks that found something. The index `monitor_events_news` is written in the same words. */
export const looksWithNews = (days: number) =>
  purgeOlderThan({ table: 'monitor_events', time: 'created_at', days, where: sql`status in ('new', 'changed')` })

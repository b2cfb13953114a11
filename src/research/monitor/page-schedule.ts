import type { Db } from '../../db/connect.ts'
import type { ReadPage } from '../../engine/page/index.ts'
import type { SitePage } from '../../providers/web/site.ts'
import {
  type ClaimedMonitor,
  deleteMonitors,
  insertMonitors,
  insertPages,
  MIN_INTERVAL_SHARE,
  QUIET_PAGE_INTERVAL,
  type WatchedKind,
  type WatchedPage,
} from './store.ts'

/** The limit of watched pages per account. */
const MAX_WATCHED_PAGES = 8

/** Delays the first check, because the scan that activation starts passes its pages to the monitor. */
const FIRST_CHECK_SECONDS = 120

/** The kinds of pages to watch, the most important first, with the number of pages per kind. */
const WORTH: readonly (readonly [WatchedKind, number])[] = [
  ['home', 1],
  ['feed', 2],
  ['press', 1],
  ['blog', 1],
  ['careers', 1],
  ['team', 1],
  ['pricing', 1],
]

/** Starts monitoring accounts, in the transaction that activates them. */
export function startMonitors(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<void> {
  return insertMonitors(db, workspaceId, accountIds, FIRST_CHECK_SECONDS)
}

/** Stops monitoring accounts immediately: a running check can no longer write. */
export function stopMonitors(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<void> {
  return deleteMonitors(db, workspaceId, accountIds)
}

/** Deletes the watched pages of an account whose domain has changed, and restarts its monitor. */
export async function restartMonitor(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await deleteMonitors(db, workspaceId, [accountId])
  await insertMonitors(db, workspaceId, [accountId], 0)
}

/** Initializes the watched pages with those that a scan has read. */
export async function seedWatchedPages(
  db: Db,
  workspaceId: string,
  accountId: string,
  pages: readonly SitePage[],
): Promise<void> {
  const chosen = WORTH.flatMap(([kind, count]) => pages.filter((page) => page.kind === kind).slice(0, count))
  await insertPages(
    db,
    workspaceId,
    accountId,
    chosen.map(({ url, kind, etag, last_modified, content_hash, body_hash, line_hashes }) => ({
      url,
      kind: kind as WatchedKind,
      etag,
      last_modified,
      content_hash,
      body_hash,
      line_hashes: line_hashes.join(''),
    })),
    MAX_WATCHED_PAGES,
  )
}

/** Pages that the home page links to and that are not watched yet. */
export function choosePagesToWatch(
  { links }: Pick<ReadPage, 'links'>,
  watched: readonly { url: string; kind: WatchedKind }[],
  isOwn: (url: string) => boolean,
): { url: string; kind: WatchedKind }[] {
  const added: { url: string; kind: WatchedKind }[] = []
  for (const [kind, wanted] of WORTH) {
    if (kind === 'home' || kind === 'about') continue
    const urls = kind === 'feed' ? links.feeds : links[kind]
    let count = watched.filter((page) => page.kind === kind).length
    for (const url of urls) {
      if (count >= wanted || watched.length + added.length >= MAX_WATCHED_PAGES) break
      if (!isOwn(url) || [...watched, ...added].some((page) => page.url === url)) continue
      added.push({ url, kind })
      count++
    }
  }
  return added
}

/** The kinds of pages with news, the most likely first. */
const NEWS: readonly WatchedKind[] = ['feed', 'press', 'blog', 'home']

/** Other pages are checked every third time, and less often when they have not changed for a long time. */
const TURN_CHECKS = 3
const QUIET_DAYS = 30

/** The upper limit for the cache lifetime that a site declares. */
const MAX_FRESH_SECONDS = 3 * 86_400

/**
 * The pages that a check fetches: the main news page every time, the others at an interval. Pages that failed or were
 * never read are always due, but come last, so that a page that does not respond does not delay the others. Pages that
 * are still fresh by their cache headers are not requested.
 */
export function duePages({ checks, pages }: Pick<ClaimedMonitor, 'checks' | 'pages'>, now: Date): WatchedPage[] {
  const lead = leadOf(pages)
  const due = pages.filter((page) => {
    if (!isWorking(page)) return true
    if (isFresh(page, now)) return false
    return page === lead || checks % turnOf(page, now) === 0
  })
  return due.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** The time until which a page need not be requested; null where that is before the next check. */
export function freshUntil(seconds: number | null, intervalSeconds: number, now: Date): string | null {
  const held = Math.min(seconds ?? 0, MAX_FRESH_SECONDS)
  return held > intervalSeconds * MIN_INTERVAL_SHARE ? new Date(now.getTime() + held * 1000).toISOString() : null
}

/** A time beyond the limit was written with a wrong clock. */
function isFresh({ fresh_until }: WatchedPage, now: Date): boolean {
  const left = fresh_until ? Date.parse(fresh_until) - now.getTime() : 0
  return left > 0 && left <= MAX_FRESH_SECONDS * 1000
}

/** The home page first, because it links to the others. */
const rankOf = (page: WatchedPage) => (isWorking(page) ? (page.kind === 'home' ? 0 : 1) : 2)

/** The main news page: of several feeds, the one that changed last. */
function leadOf(pages: readonly WatchedPage[]): WatchedPage | undefined {
  return pages
    .filter((page) => isWorking(page) && NEWS.includes(page.kind))
    .sort(
      (a, b) =>
        NEWS.indexOf(a.kind) - NEWS.indexOf(b.kind) ||
        Date.parse(b.changed_at) - Date.parse(a.changed_at) ||
        (a.url < b.url ? -1 : 1),
    )[0]
}

const isWorking = ({ content_hash, failures }: WatchedPage) => Boolean(content_hash) && failures === 0

function turnOf({ changed_at }: WatchedPage, now: Date): number {
  return now.getTime() - Date.parse(changed_at) > QUIET_DAYS * 86_400_000 ? QUIET_PAGE_INTERVAL : TURN_CHECKS
}

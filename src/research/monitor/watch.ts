import type { Db } from '../../db/connect.ts'
import type { ReadPage } from '../../engine/page/index.ts'
import type { SitePage } from '../../providers/web/site.ts'
import { deleteMonitors, insertMonitors, insertPages, type WatchedKind } from './store.ts'

/** Pages of one account that are watched. */
export const MAX_WATCHED = 8

/** The scan that activation starts looks first, and leaves the monitor what it read. */
const FIRST_CHECK_SECONDS = 120

/** What is worth watching, the most telling first, and how many of a kind. */
const WORTH: readonly (readonly [WatchedKind, number])[] = [
  ['home', 1],
  ['feed', 2],
  ['press', 1],
  ['blog', 1],
  ['careers', 1],
  ['team', 1],
  ['pricing', 1],
]

/** Begins to watch accounts, in the transaction that activates them. */
export function startMonitors(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<void> {
  return insertMonitors(db, workspaceId, accountIds, FIRST_CHECK_SECONDS)
}

/** Stops watching accounts at once: a check under way writes nothing any more. */
export function stopMonitors(db: Db, workspaceId: string, accountIds: readonly string[]): Promise<void> {
  return deleteMonitors(db, workspaceId, accountIds)
}

/** Forgets the pages of an account whose domain is another now, and begins anew. */
export async function restartMonitor(db: Db, workspaceId: string, accountId: string): Promise<void> {
  await deleteMonitors(db, workspaceId, [accountId])
  await insertMonitors(db, workspaceId, [accountId], 0)
}

/** Lets the monitor begin from what a scan has read of the site. */
export async function primeMonitor(
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
    MAX_WATCHED,
  )
}

/** Pages that a home page leads to and nobody watches yet. */
export function worthWatching(
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
      if (count >= wanted || watched.length + added.length >= MAX_WATCHED) break
      if (!isOwn(url) || [...watched, ...added].some((page) => page.url === url)) continue
      added.push({ url, kind })
      count++
    }
  }
  return added
}

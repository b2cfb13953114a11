import type { Deps } from '../../deps/deps.ts'
import type { PageChange } from '../../engine/content/compare.ts'
import { toStorable } from '../../engine/text/storable.ts'
import type { FoundDocument, ProviderDeps } from '../../providers/types.ts'
import {
  type ArticleCandidate,
  articleCandidate,
  mergeArticleCandidates,
  readArticles,
} from '../../providers/web/articles.ts'
import type { FetchedContent } from '../../providers/web/fetch-page.ts'
import { SiteCrawler } from '../../providers/web/site.ts'
import { insertEndedRun } from '../../resources/runs/store.ts'
import { daysBefore, isoDate } from '../../shared/days.ts'
import { newId } from '../../shared/ids.ts'
import { readContext } from '../context.ts'
import { detectAndRecord } from '../detect-and-record.ts'
import type { UnreadDocument } from '../detector.ts'
import type { SkippedDocument } from '../foreign-documents.ts'
import type { Ingested } from '../ingest.ts'
import { enqueueMoveDetection } from '../moves/detect-moves.ts'
import { type ClaimedMonitor, holdsLease } from './store.ts'

/** The limit of articles read for one change; the others follow in the next check. */
const MAX_ARTICLES = 10

/** The result of detecting signals in new content. */
export type PageSearch = {
  /** The id of the run. */
  run_id: string
  search_status: 'searched' | 'failed'
  /** Text to append to the reason, starting with a space; may be empty. */
  remark: string
  /** Hashes of articles that could not be read. */
  unread: string[]
  /** Hashes of articles beyond the limit of one check. */
  later: string[]
}

type Parts = Deps & { signal: AbortSignal }

/**
 * Reads the new content of a page and detects signals in it, as a run. Idempotent, so that an interrupted check can be
 * repeated. Returns null when the account is no longer monitored.
 */
export async function searchPageChange(
  deps: Parts,
  monitor: ClaimedMonitor,
  leaseId: string,
  read: FetchedContent,
  change: PageChange,
  modelUntil: AbortSignal,
): Promise<PageSearch | null> {
  const { workspace_id, account_id, name, domain } = monitor
  const stillOurs = () => holdsLease(deps.db, workspace_id, account_id, leaseId)
  if (!(await stillOurs())) return null
  const run_id = newId()
  const started_at = deps.now()
  const gathered = await gather(deps, domain ?? read.url, read, change)
  const { documents, later } = gathered
  let { unread, remark } = gathered
  const record = (db: Deps['db'], found: string[], detections: number, lost: readonly UnreadDocument[] = []) =>
    insertEndedRun(db, workspace_id, {
      id: run_id,
      mode: 'monitor',
      name: toStorable(`Change at ${read.url}`).slice(0, 200),
      account_id,
      started_at,
      timeframe_days: deps.config.SCAN_WINDOW_DAYS,
      stats: {
        ...{ candidates: 1, accounts: documents.length > 0 ? 1 : 0, matched: found.length > 0 ? 1 : 0 },
        ...{ documents: documents.length, detections },
      },
      // Old articles and bare links to other sites are not failures.
      failure: documents.length > lost.length || unread.length === 0 ? null : remark.trim(),
    })
  if (!(await stillOurs())) return null
  if (documents.length > 0) {
    const context = await readContext(deps, workspace_id)
    const target = { workspace_id, account_id, run_id }
    const sourced = documents.map((document) => ({ ...document, source: 'website', fresh: !change.rebuilt }))
    const along = async (
      db: Deps['db'],
      { found, added, documents: kept }: Ingested,
      lost: readonly UnreadDocument[],
      skipped: readonly SkippedDocument[],
    ) => {
      const [first] = lost
      const languages = [...new Set(skipped.map(({ language }) => language))]
      if (languages.length > 0) remark = `${remark} Not read: ${languages.join(', ')}.`
      if (first) {
        remark = `${remark} Not all could be searched for signals: ${first.reason}`
        unread = [...gathered.unread, ...hashesOf(change, lost, read)]
      }
      await enqueueMoveDetection({ ...deps, db }, workspace_id, account_id, kept)
      return record(db, found, added.length, lost)
    }
    const options = { along, signal: deps.signal, modelUntil }
    if (!(await detectAndRecord(deps, context, target, { name, domain }, sourced, options))) return null
  } else await record(deps.db, [], 0)
  return { run_id, search_status: unread.length > 0 ? 'failed' : 'searched', remark, unread, later }
}

/** Hashes of new content in which detection failed: articles, or lines of the page. */
function hashesOf({ articles, lines }: PageChange, lost: readonly UnreadDocument[], read: FetchedContent): string[] {
  const fresh = new Set(lines)
  if (articles.length === 0) return read.parts.filter(({ text }) => fresh.has(text)).map(({ hash }) => hash)
  return articles.filter((part) => lost.some(({ url }) => url === part.url)).map(({ hash }) => hash)
}

type Gathered = { documents: FoundDocument[]; unread: string[]; later: string[]; remark: string }

async function gather(deps: ProviderDeps, domain: string, read: FetchedContent, change: PageChange): Promise<Gathered> {
  if (change.articles.length === 0) {
    // Only the new lines: the rest of the page has no date and is not new.
    const text = change.lines.join('\n')
    const title = read.type === 'page' ? read.page.title : read.feed.title
    // A distinct address per day, because the page will report another event next time.
    const url = `${read.url.split('#', 1)[0]}#seen-${isoDate(deps.now())}`
    const document = { url, kind: 'page' as const, title, text, published_date: null }
    return { documents: [document], unread: [], later: [], remark: '' }
  }
  const since = daysBefore(isoDate(deps.now()), deps.config.SCAN_WINDOW_DAYS)
  const site = new SiteCrawler(deps, domain, MAX_ARTICLES, {})
  site.addDomainOf(read.url)
  const candidates = await mergeArticleCandidates([candidatesOf(read, change)], since)
  const documents = await readArticles(site, candidates.slice(0, MAX_ARTICLES), since)
  const lost = site.failures.filter(({ url }) => !documents.some((document) => document.url === url))
  const hashesAt = (urls: readonly { url: string }[]) =>
    change.articles.filter((part) => urls.some(({ url }) => url === part.url)).map(({ hash }) => hash)
  // After a relaunch, hundreds of moved pages look new but are not news.
  const later = change.rebuilt ? [] : hashesAt(candidates.slice(MAX_ARTICLES))
  const [first] = lost
  const limited = later.length > 0 ? ` ${MAX_ARTICLES} were read, the others follow.` : ''
  const remark = first ? `${limited} Not all could be read: ${first.reason}` : limited
  return { documents, unread: hashesAt(lost), later, remark }
}

function candidatesOf(read: FetchedContent, { articles }: PageChange): ArticleCandidate[] {
  if (read.type === 'page') {
    return articles.flatMap(({ url, text }) =>
      url ? [{ url, title: text || null, published_date: null, text: '' }] : [],
    )
  }
  const fresh = new Set(articles.map(({ url, text }) => url ?? text))
  return read.feed.items
    .filter((item) => fresh.has(item.url ?? item.title ?? item.text))
    .flatMap((item) => articleCandidate(item, read.url))
}

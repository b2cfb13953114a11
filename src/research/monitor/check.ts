import type { Deps } from '../../deps/deps.ts'
import { describeUnchanged, type PageChange } from '../../engine/content/compare.ts'
import { EMPTY_LIST } from '../../engine/json/serialized-list.ts'
import { toStorable } from '../../engine/text/storable.ts'
import { registrableDomainOrHost } from '../../engine/text/web-address.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import { type FetchedContent, fetchPage, type ResponseMetadata } from '../../providers/web/fetch-page.ts'
import { SiteCrawler } from '../../providers/web/site.ts'
import { areDocumentsStored } from '../../resources/documents/store.ts'
import { newId } from '../../shared/ids.ts'
import { loadRoster } from '../enrich.ts'
import { choosePagesToWatch, duePages, freshUntil } from './page-schedule.ts'
import { searchPageChange } from './search.ts'
import {
  type CheckResult,
  type ClaimedMonitor,
  type EventResult,
  findLineHashes,
  type PageResult,
  type WatchedKind,
  type WatchedPage,
} from './store.ts'

/** A page that is missing in this many consecutive checks is no longer watched. */
const MAX_GONE = 3
/** A new article that cannot be read is retried in this many checks. */
const MAX_UNREAD = 3
/** The time limit of the language model for all pages of an account, because other accounts wait. */
const MODEL_MS = 2 * 60_000

/** A check without new content creates no run. */
const NOT_SEARCHED = { meaningful: false, search_status: 'skipped', run_id: null } as const

type Parts = Deps & { signal: AbortSignal }
type Target = { url: string; kind: WatchedKind; known: WatchedPage | null }

/**
 * Checks the pages of one account and returns the result for each. Throws when the signal aborts; returns null when the
 * account is no longer monitored.
 */
export async function checkAccountPages(
  deps: Parts,
  monitor: ClaimedMonitor,
  leaseId: string,
): Promise<CheckResult | null> {
  const { workspace_id, account_id, domain } = monitor
  const result: CheckResult = { workspace_id, account_id, complete: true, pages: [], events: [], settled: [] }
  const checking = new Check(deps, monitor, leaseId, result)
  if (!domain && monitor.pages.length === 0) return result
  if (domain && !monitor.pages.some(({ kind }) => kind === 'home')) await checking.findHome(domain)
  await checking.checkPages(duePages(monitor, deps.now()).map((page) => ({ ...page, known: page })))
  await checking.checkPages(checking.found.map((page) => ({ ...page, known: null })))
  return checking.isOver ? null : { ...result, complete: checking.isComplete }
}

class Check {
  /** Pages that the home page links to and that are not watched yet. */
  found: { url: string; kind: WatchedKind }[] = []
  /** The account was deactivated or deleted in the meantime. */
  isOver = false
  readonly #deps: Parts
  readonly #monitor: ClaimedMonitor
  readonly #leaseId: string
  readonly #result: CheckResult
  /** Origins that do not respond: their other pages are not requested. */
  readonly #silent = new Set<string>()
  #isAnswered = false
  #isRosterQueued = false
  #modelUntil: AbortSignal | undefined

  constructor(deps: Parts, monitor: ClaimedMonitor, leaseId: string, result: CheckResult) {
    this.#deps = deps
    this.#monitor = monitor
    this.#leaseId = leaseId
    this.#result = result
  }

  /**
   * Whether the check counts, so that the schedule of the pages advances. It does not while the site is unreachable,
   * but a single page that does not respond must not delay the others.
   */
  get isComplete(): boolean {
    return this.#isAnswered || this.#silent.size === 0
  }

  /** The first fetch: at the bare domain, then at `www.`. Reports the result of the bare domain when both fail. */
  async findHome(domain: string): Promise<void> {
    const { events } = this.#result
    await this.checkPage({ url: `https://${domain}/`, kind: 'home', known: null })
    const isFound = () => events.at(-1)?.status === 'new'
    if (!isFound()) {
      const [first] = events.splice(-1)
      await this.checkPage({ url: `https://www.${domain}/`, kind: 'home', known: null })
      if (!isFound() && first) events.splice(-1, 1, first)
    }
    // The site has a home page now, so earlier failures at either name are settled.
    if (isFound()) this.#result.settled.push(`https://${domain}/`, `https://www.${domain}/`)
  }

  async checkPages(targets: Target[]): Promise<void> {
    for (const target of targets) await this.checkPage(target, { keepAlive: target !== targets.at(-1) })
  }

  async checkPage(target: Target, options: { keepAlive?: boolean } = {}): Promise<void> {
    const { url, known } = target
    if (this.isOver || this.#silent.has(new URL(url).origin)) return
    const found = await fetchPage(this.#deps, url, known?.content_hash ? known : null, options)
    if (found.outcome !== 'failed') this.#isAnswered = true
    if (found.outcome !== 'failed' && found.outcome !== 'gone') this.#result.settled.push(url)
    switch (found.outcome) {
      case 'unchanged':
        if (known) this.#unchanged(known, found)
        return
      case 'read':
        if (target.kind === 'home' && found.type === 'page') this.#discover(found)
        if (known && (known.content_hash !== null || known.failures > 0)) await this.#changed(known, found)
        else this.#first(target, found)
        return
      case 'gone':
        this.#failed(target, found.reason, true)
        return
      case 'failed':
        if (found.unreachable) this.#silent.add(new URL(url).origin)
        else this.#isAnswered = true
        this.#failed(target, found.reason, false)
    }
  }

  #discover(home: FetchedContent & { type: 'page' }): void {
    const site = new SiteCrawler(this.#deps, this.#monitor.domain ?? home.url, 0, {})
    site.addHomeDomain(home.url)
    this.found = choosePagesToWatch(home.page, this.#monitor.pages, site.isOwn)
  }

  #unchanged(known: WatchedPage, arrival: ResponseMetadata): void {
    const { etag, last_modified, body_hash } = arrival
    const fresh_until = this.#freshUntil(arrival)
    const isAsBefore = known.etag === etag && known.last_modified === last_modified && known.body_hash === body_hash
    if (known.failures > 0 || known.fresh_until !== fresh_until || !isAsBefore) {
      const state = { etag, last_modified, body_hash, fresh_until, line_hashes: null, changed: false, failures: 0 }
      this.#write({ ...known, ...state, write: 'update' })
    }
    this.#report(known.url, 'unchanged', describeUnchanged(known.changed_at, this.#deps.now()), 1)
  }

  #first({ url, kind, known }: Target, read: FetchedContent): void {
    // Stores the final address, so that the next fetch is not redirected.
    const address = known ? url : read.url
    if (!known && this.#result.pages.some((page) => page.url === address)) return
    if (!known && this.#monitor.pages.some((page) => page.url === address)) return
    this.#write({
      ...this.#stateOf(read),
      url: address,
      kind,
      changed: true,
      failures: 0,
      write: known ? 'update' : 'add',
    })
    this.#report(address, 'new', 'The page was read for the first time and is watched from now on.', 1)
  }

  async #changed(known: WatchedPage, read: FetchedContent): Promise<void> {
    const { workspace_id, account_id } = this.#monitor
    const line_hashes = await findLineHashes(this.#deps.db, workspace_id, account_id, known.url)
    const change = await this.#compare(known.kind, read, line_hashes.match(/.{16}/g) ?? [])
    if (change instanceof LimitExceeded) return this.#failed({ ...known, known }, change.reason, false)
    // People who left do not appear as new lines, so the roster is read again.
    if (known.kind === 'team' && change.staff && !this.#isRosterQueued) {
      this.#isRosterQueued = true
      await this.#deps.jobs.enqueue(this.#deps.db, loadRoster, { workspace_id, account_id, own: true })
    }
    const state = { ...this.#stateOf(read), url: known.url, kind: known.kind, changed: true, write: 'update' as const }
    const isKnown = change.articles.length > 0 && (await this.#haveRead(change.articles))
    if (!change.meaningful || isKnown) {
      this.#write({ ...state, failures: 0 })
      this.#report(
        known.url,
        'changed',
        isKnown ? `${change.reason} It was read before.` : change.reason,
        change.confidence,
      )
      return
    }
    this.#modelUntil ??= AbortSignal.timeout(MODEL_MS)
    const searched = await searchPageChange(this.#deps, this.#monitor, this.#leaseId, read, change, this.#modelUntil)
    if (!searched) {
      this.isOver = true
      return
    }
    const { run_id, search_status, remark, unread, later } = searched
    const again = unread.length > 0 && known.failures + 1 < MAX_UNREAD
    const waiting = [...later, ...(again ? unread : [])]
    const left = read.line_hashes.filter((hash) => !waiting.includes(hash)).join('')
    // Without these values the next fetch reads the page again and finds the same articles new.
    const retried = { ...state, etag: null, last_modified: null, content_hash: '', body_hash: null, line_hashes: left }
    const failures = again ? known.failures + 1 : 0
    this.#write(waiting.length > 0 ? { ...retried, failures } : { ...state, failures })
    this.#report(known.url, 'changed', change.reason + remark, change.confidence, {
      meaningful: true,
      search_status,
      run_id,
    })
  }

  /** Whether all articles were already found on another page. */
  #haveRead(articles: PageChange['articles']): Promise<boolean> {
    const { workspace_id, account_id } = this.#monitor
    const urls = articles.map(({ url }) => url ?? '')
    return areDocumentsStored(this.#deps.db, workspace_id, account_id, urls)
  }

  #compare(kind: WatchedKind, read: FetchedContent, known: string[]): Promise<PageChange | LimitExceeded> {
    const { type, parts } = read
    const people = read.type === 'page' ? read.page.people : EMPTY_LIST
    const from = registrableDomainOrHost(read.url)
    return this.#deps.parserPool.run('compare', { kind, read: { type, parts, people }, known }, { from })
  }

  #failed({ url, kind, known }: Target, reason: string, isGone: boolean): void {
    const failures = (known?.failures ?? 0) + 1
    const isDropped = isGone && known !== null && kind !== 'home' && failures >= MAX_GONE
    if (known) {
      this.#write({ ...known, line_hashes: null, changed: false, failures, write: isDropped ? 'drop' : 'update' })
    }
    if (isDropped) this.#result.settled.push(url)
    this.#report(url, 'failed', isDropped ? `${reason} It is no longer watched.` : reason, 1)
  }

  #stateOf(read: FetchedContent) {
    const { etag, last_modified, content_hash, body_hash, line_hashes } = read
    const fresh_until = this.#freshUntil(read)
    return { etag, last_modified, content_hash, body_hash, fresh_until, line_hashes: line_hashes.join('') }
  }

  #freshUntil({ fresh_seconds }: ResponseMetadata): string | null {
    return freshUntil(fresh_seconds, this.#deps.config.MONITOR_INTERVAL_MINUTES * 60, this.#deps.now())
  }

  #write(page: PageResult): void {
    this.#result.pages.push(page)
  }

  #report(
    url: string,
    status: EventResult['status'],
    reason: string,
    confidence: number,
    rest: Pick<EventResult, 'meaningful' | 'search_status' | 'run_id'> = NOT_SEARCHED,
  ): void {
    this.#result.events.push({ id: newId(), url, status, reason: toStorable(reason), confidence, ...rest })
  }
}

import type { Content, ContentPart, Fingerprint } from '../../engine/content/index.ts'
import { detectTechnologiesInHeaders } from '../../engine/technologies/index.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { OutboundResponse, RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { freshSeconds } from '../../outbound/response-headers.ts'
import { isoDate } from '../../shared/days.ts'
import type { ProviderDeps } from '../types.ts'
import {
  conditionalHeaders,
  outboundErrorReason,
  responseValidators,
  statusReason,
  toRawDocument,
  type Validators,
} from './response.ts'
import { crawlPace, loadRobots } from './robots.ts'

/** Validators and hash of a response body, and its cache lifetime in seconds; null when the site states none. */
export type ResponseMetadata = Validators & { body_hash: string | null; fresh_seconds: number | null }
/** What is known from the previous fetch. */
export type PreviousFetch = Validators & { content_hash: string | null; body_hash: string | null }

export type FetchedContent = ResponseMetadata &
  Fingerprint & { outcome: 'read'; url: string; parts: ContentPart[] } & Content

/** The result of fetching one URL; missing, failed and unchanged pages are distinguished. */
export type PageFetchResult =
  | FetchedContent
  | (ResponseMetadata & { outcome: 'unchanged' })
  | { outcome: 'gone'; reason: string }
  | PageFetchFailure

/**
 * `unreachable` when the whole site is unavailable and not only this page; `unreadable` when the content has an
 * unsupported format.
 */
export type PageFetchFailure = { outcome: 'failed'; reason: string; unreachable: boolean; unreadable?: true }

type RobotsOptions = { timeouts?: RequestOptions['timeouts']; what?: string }

export type PageFetchOptions = { timeouts?: RequestOptions['timeouts']; maxBytes?: number; keepAlive?: boolean }

/** The display name of all company websites together. */
export const WEB_SITES = 'Company web sites'

const MAX_BYTES = 5 * 1024 * 1024
/** A slower site delays the others. */
const TIMEOUTS = { headers: 10_000, body: 10_000, total: 20_000 }
const ACCEPT =
  'text/html, application/xhtml+xml, application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5'

/**
 * Fetches one URL, respecting the rules and the crawl delay of robots.txt. A response without new content is
 * `unchanged`. Throws only when the caller's signal aborts.
 */
export async function fetchPage(
  deps: ProviderDeps,
  url: string,
  previous: PreviousFetch | null = null,
  { timeouts = TIMEOUTS, maxBytes = MAX_BYTES, keepAlive = true }: PageFetchOptions = {},
): Promise<PageFetchResult> {
  const rules = await checkRobots(deps, url, { timeouts })
  if ('outcome' in rules) return rules
  const robots = followByRobots(deps, { timeouts })
  try {
    const response = await deps.outbound.request(url, {
      headers: { accept: ACCEPT, ...conditionalHeaders(previous) },
      redirects: robots.follow,
      maxBytes,
      overflow: 'refuse',
      pace: crawlPace(deps, rules.delayMs),
      signal: deps.signal,
      trust: 'public',
      timeouts,
      keepAlive,
      knownHash: previous?.body_hash ?? null,
    })
    const refused = robots.refused()
    if (refused) return refused
    const read = await readResponse(deps, response, previous)
    // A failure of one site says nothing about others, so only successes are reported.
    if (read.outcome !== 'failed') await deps.health.report(WEB_SITES, null)
    return read
  } catch (error) {
    if (deps.signal.aborted) throw error
    if (error instanceof OutboundError && error.kind === 'too_large') {
      return pageFailure(`The page is larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`)
    }
    return pageFailure(outboundErrorReason(error), true)
  }
}

function pageFailure(reason: string, unreachable = false): PageFetchFailure {
  return { outcome: 'failed', reason, unreachable }
}

/** The crawl delay for the URL, or why robots.txt forbids it. `what` names the kind of URL in the reason. */
export async function checkRobots(
  deps: ProviderDeps,
  url: string,
  { timeouts, what = 'page' }: RobotsOptions = {},
): Promise<PageFetchFailure | { delayMs: number }> {
  const address = URL.parse(url)
  if (!address) return pageFailure('The address is not a URL.')
  const robots = await loadRobots(deps, address.origin, timeouts)
  if (!robots.known) return pageFailure(robots.reason, true)
  if (!robots.allows(url)) return pageFailure(`The robots.txt of the site does not allow reading this ${what}.`)
  return { delayMs: robots.delayMs }
}

/** Follows redirects to URLs that the robots.txt of their hosts allow; `refused` is why one was not followed. */
export function followByRobots(deps: ProviderDeps, options: RobotsOptions) {
  let refused: PageFetchFailure | null = null
  const follow = async (url: URL) => {
    const rules = await checkRobots(deps, url.href, options)
    refused = 'outcome' in rules ? rules : null
    return refused === null
  }
  return { follow, refused: () => refused }
}

async function readResponse(
  deps: ProviderDeps,
  response: OutboundResponse,
  previous: PreviousFetch | null,
): Promise<PageFetchResult> {
  const { status, hash } = response
  const fresh_seconds = freshSeconds(response.headers, deps.now())
  const validators = responseValidators(response, previous)
  if (status === 304) {
    return { outcome: 'unchanged', ...validators, body_hash: previous?.body_hash ?? null, fresh_seconds }
  }
  if (status === 404 || status === 410)
    return { outcome: 'gone', reason: `The page does not exist (the site responded with ${status}).` }
  if (status < 200 || status >= 300) return pageFailure(statusReason(status))
  const metadata = { ...validators, body_hash: hash, fresh_seconds }
  if (previous?.body_hash && hash === previous.body_hash) return { outcome: 'unchanged', ...metadata }
  const { document, options } = toRawDocument(response)
  const page = { ...document, today: isoDate(deps.now()), known: previous?.content_hash ?? null }
  const read = await deps.parserPool.run('page', page, { ...options, signal: deps.signal })
  if (read instanceof LimitExceeded) return pageFailure(read.reason)
  if (read.outcome === 'unreadable') return { ...pageFailure(read.reason), unreadable: true }
  if (read.outcome === 'unchanged') {
    return { outcome: 'unchanged', ...metadata, fresh_seconds: fresh_seconds ?? read.every_seconds ?? null }
  }
  if (read.type === 'page') read.page.technologies.push(...detectTechnologiesInHeaders(response.headers))
  const every = read.type === 'feed' ? (read.feed.every_seconds ?? null) : null
  return { ...read, ...metadata, fresh_seconds: fresh_seconds ?? every, url: response.url }
}

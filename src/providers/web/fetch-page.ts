import type { Content, ContentPart, Fingerprint } from '../../engine/content/index.ts'
import { detectTechnologiesInHeaders } from '../../engine/technologies/index.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { OutboundResponse, RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import { freshSeconds } from '../../outbound/response-headers.ts'
import { isoDate } from '../../shared/days.ts'
import type { ProviderDeps } from '../types.ts'
import { rawDocument } from './raw-document.ts'
import { reasonOf, refusalOf } from './reasons.ts'
import { paceOf, robotsOf } from './robots.ts'
import { conditionsOf, type Validators, validatorsOf } from './validators.ts'

/** What came, byte for byte, and for how many seconds its sender says that it holds; null when nobody says. */
export type Arrival = Validators & { body_hash: string | null; fresh_seconds: number | null }
/** What was seen at the last fetch. */
export type Seen = Validators & { content_hash: string | null; body_hash: string | null }

export type Read = Arrival & Fingerprint & { outcome: 'read'; url: string; parts: ContentPart[] } & Content

/** What fetching one address gave. Not there, not to be had, and not changed are three things. */
export type FetchedPage = Read | (Arrival & { outcome: 'unchanged' }) | { outcome: 'gone'; reason: string } | Failed

/** `unreachable` when it is the site that cannot be had, not only this page; `unreadable` when it came in no known format. */
export type Failed = { outcome: 'failed'; reason: string; unreachable: boolean; unreadable?: true }

export type PageFetchOptions = { timeouts?: RequestOptions['timeouts']; maxBytes?: number; keepAlive?: boolean }

/** All of them together, as people know them. */
export const WEB_SITES = 'Company web sites'

const MAX_BYTES = 5 * 1024 * 1024
/** A site that takes longer keeps the others waiting. */
const TIMEOUTS = { headers: 10_000, body: 10_000, total: 20_000 }
const ACCEPT =
  'text/html, application/xhtml+xml, application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5'

/**
 * Fetches one address, as robots.txt allows and no faster than it asks. An answer that says nothing new is
 * `unchanged`. Throws only when the caller's signal ends it.
 */
export async function fetchPage(
  deps: ProviderDeps,
  url: string,
  seen: Seen | null = null,
  { timeouts = TIMEOUTS, maxBytes = MAX_BYTES, keepAlive = true }: PageFetchOptions = {},
): Promise<FetchedPage> {
  const rules = await rulesFor(deps, url, timeouts)
  if ('outcome' in rules) return rules
  try {
    const answer = await deps.outbound.request(url, {
      headers: { accept: ACCEPT, ...conditionsOf(seen) },
      redirects: 'follow',
      maxBytes,
      overflow: 'refuse',
      pace: paceOf(deps, rules.delayMs),
      signal: deps.signal,
      trust: 'public',
      timeouts,
      keepAlive,
      knownHash: seen?.body_hash ?? null,
    })
    if (new URL(answer.url).origin !== new URL(url).origin) {
      // A redirect has led to another site, which has rules of its own.
      const there = await rulesFor(deps, answer.url, timeouts)
      if ('outcome' in there) return there
    }
    const read = await readAnswer(deps, answer, seen)
    // One site that fails says nothing about the others: only that sites can be read is noted.
    if (read.outcome !== 'failed') await deps.health.report(WEB_SITES, null)
    return read
  } catch (error) {
    if (deps.signal.aborted) throw error
    if (error instanceof OutboundError && error.kind === 'too_large') {
      return failed(`The page is larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`)
    }
    return failed(reasonOf(error), true)
  }
}

function failed(reason: string, unreachable = false): Failed {
  return { outcome: 'failed', reason, unreachable }
}

/** How slowly the page may be read, or why it may not. */
export async function rulesFor(
  deps: ProviderDeps,
  url: string,
  timeouts?: RequestOptions['timeouts'],
): Promise<Failed | { delayMs: number }> {
  const address = URL.parse(url)
  if (!address) return failed('The address is not a URL.')
  const robots = await robotsOf(deps, address.origin, timeouts)
  if (!robots.known) return failed(robots.reason, true)
  if (!robots.allows(url)) return failed('The robots.txt of the site asks not to read this page.')
  return { delayMs: robots.delayMs }
}

async function readAnswer(deps: ProviderDeps, answer: OutboundResponse, seen: Seen | null): Promise<FetchedPage> {
  const { status, hash } = answer
  const fresh_seconds = freshSeconds(answer.headers, deps.now())
  const validators = validatorsOf(answer, seen)
  if (status === 304) {
    return { outcome: 'unchanged', ...validators, body_hash: seen?.body_hash ?? null, fresh_seconds }
  }
  if (status === 404 || status === 410)
    return { outcome: 'gone', reason: `There is no page (the site answered ${status}).` }
  if (status < 200 || status >= 300) return failed(refusalOf(status))
  const arrival = { ...validators, body_hash: hash, fresh_seconds }
  if (seen?.body_hash && hash === seen.body_hash) return { outcome: 'unchanged', ...arrival }
  const { came, options } = rawDocument(answer)
  const page = { ...came, today: isoDate(deps.now()), known: seen?.content_hash ?? null }
  const read = await deps.parserPool.run('page', page, { ...options, signal: deps.signal })
  if (read instanceof LimitExceeded) return failed(read.reason)
  if (read.outcome === 'unreadable') return { ...failed(read.reason), unreadable: true }
  if (read.outcome === 'unchanged') {
    return { outcome: 'unchanged', ...arrival, fresh_seconds: fresh_seconds ?? read.every_seconds ?? null }
  }
  if (read.type === 'page') read.page.technologies.push(...detectTechnologiesInHeaders(answer.headers))
  const every = read.type === 'feed' ? (read.feed.every_seconds ?? null) : null
  return { ...read, ...arrival, fresh_seconds: fresh_seconds ?? every, url: answer.url }
}

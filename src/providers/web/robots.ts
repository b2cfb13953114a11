import { compileRobots, type Robots, type RobotsFile } from '../../engine/robots/rules.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { OutboundResponse, RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { freshSeconds } from '../../outbound/response-headers.ts'
import { isUnexpired, type LoadedRobots, type RobotsRecord, robotsExpiry } from '../robots-cache.ts'
import type { ProviderDeps } from '../types.ts'
import { conditionalHeaders, outboundErrorReason, responseValidators, statusReason, toRawDocument } from './response.ts'

/** RFC 9309 requires crawlers to process at least this much. */
const MAX_BYTES = 500 * 1024
const NOT_READ = 'The robots.txt of the site could not be read.'
/** A site without a robots.txt has no rules. */
const OPEN_FILE: RobotsFile = { rules: [], delay: 0, chars: 0, sitemaps: [] }

/** The robots.txt rules of an origin, from the cache or from the site. Throws when the caller's signal aborts. */
export async function loadRobots(
  deps: ProviderDeps,
  origin: string,
  timeouts?: RequestOptions['timeouts'],
): Promise<Robots> {
  const now = deps.now()
  const known = deps.robots.get(origin, now)
  try {
    return known
      ? (await known.loading).robots
      : await deps.robots.set(origin, fetchRobots(deps, origin, timeouts), now)
  } catch (error) {
    // The caller that started the shared request aborted it; retry for this caller.
    if (!deps.signal.aborted && error instanceof OutboundError) return loadRobots(deps, origin, timeouts)
    throw error
  }
}

/** The pace of requests to a site: the configured delay, or the site's crawl delay when that is longer. */
export function crawlPace({ config }: ProviderDeps, delayMs = 0): Pace {
  return { kind: 'crawl', intervalMs: Math.max(config.CRAWL_DELAY_MS, delayMs), concurrency: 2 }
}

async function fetchRobots(
  deps: ProviderDeps,
  origin: string,
  timeouts: RequestOptions['timeouts'],
): Promise<LoadedRobots> {
  const url = `${origin}/robots.txt`
  const before = await deps.robots.takeStored(origin)
  if (before && isUnexpired(before.fresh_until, deps.now())) return toLoadedRobots(url, before)
  try {
    const response = await deps.outbound.request(url, {
      headers: conditionalHeaders(before),
      redirects: 'follow',
      maxBytes: MAX_BYTES,
      pace: crawlPace(deps),
      signal: deps.signal,
      trust: 'public',
      ...(timeouts ? { timeouts } : {}),
    })
    const { status } = response
    if (status === 429 || status >= 500)
      return failedRobots(`${statusReason(status)} The request was for its robots.txt.`)
    const file = await parseFile(deps, response, before)
    if (file instanceof LimitExceeded) return failedRobots(`${NOT_READ} ${file.reason}`)
    const now = deps.now()
    const fresh_until = robotsExpiry(freshSeconds(response.headers, now), now).toISOString()
    const found: RobotsRecord = { file, ...responseValidators(response, before), fresh_until }
    deps.robots.save(origin, found)
    return toLoadedRobots(url, found)
  } catch (error) {
    if (deps.signal.aborted) throw error
    return failedRobots(outboundErrorReason(error))
  }
}

/** The parsed robots.txt; null when it is too large. */
async function parseFile(deps: ProviderDeps, response: OutboundResponse, before: RobotsRecord | null) {
  if (response.status === 304 && before) return before.file
  if (response.status >= 300) return OPEN_FILE
  const { document, options } = toRawDocument(response)
  // Without the signal, because other callers may wait for the same rules.
  return deps.parserPool.run('robots', document, options)
}

function toLoadedRobots(url: string, { file, fresh_until }: RobotsRecord): LoadedRobots {
  return { ...compileRobots(url, file), until: Date.parse(fresh_until) }
}

function failedRobots(reason: string): LoadedRobots {
  return { robots: { known: false, reason }, chars: 0, until: null }
}

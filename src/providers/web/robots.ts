import { compileRobots, type Robots, type RobotsFile } from '../../engine/robots/rules.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { OutboundResponse, RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { freshSeconds } from '../../outbound/response-headers.ts'
import { type AskedRobots, type FoundRobots, isKept, keptUntil } from '../robots/memory.ts'
import type { ProviderDeps } from '../types.ts'
import { rawDocument } from './raw-document.ts'
import { reasonOf, refusalOf } from './reasons.ts'
import { conditionsOf, validatorsOf } from './validators.ts'

/** RFC 9309 asks crawlers to read at least this much. */
const MAX_BYTES = 500 * 1024
const NOT_READ = 'The robots.txt of the site could not be read.'
/** A site without a robots.txt has no rules. */
const OPEN_FILE: RobotsFile = { rules: [], delay: 0, chars: 0, sitemaps: [] }

/**
 * The rules of an origin, asked for when what is known of them is older than it may be. Throws when the caller's signal ends the
 * wait.
 */
export async function robotsOf(
  deps: ProviderDeps,
  origin: string,
  timeouts?: RequestOptions['timeouts'],
): Promise<Robots> {
  const now = deps.now()
  const known = deps.robots.find(origin, now)
  try {
    return known ? (await known.asked).robots : await deps.robots.keep(origin, ask(deps, origin, timeouts), now)
  } catch (error) {
    // Whoever asked first has given up; that is no answer for the others.
    if (!deps.signal.aborted && error instanceof OutboundError) return robotsOf(deps, origin, timeouts)
    throw error
  }
}

/** How requests to a site are spaced out: as we mean to, or slower where it asks for it. */
export function paceOf({ config }: ProviderDeps, delayMs = 0): Pace {
  return { kind: 'crawl', intervalMs: Math.max(config.CRAWL_DELAY_MS, delayMs), concurrency: 2 }
}

async function ask(deps: ProviderDeps, origin: string, timeouts: RequestOptions['timeouts']): Promise<AskedRobots> {
  const url = `${origin}/robots.txt`
  const before = await deps.robots.before(origin)
  if (before && isKept(before.fresh_until, deps.now())) return asAsked(url, before)
  try {
    const answer = await deps.outbound.request(url, {
      headers: conditionsOf(before),
      redirects: 'follow',
      maxBytes: MAX_BYTES,
      pace: paceOf(deps),
      signal: deps.signal,
      trust: 'public',
      ...(timeouts ? { timeouts } : {}),
    })
    const { status } = answer
    if (status === 429 || status >= 500) return unknown(`${refusalOf(status)} It was asked for its robots.txt.`)
    const file = await fileOf(deps, answer, before)
    if (file instanceof LimitExceeded) return unknown(`${NOT_READ} ${file.reason}`)
    const now = deps.now()
    const fresh_until = keptUntil(freshSeconds(answer.headers, now), now).toISOString()
    const found: FoundRobots = { file, ...validatorsOf(answer, before), fresh_until }
    deps.robots.save(origin, found)
    return asAsked(url, found)
  } catch (error) {
    if (deps.signal.aborted) throw error
    return unknown(reasonOf(error))
  }
}

/** What the answer says; null when it says too much. */
async function fileOf(deps: ProviderDeps, answer: OutboundResponse, before: FoundRobots | null) {
  if (answer.status === 304 && before) return before.file
  if (answer.status >= 300) return OPEN_FILE
  const { came, options } = rawDocument(answer)
  // Without the signal: others may wait for the same rules.
  return deps.parserPool.run('robots', came, options)
}

function asAsked(url: string, { file, fresh_until }: FoundRobots): AskedRobots {
  return { ...compileRobots(url, file), until: Date.parse(fresh_until) }
}

function unknown(reason: string): AskedRobots {
  return { robots: { known: false, reason }, chars: 0, until: null }
}

import robotsParser from 'robots-parser'
import type { Outbound, RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import type { ProviderDeps } from '../types.ts'
import { reasonOf, refusalOf } from './reasons.ts'

/** What robots.txt says about an origin. Without an answer nobody knows what is allowed, so nothing is read. */
export type Robots =
  | { known: true; allows: (url: string) => boolean; sitemaps: string[]; delayMs: number }
  | { known: false; reason: string }

const USER_AGENT = 'Bellwether'
/** RFC 9309: no longer than a day. */
const KEEP_MS = 12 * 3_600_000
/** What could not be had is asked for again soon. */
const KEEP_FAILED_MS = 60_000
const MAX_ORIGINS = 5_000
/** RFC 9309 asks crawlers to read at least this much. */
const MAX_BYTES = 500 * 1024
/** Sites that ask for minutes between two requests would never be read to the end. */
const MAX_DELAY_MS = 10_000

// Its types describe an ES module, but it is a function.
const parse = robotsParser as unknown as typeof robotsParser.default

/** A line that says anything of use. Blanks of one line only: `\s` would go through all blank lines from each. */
const RULE = /^[ \t]*(?:allow|disallow|crawl-delay|sitemap)[ \t]*:/im

const OPEN: Robots = { known: true, allows: () => true, sitemaps: [], delayMs: 0 }

type Kept = { robots: Promise<Robots>; until: number }

/** One memory for each client, that is for each service in this process. */
const memories = new WeakMap<Outbound, Map<string, Kept>>()

/** The rules of an origin, asked for once in a while. Throws when the caller's signal ends the wait. */
export async function robotsOf(
  deps: ProviderDeps,
  origin: string,
  timeouts?: RequestOptions['timeouts'],
): Promise<Robots> {
  const memory = memories.get(deps.outbound) ?? new Map<string, Kept>()
  memories.set(deps.outbound, memory)
  const known = memory.get(origin)
  if (known && Date.now() < known.until) return known.robots
  memory.delete(origin)
  const [oldest] = memory.size >= MAX_ORIGINS ? memory.keys() : []
  if (oldest !== undefined) memory.delete(oldest)
  const kept: Kept = { robots: ask(deps, origin, timeouts), until: Date.now() + KEEP_MS }
  memory.set(origin, kept)
  try {
    const robots = await kept.robots
    if (!robots.known) kept.until = Math.min(kept.until, Date.now() + KEEP_FAILED_MS)
    return robots
  } catch (error) {
    if (memory.get(origin) === kept) memory.delete(origin)
    // Whoever asked first has given up; that is no answer for the others.
    if (!deps.signal.aborted && error instanceof OutboundError) return robotsOf(deps, origin, timeouts)
    throw error
  }
}

/** How requests to a site are spaced out: as we mean to, or slower where it asks for it. */
export function paceOf({ config }: ProviderDeps, delayMs = 0): Pace {
  return { kind: 'crawl', intervalMs: Math.max(config.CRAWL_DELAY_MS, delayMs), concurrency: 2 }
}

async function ask(deps: ProviderDeps, origin: string, timeouts: RequestOptions['timeouts']): Promise<Robots> {
  const url = `${origin}/robots.txt`
  try {
    const answer = await deps.outbound.request(url, {
      redirects: 'follow',
      maxBytes: MAX_BYTES,
      pace: paceOf(deps),
      signal: deps.signal,
      ...(timeouts ? { timeouts } : {}),
    })
    const { status } = answer
    if (status === 429 || status >= 500)
      return { known: false, reason: `${refusalOf(status)} It was asked for its robots.txt.` }
    if (status >= 300) return OPEN
    return readRules(url, answer.text())
  } catch (error) {
    if (error instanceof OutboundError && error.kind === 'aborted') throw error
    return { known: false, reason: reasonOf(error) }
  }
}

/** Exported for its test: what a robots.txt says. */
export function readRules(url: string, text: string): Robots {
  if (!RULE.test(text)) return OPEN
  const rules = parse(url, text)
  const delay = rules.getCrawlDelay(USER_AGENT) ?? 0
  return {
    known: true,
    allows: (page) => rules.isAllowed(page, USER_AGENT) ?? true,
    sitemaps: rules.getSitemaps().slice(0, 20),
    delayMs: Number.isFinite(delay) && delay > 0 ? Math.min(delay * 1000, MAX_DELAY_MS) : 0,
  }
}

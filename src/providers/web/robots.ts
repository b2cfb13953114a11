import type { Outbound, RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import type { ProviderDeps } from '../types.ts'
import { reasonOf, refusalOf } from './reasons.ts'
import { OPEN, type Robots, readRules } from './robots-rules.ts'

/** RFC 9309: no longer than a day. */
const KEEP_MS = 12 * 3_600_000
/** What could not be had is asked for again soon. */
const KEEP_FAILED_MS = 60_000
/** RFC 9309 asks crawlers to read at least this much. */
const MAX_BYTES = 500 * 1024
const MAX_ORIGINS = 5_000
/** Characters of rules that are kept over all origins; a rule takes about ten times its length. */
const MAX_CHARS = 4_000_000

type Asked = { robots: Robots; chars: number }
type Kept = { asked: Promise<Asked>; until: number; chars: number }

/** What is known about origins; the oldest is forgotten when there is too much. */
export class RobotsMemory {
  readonly #kept = new Map<string, Kept>()
  readonly #maxChars: number
  #chars = 0

  constructor(maxChars = MAX_CHARS) {
    this.#maxChars = maxChars
  }

  get size(): number {
    return this.#kept.size
  }

  find(origin: string): Kept | null {
    const known = this.#kept.get(origin)
    if (known && Date.now() < known.until) return known
    this.#forget(origin)
    return null
  }

  /** Keeps a question, so that others who ask the same wait for one answer. Throws what asking throws. */
  async keep(origin: string, asking: Promise<Asked>): Promise<Robots> {
    const kept: Kept = { asked: asking, until: Date.now() + KEEP_MS, chars: 0 }
    this.#forget(origin)
    this.#kept.set(origin, kept)
    try {
      const { robots, chars } = await asking
      if (!robots.known) kept.until = Math.min(kept.until, Date.now() + KEEP_FAILED_MS)
      if (this.#kept.get(origin) === kept) {
        kept.chars = chars
        this.#chars += chars
      }
      this.#sweep()
      return robots
    } catch (error) {
      if (this.#kept.get(origin) === kept) this.#forget(origin)
      throw error
    }
  }

  #forget(origin: string): void {
    this.#chars -= this.#kept.get(origin)?.chars ?? 0
    this.#kept.delete(origin)
  }

  #sweep(): void {
    for (const origin of this.#kept.keys()) {
      if (this.#kept.size <= MAX_ORIGINS && this.#chars <= this.#maxChars) return
      this.#forget(origin)
    }
  }
}

/** One memory for each client, that is for each service in this process. */
const memories = new WeakMap<Outbound, RobotsMemory>()

/** The rules of an origin, asked for once in a while. Throws when the caller's signal ends the wait. */
export async function robotsOf(
  deps: ProviderDeps,
  origin: string,
  timeouts?: RequestOptions['timeouts'],
): Promise<Robots> {
  const memory = memories.get(deps.outbound) ?? new RobotsMemory()
  memories.set(deps.outbound, memory)
  const known = memory.find(origin)
  try {
    return known ? (await known.asked).robots : await memory.keep(origin, ask(deps, origin, timeouts))
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

async function ask(deps: ProviderDeps, origin: string, timeouts: RequestOptions['timeouts']): Promise<Asked> {
  const url = `${origin}/robots.txt`
  try {
    const answer = await deps.outbound.request(url, {
      redirects: 'follow',
      maxBytes: MAX_BYTES,
      pace: paceOf(deps),
      signal: deps.signal,
      trust: 'public',
      ...(timeouts ? { timeouts } : {}),
    })
    const { status } = answer
    if (status === 429 || status >= 500) return unknown(`${refusalOf(status)} It was asked for its robots.txt.`)
    return status >= 300 ? { robots: OPEN, chars: 0 } : readRules(url, answer.text())
  } catch (error) {
    if (deps.signal.aborted) throw error
    return unknown(reasonOf(error))
  }
}

function unknown(reason: string): Asked {
  return { robots: { known: false, reason }, chars: 0 }
}

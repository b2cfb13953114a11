import { OPEN, type Robots, rulesOf } from '../../engine/robots/rules.ts'
import { GivenUp } from '../../engine/threads/pool.ts'
import type { RequestOptions } from '../../outbound/client.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { Pace } from '../../outbound/pacing.ts'
import type { AskedRobots } from '../robots/memory.ts'
import type { ProviderDeps } from '../types.ts'
import { cameOf } from './came.ts'
import { reasonOf, refusalOf } from './reasons.ts'

/** RFC 9309 asks crawlers to read at least this much. */
const MAX_BYTES = 500 * 1024
const NOT_READ = 'The robots.txt of the site could not be read.'

/** The rules of an origin, asked for once in a while. Throws when the caller's signal ends the wait. */
export async function robotsOf(
  deps: ProviderDeps,
  origin: string,
  timeouts?: RequestOptions['timeouts'],
): Promise<Robots> {
  const known = deps.robots.find(origin)
  try {
    return known ? (await known.asked).robots : await deps.robots.keep(origin, ask(deps, origin, timeouts))
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
    if (status >= 300) return { robots: OPEN, chars: 0 }
    const { came, options } = cameOf(answer)
    // Without the signal: others may wait for the same rules.
    const file = await deps.reading.run('robots', came, options)
    return file instanceof GivenUp ? unknown(`${NOT_READ} ${file.reason}`) : rulesOf(url, file)
  } catch (error) {
    if (deps.signal.aborted) throw error
    return unknown(reasonOf(error))
  }
}

function unknown(reason: string): AskedRobots {
  return { robots: { known: false, reason }, chars: 0 }
}

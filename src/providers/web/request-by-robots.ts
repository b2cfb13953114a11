import type { OutboundResponse } from '../../outbound/client.ts'
import type { Pace } from '../../outbound/pacing.ts'
import type { ProviderProblem } from '../health.ts'
import { failedResult, type ProviderRequestOptions, type ProviderResponse, requestProvider } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { checkRobots, followByRobots, type PageFetchFailure } from './fetch-page.ts'
import { crawlPace } from './robots.ts'

type Options = Omit<ProviderRequestOptions, 'pace' | 'redirects'> & {
  /** The pace of the source; without it that of company sites. A longer crawl delay replaces the interval. */
  pace?: Pace
  /** What the URL is, for the reason. */
  what: string
  /** Whether a redirect to this URL means that there is nothing at the requested one. */
  isMissing?: (url: URL) => boolean
}

/** Sends a request to a source if the robots.txt of its host allows the URL. Otherwise reports why it is not read. */
export async function requestByRobots(
  deps: ProviderDeps,
  source: string,
  url: string,
  { pace, what, isMissing = () => false, ...options }: Options,
): Promise<ProviderResponse<OutboundResponse>> {
  const rules = await checkRobots(deps, url, { what })
  if ('outcome' in rules) {
    const problem = problemOf(source, rules)
    await deps.health.report(source, problem)
    return failedResult(problem.message)
  }
  const ownPace = pace && { ...pace, intervalMs: Math.max(pace.intervalMs, rules.delayMs) }
  const robots = followByRobots(deps, { what })
  let isGone = false
  return requestProvider(deps, source, url, {
    ...options,
    pace: ownPace ?? crawlPace(deps, rules.delayMs),
    redirects: {
      async follow(to) {
        isGone = isMissing(to)
        return !isGone && robots.follow(to)
      },
      unfollowed() {
        const refused = robots.refused()
        return isGone ? 'nothing' : refused && problemOf(source, refused)
      },
    },
  })
}

const problemOf = (source: string, { reason, unreachable }: PageFetchFailure): ProviderProblem => ({
  kind: unreachable ? 'unavailable' : 'refused',
  message: `${source}: ${reason}`,
})

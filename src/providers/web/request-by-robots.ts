import type { OutboundResponse } from '../../outbound/client.ts'
import type { Pace } from '../../outbound/pacing.ts'
import { failedResult, type ProviderRequestOptions, type ProviderResponse, requestProvider } from '../request.ts'
import type { ProviderDeps } from '../types.ts'
import { checkRobots } from './fetch-page.ts'
import { crawlPace } from './robots.ts'

type Options = Omit<ProviderRequestOptions, 'pace'> & {
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
  if ('outcome' in rules) return notAllowed(deps, source, rules)
  const ownPace = pace && { ...pace, intervalMs: Math.max(pace.intervalMs, rules.delayMs) }
  const response = await requestProvider(deps, source, url, {
    ...options,
    pace: ownPace ?? crawlPace(deps, rules.delayMs),
  })
  const end = response.outcome === 'ok' ? new URL(response.value.url) : null
  if (!end || end.origin === new URL(url).origin) return response
  if (isMissing(end)) return { outcome: 'nothing' }
  // A redirect led to another site, whose robots.txt applies.
  const there = await checkRobots(deps, end.href, { what })
  return 'outcome' in there ? notAllowed(deps, source, there) : response
}

async function notAllowed(
  deps: ProviderDeps,
  source: string,
  { reason, unreachable }: { reason: string; unreachable: boolean },
) {
  const message = `${source}: ${reason}`
  await deps.health.report(source, { kind: unreachable ? 'unavailable' : 'refused', message })
  return failedResult(message)
}

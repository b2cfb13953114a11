import { LimitExceeded } from '../../engine/threads/pool.ts'
import { ask, failed, misshapen } from '../ask.ts'
import { type CompanyRef, type Found, type FoundDocument, items, type ProviderDeps } from '../types.ts'
import { rawDocument } from '../web/raw-document.ts'
import { paceOf, robotsOf } from '../web/robots.ts'

export const STATUS_PAGES = 'Status pages'

const MAX_BYTES = 2 * 1024 * 1024

/** The incidents that a company's status page tells of since a day, where the page is one of Statuspage or made like one. */
export async function readStatusPage(
  deps: ProviderDeps,
  company: CompanyRef,
  origin: string,
  since: string,
): Promise<Found<FoundDocument>> {
  const url = `${origin}/api/v2/incidents.json`
  const robots = await robotsOf(deps, origin)
  if (!robots.known) return failed(robots.reason)
  if (!robots.allows(url)) return failed('The robots.txt of the status page asks not to read its incidents.')
  const options = {
    ...{ pace: paceOf(deps, robots.delayMs), maxBytes: MAX_BYTES, trust: 'public' as const },
    headers: { accept: 'application/json' },
  }
  const own = withSiteHealth(deps)
  const asked = await ask(own, STATUS_PAGES, url, options)
  if (asked.outcome !== 'answer') return asked
  const { came, options: place } = rawDocument(asked.value)
  const task = { ...came, company: { name: company.name, domain: company.domain }, origin, since }
  const read = await deps.parserPool.run('incidents', task, {
    ...place,
    from: `status page ${origin}`,
    signal: deps.signal,
  })
  if (read instanceof LimitExceeded) return failed(read.reason)
  if (read.outcome === 'no-json') return failed(`${STATUS_PAGES} answered something that is not JSON.`)
  if (read.outcome === 'misshapen') return misshapen(deps, STATUS_PAGES)
  return items<FoundDocument>(read.incidents)
}

/** One page that does not answer says nothing about the others, so only that they can be read is noted. */
function withSiteHealth(deps: ProviderDeps): ProviderDeps {
  const report: ProviderDeps['health']['report'] = async (source, problem) => {
    if (problem === null) await deps.health.report(source, null)
  }
  return { ...deps, health: { report } }
}

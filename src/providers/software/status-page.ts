import { LimitExceeded } from '../../engine/threads/pool.ts'
import { failedResult, reportUnexpectedFormat } from '../request.ts'
import { type CompanyRef, type FoundDocument, itemsResult, type ProviderDeps, type SourceResult } from '../types.ts'
import { requestByRobots } from '../web/request-by-robots.ts'
import { toRawDocument } from '../web/response.ts'

export const STATUS_PAGES = 'Status pages'

const MAX_BYTES = 2 * 1024 * 1024

/** The incidents since a day on a company's status page, if it is a Statuspage or compatible with it. */
export async function fetchIncidents(
  deps: ProviderDeps,
  company: CompanyRef,
  origin: string,
  since: string,
): Promise<SourceResult<FoundDocument>> {
  const url = `${origin}/api/v2/incidents.json`
  const options = {
    ...{ what: 'status page', maxBytes: MAX_BYTES, trust: 'public' as const },
    headers: { accept: 'application/json' },
  }
  const siteDeps = reportSuccessesOnly(deps)
  const response = await requestByRobots(siteDeps, STATUS_PAGES, url, options)
  if (response.outcome !== 'ok') return response
  const { document, options: taskOptions } = toRawDocument(response.value)
  const task = { ...document, company: { name: company.name, domain: company.domain }, origin, since }
  const read = await deps.parserPool.run('incidents', task, {
    ...taskOptions,
    from: `status page ${origin}`,
    signal: deps.signal,
  })
  if (read instanceof LimitExceeded) return failedResult(read.reason)
  if (read.outcome === 'no-json') return failedResult(`${STATUS_PAGES} responded with invalid JSON.`)
  if (read.outcome === 'misshapen') return reportUnexpectedFormat(deps, STATUS_PAGES)
  return itemsResult<FoundDocument>(read.incidents)
}

/** A failure of one status page says nothing about others, so only successes are reported. */
function reportSuccessesOnly(deps: ProviderDeps): ProviderDeps {
  const report: ProviderDeps['health']['report'] = async (source, problem) => {
    if (problem === null) await deps.health.report(source, null)
  }
  return { ...deps, health: { report } }
}

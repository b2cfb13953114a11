import type { Config } from '../../config/config.ts'
import type { Cascade } from '../../engine/cascade/types.ts'
import { countryName } from '../../engine/countries.ts'
import { NO_ROLE_MESSAGE, parseRequest, toTierSummaries } from './request.ts'

const BY_MODEL = 'The language model parses the request when the search runs, and may understand it differently.'

/** Returns how a request for people is understood. Makes no network request and stores nothing, because it runs while the user types. */
export function previewRequest({ LLM_BASE_URL }: Pick<Config, 'LLM_BASE_URL'>, query: string) {
  const { cascade } = parseRequest(query)
  const { tiers, names = [], places = [], credentials = [] } = cascade
  return {
    cascade: toTierSummaries(tiers),
    names: names.map((words) => words.join(' ')),
    places: places.map(({ name }) => name),
    credentials,
    without: ruledOut(cascade.exclude),
    message: tiers.length === 0 ? NO_ROLE_MESSAGE : null,
    notice: LLM_BASE_URL === null ? null : BY_MODEL,
  }
}

function ruledOut({ keywords, job_levels, country_codes, rules = [], places = [] }: Cascade['exclude']): string[] {
  const words = rules.flatMap((rule) => [...rule.keywords, ...(rule.fields ?? []), rule.department ?? ''])
  const countries = country_codes.map((code) => countryName(code) ?? code)
  const all = [...keywords, ...job_levels, ...words, ...places.map(({ name }) => name), ...countries]
  return [...new Set(all.filter((word) => word !== ''))]
}

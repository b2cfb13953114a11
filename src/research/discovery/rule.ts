import { buildIndustryFilter, matchesIndustry } from '../../engine/companies/industries.ts'
import { type GeoPlace, isLocatedIn, lookupPlaces, parseLocation } from '../../engine/places/index.ts'
import type { FoundFirmographics } from '../../providers/types.ts'
import type { Company, CompanyFilter } from '../../resources/companies/store.ts'
import { daysBefore } from '../../shared/days.ts'
import type { Finding } from '../detector.ts'

/** What a discovery run looks for; kept as the run's `spec`. */
export type DiscoverySpec = {
  signals: { any_of: string[]; must_have: string[]; exclude: string[] }
  /** Days, or `all`. */
  recency: string
  geographies: string[]
  industries: string[]
  employee_min: number | null
  employee_max: number | null
}

/** For sources that must be told since when: what is older is not asked for even when all counts. */
export const MAX_DAYS = 3650

/** The days that count; null when all do. */
export function recencyDays({ recency }: Pick<DiscoverySpec, 'recency'>): number | null {
  return recency === 'all' ? null : Number(recency)
}

/** The filter of the universe, and the places themselves, which may be narrower than the countries it goes by. */
export type DiscoveryFilter = CompanyFilter & { places: GeoPlace[] | null }

export function buildDiscoveryFilter({
  geographies,
  industries,
  employee_min,
  employee_max,
}: DiscoverySpec): DiscoveryFilter {
  const places = geographies.length > 0 ? geographies.flatMap(lookupPlaces) : null
  return {
    places,
    country_codes: places && [...new Set(places.map(({ country }) => country))],
    industries: industries.length > 0 ? buildIndustryFilter(industries) : null,
    employee_min,
    employee_max,
  }
}

/** Whether the filter asks for states or cities. */
export const isNarrowRule = ({ places }: DiscoveryFilter) => places?.some(({ area }) => area !== null) ?? false

/** What is known of a candidate: what was imported counts before what the sources say. */
export type CompanyFacts = {
  location: string | null
  country: string | null
  industry: string | null
  employees: number | null
}

export function combineFacts(company: Company | undefined, told: FoundFirmographics): CompanyFacts {
  // The location of one source and the country of another may contradict each other.
  const place = company?.country || company?.location ? company : told
  return {
    location: place.location ?? (isSame(place.country, told.country) ? (told.location ?? null) : null),
    country: place.country ?? null,
    industry: company?.industry ?? told.industry ?? null,
    employees: company?.employees ?? told.employees ?? null,
  }
}

function isSame(country: string | null | undefined, other: string | null | undefined): boolean {
  return !country || !other || isLocatedIn(parseLocation(null, other), parseLocation(null, country)) === true
}

/**
 * Why a company is outside the filter, in words; null when it is inside. What is not known does not match a filter that
 * is set, unless it may still be found out.
 */
export function filterMismatch(
  filter: DiscoveryFilter,
  known: CompanyFacts,
  { final }: { final: boolean },
): string | null {
  const { location, country, industry, employees } = known
  const { places, employee_min, employee_max } = filter
  if (places) {
    const inside = isLocatedIn(parseLocation(location, country), places)
    if (inside === false || (inside === null && final)) {
      const written = [location, country].filter(Boolean).join(', ')
      return written ? `It is in ${written}.` : 'Its place is not known.'
    }
  }
  if (filter.industries) {
    if (industry ? !matchesIndustry(filter.industries, industry) : final)
      return industry ? `Its industry is ${industry}.` : 'Its industry is not known.'
  }
  if (employee_min !== null || employee_max !== null) {
    const fits = employees !== null && employees >= (employee_min ?? 0) && employees <= (employee_max ?? Infinity)
    if (employees !== null ? !fits : final)
      return employees !== null ? `It has ${employees} employees.` : 'Its number of employees is not known.'
  }
  return null
}

export type RuleMatch = { state: 'matched' } | { state: 'unmatched' | 'failed'; reason: string }

/**
 * Whether what was found fulfils the rule. `visible` are the signals that the sources would have shown: that another one is
 * not there, nobody can say.
 */
export function matchesRule(
  spec: DiscoverySpec,
  findings: readonly Finding[],
  visible: readonly string[],
  today: string,
): RuleMatch {
  const days = recencyDays(spec)
  const since = days === null ? '' : daysBefore(today, days)
  const shown = new Set(findings.filter(({ date }) => date >= since).map(({ signal_id }) => signal_id))
  const { any_of, must_have, exclude } = spec.signals
  const within = days === null ? '' : ` within ${days} days`
  const isSeen = (id: string) => visible.includes(id)
  const unseen = (ids: string[]): RuleMatch => ({
    state: 'failed',
    reason: `Whether it shows ${ids.join(' or ')} could not be seen.`,
  })

  const excluded = exclude.find((id) => shown.has(id))
  if (excluded) return { state: 'unmatched', reason: `It shows ${excluded}${within}.` }
  const missing = must_have.filter((id) => !shown.has(id))
  const absent = missing.find(isSeen)
  if (absent) return { state: 'unmatched', reason: `It does not show ${absent}${within}.` }
  const anyShown = any_of.length === 0 || any_of.some((id) => shown.has(id))
  if (!anyShown && any_of.every(isSeen))
    return { state: 'unmatched', reason: `It shows none of ${any_of.join(', ')}${within}.` }
  if (missing.length > 0) return unseen(missing)
  if (!anyShown) return unseen(any_of)
  const unsure = exclude.filter((id) => !isSeen(id))
  return unsure.length > 0 ? unseen(unsure) : { state: 'matched' }
}

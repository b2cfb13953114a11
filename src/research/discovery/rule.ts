import { buildIndustryFilter, matchesIndustry } from '../../engine/companies/industries.ts'
import { type GeoPlace, isLocatedIn, lookupPlaces, parseLocation } from '../../engine/places/index.ts'
import type { FoundFirmographics } from '../../providers/types.ts'
import type { Company, CompanyFilter } from '../../resources/companies/store.ts'
import { daysBefore } from '../../shared/days.ts'
import type { Finding } from '../detector.ts'

/** The rule of a discovery run; stored as the run's `spec`. */
export type DiscoverySpec = {
  signals: { any_of: string[]; must_have: string[]; exclude: string[] }
  /** A number of days, or `all`. */
  recency: string
  geographies: string[]
  industries: string[]
  employee_min: number | null
  employee_max: number | null
}

/** For sources that need a start date, when the rule has no limit. */
export const MAX_DAYS = 3650

/** The number of days within which events count; null when all count. */
export function recencyDays({ recency }: Pick<DiscoverySpec, 'recency'>): number | null {
  return recency === 'all' ? null : Number(recency)
}

/**
 * The filter for the universe, and the requested places, which may be smaller than the countries that the universe is
 * filtered by.
 */
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

/** Whether the filter names states or cities. */
export const isNarrowRule = ({ places }: DiscoveryFilter) => places?.some(({ area }) => area !== null) ?? false

/** The facts about a candidate that the filter applies to. Imported data has precedence over the sources. */
export type CompanyFacts = {
  location: string | null
  country: string | null
  industry: string | null
  employees: number | null
}

export function combineFacts(company: Company | undefined, found: FoundFirmographics): CompanyFacts {
  // The location of one source and the country of another may contradict each other.
  const place = company?.country || company?.location ? company : found
  return {
    location: place.location ?? (isSame(place.country, found.country) ? (found.location ?? null) : null),
    country: place.country ?? null,
    industry: company?.industry ?? found.industry ?? null,
    employees: company?.employees ?? found.employees ?? null,
  }
}

function isSame(country: string | null | undefined, other: string | null | undefined): boolean {
  return !country || !other || isLocatedIn(parseLocation(null, other), parseLocation(null, country)) === true
}

/**
 * The reason why a company does not match the filter; null when it matches. An unknown fact does not match, unless it
 * may still be found (`final: false`).
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
 * Whether the findings match the rule. `visible`: the signals that the sources would have shown; the absence of any
 * other signal is unknown.
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
    reason: `Whether it shows ${ids.join(' or ')} could not be determined.`,
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

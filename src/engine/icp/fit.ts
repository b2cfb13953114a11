// Compares a company with an ideal customer profile (ICP). Each criterion is met, not met, or unknown.
import {
  foldIndustry,
  industryKeys,
  industryName,
  industryWithAncestors,
  industryWithDescendants,
} from '../companies/industries.ts'
import { isLocatedIn, parseLocation } from '../places/index.ts'
import { findIndustriesInText } from './industries.ts'
import type { Icp } from './read.ts'

export type IcpCompany = {
  employees?: number | null
  industry?: string | null
  country?: string | null
  location?: string | null
  short_description?: string | null
}

export type IcpVerdict = 'fits' | 'does not fit' | 'unknown'

export type IcpCriterion = {
  name: 'employees' | 'industry' | 'geography'
  weight: number
  /** How far the criterion is met, 0 to 1; null when unknown. */
  share: number | null
  /** Whether the ICP names what it wants, and not only exclusions. */
  wanted: boolean
  why: string
}

/** One criterion for each of size, industry and place that the ICP mentions. */
export function evaluateCriteria(icp: Icp, firm: IcpCompany): IcpCriterion[] {
  const criteria: IcpCriterion[] = []
  const { industries, places, excluded } = icp
  if (icp.size) criteria.push(sizeFit(icp.size, firm.employees ?? null))
  if (industries.length + excluded.industries.length > 0) criteria.push(industryFit(icp, firm))
  if (places.length + excluded.places.length > 0) criteria.push(placeFit(icp, firm))
  return criteria
}

/**
 * A company fits when every wanted industry and place is known to match and no criterion fails. The number of employees is
 * missing most often, so it may be unknown if another criterion is known. A criterion with exclusions only may be unknown
 * too. Otherwise the verdict is unknown.
 */
export function judgeIcpFit(criteria: readonly IcpCriterion[]): IcpVerdict {
  if (criteria.some(({ share }) => share === 0)) return 'does not fit'
  const holds = criteria.some(({ share }) => share !== null)
  const open = criteria.some(({ name, share, wanted }) => share === null && wanted && name !== 'employees')
  return holds && !open ? 'fits' : 'unknown'
}

/** Up to a quarter below or above the wanted range is a near miss; beyond that the size does not fit. */
const NEAR_MISS = 1.25

function sizeFit({ min, max }: NonNullable<Icp['size']>, employees: number | null): IcpCriterion {
  const asked = `(target ${formatRange(min, max)})`
  const base = { name: 'employees', weight: 40, wanted: true } as const
  if (employees === null) return { ...base, share: null, why: `employees unknown ${asked}` }
  const off = Math.max((min ?? 0) / Math.max(1, employees), employees / (max ?? Number.POSITIVE_INFINITY))
  const share = off <= 1 ? 1 : off <= NEAR_MISS ? 0.7 : 0
  return { ...base, share, why: `${formatNumber(employees)} employees ${asked}` }
}

const formatNumber = (number: number) => number.toLocaleString('en')

/** `50–5,000`, `50 or more`, `up to 5,000`. */
function formatRange(min: number | null, max: number | null): string {
  if (min === null) return max === null ? 'any' : `up to ${formatNumber(max)}`
  return max === null ? `${formatNumber(min)} or more` : `${formatNumber(min)}–${formatNumber(max)}`
}

/** Companies of these industries are often listed under a wider one: software companies under technology. */
const SAME = new Map([
  ['saas', ['software', 'technology']],
  ['software', ['technology']],
])

function industryFit({ industries, excluded }: Icp, { industry, short_description }: IcpCompany): IcpCriterion {
  const base = { name: 'industry', weight: 35, wanted: industries.length > 0 } as const
  const asked =
    industries.length > 0
      ? `(target ${industries.map(industryName).join(', ')})`
      : `(target any but ${excluded.industries.map(industryName).join(', ')})`
  const listed = industry ? industryKeys(industry) : []
  // A description also names the industries of customers; the first one is most likely the company's own.
  const described =
    listed.length > 0 ? [] : findIndustriesInText(short_description ?? '', { listed: false }).slice(0, 1)
  const keys = [...listed, ...described]
  const written = industry ?? (described.length > 0 ? `described as ${described.map(industryName).join(', ')}` : null)
  if (keys.length === 0) {
    const why = written ? `industry ${foldIndustry(written)} not recognized ${asked}` : `industry unknown ${asked}`
    return { ...base, share: null, why }
  }
  const ruledOut = excluded.industries.find((key) => industryWithDescendants(key).includes(keys[0] as string))
  if (
    ruledOut &&
    !industries.some(
      (key) =>
        industryWithAncestors(key).includes(ruledOut) && industryWithDescendants(key).includes(keys[0] as string),
    )
  )
    return { ...base, share: 0, why: `${written} (${industryName(ruledOut)} is excluded)` }
  const why = `${written} ${asked}`
  if (industries.length === 0) return { ...base, share: 1, why }
  const wanted = new Set(industries.flatMap(industryWithDescendants))
  if (keys.some((key) => wanted.has(key))) return { ...base, share: 1, why }
  const same = industries.flatMap((key) => SAME.get(key) ?? [])
  // SaaS is a way to sell software, so any kind of software can be SaaS.
  const wider = new Set(industries.includes('saas') ? industryWithDescendants('software') : [])
  if (keys.some((key) => same.includes(key) || wider.has(key))) return { ...base, share: 0.8, why }
  const isWider = keys.some((key) => industries.some((asked) => industryWithAncestors(asked).includes(key)))
  if (isWider) return { ...base, share: null, why: `${written} may match ${asked}` }
  return described.length > 0 ? { ...base, share: null, why } : { ...base, share: 0, why }
}

function placeFit({ places, excluded }: Icp, { country, location }: IcpCompany): IcpCriterion {
  const base = { name: 'geography', weight: 25, wanted: places.length > 0 } as const
  const asked =
    places.length > 0
      ? `(target ${places.map(({ name }) => name).join(', ')})`
      : `(target any but ${excluded.places.map(({ name }) => name).join(', ')})`
  const written = [location, country].filter(Boolean).join(', ')
  if (!written) return { ...base, share: null, why: `location unknown ${asked}` }
  const spots = parseLocation(location, country)
  const why = `${written} ${asked}`
  if (spots.length === 0) return { ...base, share: null, why: `location ${written} not recognized ${asked}` }
  const out = isLocatedIn(
    spots,
    excluded.places.flatMap(({ spots }) => spots),
  )
  if (out) return { ...base, share: 0, why: `${written} (excluded)` }
  if (places.length === 0) return { ...base, share: out === null ? null : 1, why }
  const inside = isLocatedIn(
    spots,
    places.flatMap(({ spots }) => spots),
  )
  if (inside === null) return { ...base, share: null, why: `${written} may match ${asked}` }
  return { ...base, share: inside ? 1 : 0, why }
}

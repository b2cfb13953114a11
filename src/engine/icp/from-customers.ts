// Drafts an ideal customer profile from what the best customers have in common.
import { industryKeys } from '../companies/industries.ts'
import { searchFold } from '../text/fold.ts'

export type CustomerFacts = {
  employees: number | null
  industry: string | null
  country: string | null
  technologies: readonly string[]
}

/** A value with the number of customers that have it. */
export type CountedValue = { name: string; count: number }

export type IcpDraft = {
  sizes: CountedValue[]
  industries: CountedValue[]
  countries: CountedValue[]
  technologies: CountedValue[]
  /** The profile in the words that the fit is computed from; null when the customers are too few or share nothing. */
  content_md: string | null
}

/** Fewer customers show chance, not a pattern. */
export const MIN_CUSTOMERS = 5
/** A value belongs to the profile when this share of the customers that have any, and at least two, have it. */
const MIN_SHARE = 0.1
const MIN_TECHNOLOGY_SHARE = 0.25
const MAX_LISTED = 6
const MAX_COUNTED = 20
/** Outliers at both ends do not widen the range of sizes. */
const OUTLIERS_SHARE = 0.1

const SIZES = [1, 11, 51, 201, 501, 1_001, 5_001, 10_001]

export function draftIcp(customers: readonly CustomerFacts[]): IcpDraft {
  const employees = customers.flatMap((one) => one.employees ?? []).filter((count) => count > 0)
  const found = {
    sizes: countSizes(employees),
    industries: countValues(
      customers.map(({ industry }) => (industry?.trim() ? [industry.trim()] : [])),
      industryKey,
    ),
    countries: countValues(customers.map(({ country }) => (country?.trim() ? [country.trim()] : []))),
    technologies: countValues(customers.map(({ technologies }) => technologies)),
  }
  if (customers.length < MIN_CUSTOMERS) return { ...found, content_md: null }
  const lines = [
    sizeLine(employees),
    listLine('Industries', common(found.industries, MIN_SHARE)),
    listLine('Countries', common(found.countries, MIN_SHARE)),
    // "Tech stack" is read as a remark, not as an industry.
    listLine('Tech stack', common(found.technologies, MIN_TECHNOLOGY_SHARE, customers.length)),
  ].filter((line) => line !== null)
  return { ...found, content_md: lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : null }
}

/** Spellings of one industry have one key: "Logistics" and "Logistics and Supply Chain". */
const industryKey = (industry: string) => industryKeys(industry)[0] ?? searchFold(industry)

/** How many customers have each value, the most frequent first, in its most frequent spelling. */
function countValues(
  lists: readonly (readonly string[])[],
  keyOf: (name: string) => string = searchFold,
): CountedValue[] {
  const spellings = new Map<string, Map<string, number>>()
  for (const list of lists) {
    for (const [key, name] of new Map(list.map((name) => [keyOf(name), name]))) {
      const known = spellings.get(key) ?? new Map<string, number>()
      spellings.set(key, known.set(name, (known.get(name) ?? 0) + 1))
    }
  }
  return [...spellings.values()]
    .map((known) => {
      const [[name] = ['']] = [...known].sort(([, a], [, b]) => b - a)
      return { name, count: [...known.values()].reduce((sum, count) => sum + count, 0) }
    })
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name))
    .slice(0, MAX_COUNTED)
}

function countSizes(employees: readonly number[]): CountedValue[] {
  return SIZES.flatMap((from, at) => {
    const next = SIZES[at + 1]
    const count = employees.filter((size) => size >= from && (next === undefined || size < next)).length
    const name = next === undefined ? `${formatCount(from)} or more` : `${formatCount(from)}–${formatCount(next - 1)}`
    return count > 0 ? [{ name, count }] : []
  })
}

function common(values: readonly CountedValue[], share: number, of?: number): CountedValue[] {
  const total = of ?? values.reduce((sum, { count }) => sum + count, 0)
  return values.filter(({ count }) => count >= 2 && count >= total * share).slice(0, MAX_LISTED)
}

const listLine = (label: string, values: readonly CountedValue[]) =>
  values.length > 0 ? `${label}: ${values.map(({ name }) => name.replace(/\s+/g, ' ')).join(', ')}` : null

function sizeLine(employees: readonly number[]): string | null {
  if (employees.length < MIN_CUSTOMERS) return null
  const sorted = employees.toSorted((a, b) => a - b)
  const cut = Math.floor(sorted.length * OUTLIERS_SHARE)
  const low = roundSize(sorted[cut] as number, Math.floor)
  const high = roundSize(sorted[sorted.length - 1 - cut] as number, Math.ceil)
  return `Company size: ${formatCount(low)} to ${formatCount(high)} employees`
}

/** To one digit: 640 becomes 600 or 700. */
function roundSize(size: number, round: (value: number) => number): number {
  const unit = 10 ** Math.floor(Math.log10(size))
  return Math.max(1, round(size / unit) * unit)
}

const formatCount = (count: number) => count.toLocaleString('en')

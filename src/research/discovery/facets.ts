import type { Db } from '../../db/connect.ts'
import { industryName, industryWithAncestors } from '../../engine/companies/industries.ts'
import { countFacets } from '../../resources/companies/store.ts'
import { MAX_HEADCOUNT_BY_BAND } from '../../shared/size-bands.ts'

/**
 * The number of companies in the universe by country, industry and size. Sorted by frequency; sizes in ascending order.
 */
export async function countUniverseFacets(db: Db, workspaceId: string) {
  const { facets, words } = await countFacets(db, workspaceId)
  const countries = new Map<string, number>()
  const industries = new Map(words.map(({ name, count }) => [name, count]))
  const sizes = new Map<number, number>()
  const add = <K>(to: Map<K, number>, key: K, count: number) => to.set(key, (to.get(key) ?? 0) + count)
  let total = 0
  for (const { country_code, industry_key, size_band, count } of facets) {
    total += count
    if (country_code) add(countries, country_code, count)
    // A run for an industry includes its subindustries.
    if (industry_key)
      for (const key of new Set(industryWithAncestors(industry_key))) add(industries, industryName(key), count)
    if (size_band > 0) add(sizes, size_band, count)
  }
  const sorted = (from: Map<string, number>) =>
    [...from].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return {
    total,
    countries: sorted(countries).map(([code, count]) => ({ code, count })),
    industries: sorted(industries).map(([name, count]) => ({ name, count })),
    sizes: [...sizes]
      .toSorted(([a], [b]) => a - b)
      .map(([band, count]) => ({
        min: band === 1 ? 0 : (MAX_HEADCOUNT_BY_BAND[band - 1] ?? 0) + 1,
        max: MAX_HEADCOUNT_BY_BAND[band] ?? null,
        count,
      })),
  }
}

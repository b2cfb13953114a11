/** The largest headcount of each size band, the same as in the SQL function company_size_band; band 0 is unknown. */
export const MAX_HEADCOUNT_BY_BAND = [0, 10, 50, 200, 500, 1_000, 5_000, 10_000, null] as const

/** The size band of a headcount, the same as the SQL function company_size_band returns. */
export function sizeBand(employees: number | null): number {
  if (employees === null) return 0
  let band = 1
  for (let largest = MAX_HEADCOUNT_BY_BAND[band]; largest !== null && largest !== undefined && employees > largest; ) {
    largest = MAX_HEADCOUNT_BY_BAND[++band]
  }
  return band
}

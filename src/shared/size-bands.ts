/** The largest headcount of each size band, as company_size_band has them; 0 stands for unknown. */
export const LARGEST_HEADCOUNT = [0, 10, 50, 200, 500, 1_000, 5_000, 10_000, null] as const

/** The size band of a headcount, as PostgreSQL's company_size_band tells it. */
export function sizeBand(employees: number | null): number {
  if (employees === null) return 0
  let band = 1
  for (let largest = LARGEST_HEADCOUNT[band]; largest !== null && largest !== undefined && employees > largest; ) {
    largest = LARGEST_HEADCOUNT[++band]
  }
  return band
}

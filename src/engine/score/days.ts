const DAY_MS = 86_400_000

/** Whole days from one ISO date or timestamp to another; null when either is not a date. */
export function daysBetween(from: string, to: string): number | null {
  const start = Date.parse(from.slice(0, 10))
  const end = Date.parse(to.slice(0, 10))
  return Number.isNaN(start) || Number.isNaN(end) ? null : Math.round((end - start) / DAY_MS)
}

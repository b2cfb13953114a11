/** An open position, as a job board lists it. */
export type OpenPosition = { title: string; department: string | null; published_date: string | null }

/** Fewer open positions are the ordinary coming and going of people. */
const LEAST_POSITIONS = 3
const MAX_TITLES = 4

/**
 * What the open positions of a company say: null unless several were opened since the day. Boards that give no dates
 * count all they list, because a board lists what is open now.
 */
export function readHiring(
  companyName: string,
  positions: readonly OpenPosition[],
  since: string | null,
): { claim: string; confidence: number; latest: string | null } | null {
  const open = positions.filter(({ published_date }) => !since || published_date === null || published_date >= since)
  if (open.length < LEAST_POSITIONS) return null
  const latest = open
    .map(({ published_date }) => published_date)
    .filter((date) => date !== null)
    .sort()
    .at(-1)
  const titles = [...new Set(open.map(({ title }) => title))].slice(0, MAX_TITLES)
  const departments = Map.groupBy(
    open.filter(({ department }) => department),
    ({ department }) => department,
  )
  const [largest] = [...departments].sort(([, a], [, b]) => b.length - a.length)
  const most = largest && departments.size > 1 ? `, ${largest[1].length} of them in ${largest[0]}` : ''
  return {
    claim: `${companyName} is hiring: it lists ${open.length} open positions${most}, among them ${titles.join(', ')}.`,
    // The company's own list is proof; how much it means grows with its length.
    confidence: Math.min(0.95, 0.75 + open.length * 0.02),
    latest: latest ?? null,
  }
}

/** Whether a claim is one of ours about open positions. */
export function tellsOfOpenings(claim: string): boolean {
  return / is hiring: it lists \d+ open positions/.test(claim)
}

export type OpenPosition = { title: string; department: string | null; published_date: string | null }

/** Fewer open positions are ordinary staff turnover. */
const MIN_POSITIONS = 3
const MAX_TITLES = 4
const MAX_DEPARTMENTS = 3
const MAX_TITLES_OF_ONE = 3

/**
 * A claim about a company's open positions; null unless several were opened since the given day. Positions without a date
 * count, because a board lists what is open now.
 */
export function summarizeOpenPositions(
  companyName: string,
  positions: readonly OpenPosition[],
  since: string | null,
): { claim: string; confidence: number; latest: string | null } | null {
  const open = positions.filter(({ published_date }) => !since || published_date === null || published_date >= since)
  if (open.length < MIN_POSITIONS) return null
  const latest = open
    .map(({ published_date }) => published_date)
    .filter((date) => date !== null)
    .sort()
    .at(-1)
  return {
    claim: `${companyName} is hiring: it lists ${open.length} open positions${listOf(open)}.`,
    // The company's own list is proof; more positions mean more.
    confidence: Math.min(0.95, 0.75 + open.length * 0.02),
    latest: latest ?? null,
  }
}

/** Titles grouped by department: ": 3 in Engineering (A, B, C), 1 in Sales (D)", or without departments ", among them A, B". */
function listOf(open: readonly OpenPosition[]): string {
  const titlesOf = (some: readonly OpenPosition[]) => [...new Set(some.map(({ title }) => title))]
  const departments = [...Map.groupBy(open, ({ department }) => department ?? '')]
    .filter(([department]) => department !== '')
    .sort(([, a], [, b]) => b.length - a.length)
  // Departments add nothing when all positions are in one, or each is in a different one.
  if (departments.length < 2 || departments[0]?.[1].length === 1) {
    return `, among them ${titlesOf(open).slice(0, MAX_TITLES).join(', ')}`
  }
  const groups = departments.slice(0, MAX_DEPARTMENTS).map(([department, some]) => {
    const titles = titlesOf(some)
    const isCut = titles.length > MAX_TITLES_OF_ONE
    return `${some.length} in ${department} (${isCut ? 'among them ' : ''}${titles.slice(0, MAX_TITLES_OF_ONE).join(', ')})`
  })
  const isAll = departments.slice(0, MAX_DEPARTMENTS).flatMap(([, some]) => some).length === open.length
  return `${isAll ? ':' : ', among them'} ${groups.join(', ')}`
}

/** A parsed claim about open positions. */
export type OpeningsClaim = { count: number; largest: { count: number; department: string } | null; titles: string[] }

/** Also matches the older wording "3 of them in Engineering" of stored claims. */
const OPENINGS =
  / is hiring: it lists (\d+) open positions(?:(?::|, among them) (\d+) in (.+?) \(|(?:, (\d+) of them in ([^,]+))?(?:, among them (.+?)\.?$)?)/s

/** Null for a claim that summarizeOpenPositions did not write. */
export function parseOpeningsClaim(claim: string): OpeningsClaim | null {
  const match = OPENINGS.exec(claim)
  if (!match) return null
  const [, count, grouped, group, some, department = group, titles = ''] = match
  const most = Number(grouped ?? some ?? 0)
  return {
    count: Number(count),
    // A department with one position is no focus.
    largest: most > 1 && department ? { count: most, department } : null,
    titles: titles.split(', ').filter((title) => title !== ''),
  }
}

/** "lists 6 open positions, 3 in Engineering". */
export function formatOpenings({ count, largest }: OpeningsClaim): string {
  return `lists ${count} open positions${largest ? `, ${largest.count} in ${largest.department}` : ''}`
}

export const isOpeningsClaim = (claim: string): boolean => parseOpeningsClaim(claim) !== null

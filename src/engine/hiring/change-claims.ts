// Writes claims about changes on a company's job boards, and parses such claims again. Every number in them was counted.
import { formatLongDate } from '../dates/calendar.ts'

/** A change as a claim states it. */
export type HiringChange = {
  /** Equal for all claims about one change, whatever their numbers are. */
  key: string
  /** The claim without company and list of positions: "lists 24 open positions, after at most 9 since 5 October 2026". */
  short: string
}

const MAX_TITLES = 4

const SHORT = / (lists .+? since \d{1,2} [A-Z][a-z]+ \d{4})(?::|\.?$)/s

/** Null for a claim that none of the functions below wrote. */
export function parseHiringChange(claim: string): HiringChange | null {
  const [, short] = SHORT.exec(claim) ?? []
  if (!short) return null
  if (/ open positions, after (?:none|at most \d+) since /.test(short)) return { key: 'surge', short }
  const [, first] = / ((?:in|leading) .+), the first there since /.exec(short) ?? []
  return first ? { key: first, short } : null
}

export const isSurgeClaim = (claim: string) => parseHiringChange(claim)?.key === 'surge'

const since = (day: string) => `since ${formatLongDate(day) ?? day}`

const positions = (count: number) => `${count} open ${count === 1 ? 'position' : 'positions'}`

function listOf(titles: readonly string[]): string {
  const distinct = [...new Set(titles)]
  return `${distinct.length > MAX_TITLES ? 'among them ' : ''}${distinct.slice(0, MAX_TITLES).join(', ')}`
}

/** More open positions than in any snapshot between two days, and the positions added since. */
export function writeSurgeClaim(
  company: string,
  { open, most, from, until }: { open: number; most: number; from: string; until: string },
  added: readonly string[],
): string {
  const before = `${most === 0 ? 'none' : `at most ${most}`} ${since(from)}`
  return `${company} lists ${positions(open)}, after ${before}: ${added.length} are new ${since(until)}, ${listOf(added)}.`
}

/** The first open positions since a day in a country, in a department, or leading one. */
export function writeFirstOpeningsClaim(
  company: string,
  where: string,
  day: string,
  titles: readonly string[],
): string {
  return `${company} lists ${positions(titles.length)} ${where}, the first there ${since(day)}: ${listOf(titles)}.`
}

/** Far fewer open positions than before. This is no signal, because a nearly empty board does not show why it is empty. */
export function describeHiringFreeze(open: number, usual: number, snapshots: number, from: string): string {
  return `Job boards list ${open === 0 ? 'no open positions' : positions(open)}, after usually ${usual} (the median of ${snapshots} looks ${since(from)}).`
}

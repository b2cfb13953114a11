// Finds changes in a company's hiring by comparing each snapshot of its job boards with the earlier ones. All rules are
// conservative, because boards are edited, moved and republished: a change must stand out against months of history.

import { countryName } from '../countries.ts'
import { daysBetween } from '../dates/calendar.ts'
import { type Department, LEADING_LEVELS, readTitle } from '../titles/index.ts'
import { describeHiringFreeze, writeFirstOpeningsClaim, writeSurgeClaim } from './change-claims.ts'

/** An open position, and the day it was first seen on its board. */
export type ObservedOpening = {
  url: string
  title: string
  department: Department
  /** The position leads its department. */
  leads: boolean
  location: string | null
  country_code: string | null
  published_date: string | null
  first_seen: string
}

type Counts = Record<string, number>

/** The counts of all open positions on a company's job boards on one day. */
export type HiringSnapshot = {
  /** `YYYY-MM-DD`. */
  day: string
  open: number
  departments: Counts
  /** Positions that lead a department. */
  leaders: Counts
  /** By country code; only positions whose country is known. */
  countries: Counts
}

export type HiringFinding = {
  signal_id: 'hiring' | 'expansion'
  claim: string
  confidence: number
  /** The postings that prove it. */
  postings: ObservedOpening[]
}

export type HiringFreeze = { since: string; open: number; usual: number; text: string }

/** Older snapshots no longer describe the company. */
const HISTORY_DAYS = 182
const MAX_PROOFS = 5

const SURGE = {
  minSnapshots: 3,
  minDays: 28,
  /** Snapshots this recent are not part of the baseline, so that growth over two or three snapshots counts as one surge. */
  recentDays: 14,
  factor: 1.5,
  minIncrease: 5,
}

/** A first position needs a longer baseline than a surge. */
const FIRST = {
  minSnapshots: 4,
  minDays: 56,
  /** The share of positions whose country must be known in the baseline: otherwise a new country may only be newly recognised. */
  minLocatedShare: 0.8,
  /** A single position in a new department may be a misread title. */
  minInDepartment: 2,
  maxFindings: 3,
}

const FREEZE = { minSnapshots: 3, minDays: 28, minUsual: 10, share: 0.25, lowDays: 6 }

/** Departments that do not show what a company starts to do. */
const UNSPECIFIC: ReadonlySet<string> = new Set<Department>(['Other', 'Executive', 'Administration'])
const REMOTE = /\bremote\b|\bhome ?office\b|\banywhere\b|\bworldwide\b/i

/** The department of a posting by its title, otherwise by the board's name for its department. */
export function classifyOpening(
  title: string,
  department: string | null,
): Pick<ObservedOpening, 'department' | 'leads'> {
  const { department: own, job_level } = readTitle(title)
  return {
    department: own === 'Other' && department !== null ? readTitle(department).department : own,
    leads: LEADING_LEVELS.includes(job_level),
  }
}

export function countOpenings(
  day: string,
  openings: readonly Pick<ObservedOpening, 'department' | 'leads' | 'country_code'>[],
): HiringSnapshot {
  return {
    day,
    open: openings.length,
    departments: countBy(openings.map(({ department }) => department)),
    leaders: countBy(openings.filter(({ leads }) => leads).map(({ department }) => department)),
    countries: countBy(openings.map(({ country_code }) => country_code).filter((code) => code !== null)),
  }
}

function countBy(names: readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** `home`: codes of the countries where the company is known to be. */
type Company = { name: string; home: readonly string[] }

/** Compares a snapshot with the earlier snapshots of the same boards, which are in ascending order. */
export function findHiringChanges(
  { name: company, home }: Company,
  before: readonly HiringSnapshot[],
  snapshot: HiringSnapshot,
  openings: readonly ObservedOpening[],
): HiringFinding[] {
  const history = before.filter(({ day }) => day < snapshot.day && daysTo(snapshot, day) <= HISTORY_DAYS)
  const surge = readSurge(company, history, snapshot, openings)
  const firsts = readFirsts({ name: company, home }, history, snapshot, openings)
  // During a surge, new departments are part of the surge.
  const reported = surge ? firsts.filter(({ isDepartment }) => !isDepartment) : firsts
  return [...(surge ? [surge] : []), ...reported.map(({ isDepartment: _, ...finding }) => finding)]
}

const daysTo = ({ day }: HiringSnapshot, earlier: string) => daysBetween(earlier, day) ?? 0

function readSurge(
  company: string,
  history: readonly HiringSnapshot[],
  snapshot: HiringSnapshot,
  openings: readonly ObservedOpening[],
): HiringFinding | null {
  const base = history.filter(({ day }) => daysTo(snapshot, day) >= SURGE.recentDays)
  const first = base[0]
  if (!first || base.length < SURGE.minSnapshots || daysTo(snapshot, first.day) < SURGE.minDays) return null
  const most = Math.max(...base.map(({ open }) => open))
  const isSurge = ({ open }: HiringSnapshot) => open >= most * SURGE.factor && open >= most + SURGE.minIncrease
  // A surge in an earlier snapshot has already been reported.
  if (!isSurge(snapshot) || history.slice(base.length).some(isSurge)) return null
  const until = base.at(-1)?.day ?? ''
  const added = newest(openings.filter(({ first_seen }) => first_seen > until))
  if (added.length < snapshot.open - most) return null
  const titles = added.map(({ title }) => title)
  return {
    signal_id: 'hiring',
    claim: writeSurgeClaim(company, { open: snapshot.open, most, from: first.day, until }, titles),
    confidence: 0.95,
    postings: added.slice(0, MAX_PROOFS),
  }
}

function readFirsts(
  { name: company, home }: Company,
  history: readonly HiringSnapshot[],
  snapshot: HiringSnapshot,
  openings: readonly ObservedOpening[],
): (HiringFinding & { isDepartment: boolean })[] {
  // An empty board does not show which positions the company usually has.
  const nonEmpty = history.filter(({ open }) => open > 0)
  const first = nonEmpty[0]
  if (!first || nonEmpty.length < FIRST.minSnapshots || daysTo(snapshot, first.day) < FIRST.minDays) return []
  const isNew = (kind: 'departments' | 'leaders' | 'countries', name: string) =>
    history.every((one) => !one[kind][name])
  // A position published before the first snapshot is not new.
  const fresh = newest(
    openings.filter(
      ({ first_seen, published_date }) =>
        first_seen === snapshot.day && (published_date === null || published_date >= first.day),
    ),
  )
  const isLocated = nonEmpty.every(({ countries, open }) => total(countries) >= open * FIRST.minLocatedShare)
  const isElsewhere = (code: string) =>
    !home.includes(code) && Object.keys(snapshot.countries).some((other) => other !== code)
  const abroad = fresh.filter(
    ({ country_code: code, location }) =>
      isLocated && code !== null && isNew('countries', code) && isElsewhere(code) && !REMOTE.test(location ?? ''),
  )
  const specific = fresh.filter(({ department }) => !UNSPECIFIC.has(department))
  const leading = specific.filter(({ leads, department }) => leads && isNew('leaders', department))
  const isLed = (name: string) => leading.some(({ department }) => department === name)
  const inDepartment = specific.filter(({ department }) => isNew('departments', department) && !isLed(department))
  const toFinding = (where: string, postings: ObservedOpening[]) => ({
    claim: writeFirstOpeningsClaim(
      company,
      where,
      first.day,
      postings.map(({ title }) => title),
    ),
    postings: postings.slice(0, MAX_PROOFS),
  })
  const countries = groups(abroad, ({ country_code }) => country_code ?? '').map(([code, postings]) => ({
    ...toFinding(`in ${countryName(code) ?? code}`, postings),
    signal_id: 'expansion' as const,
    // A position abroad does not prove an office there.
    confidence: Math.min(0.8, 0.6 + postings.length * 0.05),
    isDepartment: false,
  }))
  const leaders = groups(leading, ({ department }) => department).map(([name, postings]) => ({
    ...toFinding(`leading ${name}`, postings),
    signal_id: 'hiring' as const,
    confidence: 0.85,
    isDepartment: false,
  }))
  const departments = groups(inDepartment, ({ department }) => department)
    .filter(([, postings]) => postings.length >= FIRST.minInDepartment)
    .map(([name, postings]) => ({
      ...toFinding(`in ${name}`, postings),
      signal_id: 'hiring' as const,
      confidence: 0.75,
      isDepartment: true,
    }))
  const limit = <T>(findings: T[]) => findings.slice(0, FIRST.maxFindings)
  return [...limit(countries), ...limit(leaders), ...limit(departments)]
}

/** Largest group first. */
function groups(
  openings: readonly ObservedOpening[],
  by: (opening: ObservedOpening) => string,
): [string, ObservedOpening[]][] {
  return [...Map.groupBy(openings, by)].sort(([, a], [, b]) => b.length - a.length)
}

const total = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Newest first; the order does not depend on the board's. */
function newest(openings: readonly ObservedOpening[]): ObservedOpening[] {
  const key = ({ published_date, first_seen }: ObservedOpening) => published_date ?? first_seen
  return openings.toSorted((a, b) => (key(a) === key(b) ? order(a.url, b.url) : -order(key(a), key(b))))
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Detects that boards which had many open positions have few or none in at least two snapshots. Snapshots are of the same
 * boards, in ascending order.
 */
export function detectHiringFreeze(snapshots: readonly HiringSnapshot[]): HiringFreeze | null {
  const last = snapshots.at(-1)
  if (!last) return null
  const recent = snapshots.filter(({ day }) => daysTo(last, day) <= HISTORY_DAYS)
  for (let at = recent.length - 2; at >= FREEZE.minSnapshots; at--) {
    const begins = recent[at] as HiringSnapshot
    if (daysTo(last, begins.day) < FREEZE.lowDays) continue
    const base = recent.slice(0, at)
    const from = base[0]?.day ?? ''
    const usual = median(base.map(({ open }) => open))
    const isLow = recent.slice(at).every(({ open }) => open <= usual * FREEZE.share)
    if (!isLow) return null
    // Continue until the first low snapshot: the one before it is not low.
    if ((base.at(-1)?.open ?? 0) <= usual * FREEZE.share) continue
    if (usual < FREEZE.minUsual || daysTo(begins, from) < FREEZE.minDays) return null
    const { open } = last
    return { since: begins.day, open, usual, text: describeHiringFreeze(open, usual, base.length, from) }
  }
  return null
}

/** The lower median of an even count. */
function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0
}

// What the open positions of a company over time say: each look at its job boards is held against the looks before. All rules
// are conservative, because boards are edited, moved and republished: a change counts when it stands out from months.

import { countryName } from '../countries.ts'
import { daysBetween } from '../dates/calendar.ts'
import { type Department, LEADING_LEVELS, readTitle } from '../titles/index.ts'
import { describeHiringFreeze, writeFirstOpeningsClaim, writeSurgeClaim } from './change-claims.ts'

/** An open position, and the day it was first seen on its board. */
export type ObservedOpening = {
  url: string
  title: string
  department: Department
  /** It leads its department. */
  leads: boolean
  location: string | null
  country_code: string | null
  published_date: string | null
  first_seen: string
}

type Counts = Record<string, number>

/** What one look at all job boards of a company counted. */
export type HiringSnapshot = {
  /** `YYYY-MM-DD`. */
  day: string
  open: number
  departments: Counts
  /** Positions that lead a department. */
  leaders: Counts
  /** By code; only positions whose country is known. */
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

/** Looks further back say how the company once was. */
const HISTORY_DAYS = 182
const MAX_PROOFS = 5

const SURGE = {
  leastLooks: 3,
  leastDays: 28,
  /** A company that grows over two or three looks is held against what was before them. */
  recentDays: 14,
  factor: 1.5,
  leastMore: 5,
}

/** Whether something is new takes longer to know than whether there is more of it. */
const FIRST = {
  leastLooks: 4,
  leastDays: 56,
  /** The share of positions whose country must have been known: one written otherwise before is no new country. */
  leastLocated: 0.8,
  /** One position in a new department may be a title that was read otherwise. */
  leastInDepartment: 2,
  most: 3,
}

const FREEZE = { leastLooks: 3, leastDays: 28, leastUsual: 10, share: 0.25, lowDays: 6 }

/** Kinds that say nothing of what a company begins to do. */
const UNTELLING: ReadonlySet<string> = new Set<Department>(['Other', 'Executive', 'Administration'])
const REMOTE = /\bremote\b|\bhome ?office\b|\banywhere\b|\bworldwide\b/i

/** The department of a posting among our own, by its title, else by what the board calls its department. */
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

/** Counts what the boards list on a day. */
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

/** `home`: codes of countries that the company is known to be in. */
type Company = { name: string; home: readonly string[] }

/** What a look tells beside the looks before it, which are of the same boards, the oldest first. */
export function findHiringChanges(
  { name: company, home }: Company,
  before: readonly HiringSnapshot[],
  look: HiringSnapshot,
  openings: readonly ObservedOpening[],
): HiringFinding[] {
  const history = before.filter(({ day }) => day < look.day && daysTo(look, day) <= HISTORY_DAYS)
  const surge = readSurge(company, history, look, openings)
  const firsts = readFirsts({ name: company, home }, history, look, openings)
  // Where everything grows, departments that were not hiring before are part of it.
  const told = surge ? firsts.filter(({ isDepartment }) => !isDepartment) : firsts
  return [...(surge ? [surge] : []), ...told.map(({ isDepartment: _, ...finding }) => finding)]
}

const daysTo = ({ day }: HiringSnapshot, earlier: string) => daysBetween(earlier, day) ?? 0

function readSurge(
  company: string,
  history: readonly HiringSnapshot[],
  look: HiringSnapshot,
  openings: readonly ObservedOpening[],
): HiringFinding | null {
  const base = history.filter(({ day }) => daysTo(look, day) >= SURGE.recentDays)
  const first = base[0]
  if (!first || base.length < SURGE.leastLooks || daysTo(look, first.day) < SURGE.leastDays) return null
  const most = Math.max(...base.map(({ open }) => open))
  const isSurge = ({ open }: HiringSnapshot) => open >= most * SURGE.factor && open >= most + SURGE.leastMore
  // One that a look before saw was told then.
  if (!isSurge(look) || history.slice(base.length).some(isSurge)) return null
  const until = base.at(-1)?.day ?? ''
  const added = newest(openings.filter(({ first_seen }) => first_seen > until))
  if (added.length < look.open - most) return null
  const titles = added.map(({ title }) => title)
  return {
    signal_id: 'hiring',
    claim: writeSurgeClaim(company, { open: look.open, most, from: first.day, until }, titles),
    confidence: 0.95,
    postings: added.slice(0, MAX_PROOFS),
  }
}

function readFirsts(
  { name: company, home }: Company,
  history: readonly HiringSnapshot[],
  look: HiringSnapshot,
  openings: readonly ObservedOpening[],
): (HiringFinding & { isDepartment: boolean })[] {
  // A look at an empty board does not say what the company looks for.
  const telling = history.filter(({ open }) => open > 0)
  const first = telling[0]
  if (!first || telling.length < FIRST.leastLooks || daysTo(look, first.day) < FIRST.leastDays) return []
  const isNew = (kind: 'departments' | 'leaders' | 'countries', name: string) =>
    history.every((one) => !one[kind][name])
  // One that was published before the first look was there, and was told of otherwise.
  const fresh = newest(
    openings.filter(
      ({ first_seen, published_date }) =>
        first_seen === look.day && (published_date === null || published_date >= first.day),
    ),
  )
  const isLocated = telling.every(({ countries, open }) => total(countries) >= open * FIRST.leastLocated)
  const isElsewhere = (code: string) =>
    !home.includes(code) && Object.keys(look.countries).some((other) => other !== code)
  const abroad = fresh.filter(
    ({ country_code: code, location }) =>
      isLocated && code !== null && isNew('countries', code) && isElsewhere(code) && !REMOTE.test(location ?? ''),
  )
  const telltale = fresh.filter(({ department }) => !UNTELLING.has(department))
  const leading = telltale.filter(({ leads, department }) => leads && isNew('leaders', department))
  const isLed = (name: string) => leading.some(({ department }) => department === name)
  const inDepartment = telltale.filter(({ department }) => isNew('departments', department) && !isLed(department))
  const tell = (where: string, postings: ObservedOpening[]) => ({
    claim: writeFirstOpeningsClaim(
      company,
      where,
      first.day,
      postings.map(({ title }) => title),
    ),
    postings: postings.slice(0, MAX_PROOFS),
  })
  const countries = groups(abroad, ({ country_code }) => country_code ?? '').map(([code, postings]) => ({
    ...tell(`in ${countryName(code) ?? code}`, postings),
    signal_id: 'expansion' as const,
    // A position abroad is a step, not yet an office.
    confidence: Math.min(0.8, 0.6 + postings.length * 0.05),
    isDepartment: false,
  }))
  const leaders = groups(leading, ({ department }) => department).map(([name, postings]) => ({
    ...tell(`leading ${name}`, postings),
    signal_id: 'hiring' as const,
    confidence: 0.85,
    isDepartment: false,
  }))
  const departments = groups(inDepartment, ({ department }) => department)
    .filter(([, postings]) => postings.length >= FIRST.leastInDepartment)
    .map(([name, postings]) => ({
      ...tell(`in ${name}`, postings),
      signal_id: 'hiring' as const,
      confidence: 0.75,
      isDepartment: true,
    }))
  const most = <T>(some: T[]) => some.slice(0, FIRST.most)
  return [...most(countries), ...most(leaders), ...most(departments)]
}

/** The largest first. */
function groups(
  openings: readonly ObservedOpening[],
  by: (opening: ObservedOpening) => string,
): [string, ObservedOpening[]][] {
  return [...Map.groupBy(openings, by)].sort(([, a], [, b]) => b.length - a.length)
}

const total = (counts: Counts) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** The newest first, in an order that does not depend on the board's. */
function newest(openings: readonly ObservedOpening[]): ObservedOpening[] {
  const key = ({ published_date, first_seen }: ObservedOpening) => published_date ?? first_seen
  return openings.toSorted((a, b) => (key(a) === key(b) ? order(a.url, b.url) : -order(key(a), key(b))))
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Whether the boards, many of whose positions were open, have few or none by now, over two looks at least. Looks are of the
 * same boards, the oldest first.
 */
export function detectHiringFreeze(looks: readonly HiringSnapshot[]): HiringFreeze | null {
  const last = looks.at(-1)
  if (!last) return null
  const recent = looks.filter(({ day }) => daysTo(last, day) <= HISTORY_DAYS)
  for (let at = recent.length - 2; at >= FREEZE.leastLooks; at--) {
    const begins = recent[at] as HiringSnapshot
    if (daysTo(last, begins.day) < FREEZE.lowDays) continue
    const base = recent.slice(0, at)
    const from = base[0]?.day ?? ''
    const usual = median(base.map(({ open }) => open))
    const isLow = recent.slice(at).every(({ open }) => open <= usual * FREEZE.share)
    if (!isLow) return null
    // The first of the low looks: the one before it was not low.
    if ((base.at(-1)?.open ?? 0) <= usual * FREEZE.share) continue
    if (usual < FREEZE.leastUsual || daysTo(begins, from) < FREEZE.leastDays) return null
    const { open } = last
    return { since: begins.day, open, usual, text: describeHiringFreeze(open, usual, base.length, from) }
  }
  return null
}

/** The lower of the two in the middle. */
function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? 0
}

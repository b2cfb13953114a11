// Finds the publication date, in the metadata or the dateline, and the date of an event, in its own sentence, absolute
// or relative to the publication. Days are UTC strings, YYYY-MM-DD.
import { toIsoDate } from '../dates/calendar.ts'
import { parseDate } from '../dates/find-dates.ts'
import { MONTH_PATTERN, monthNumber } from '../english/calendar.ts'
import { NUMBER_WORDS } from '../english/words.ts'

export type DatePrecision = 'day' | 'month' | 'year'
export type EventDate = { date: string; precision: DatePrecision }

const DAY = 86_400_000
const LEAP_YEAR = 2024

const MONTH_DAY = new RegExp(`\\b(${MONTH_PATTERN})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b`, 'i')
const DAY_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (${MONTH_PATTERN})\\.?,?(?: (\\d{4}))?\\b`, 'i')
const MONTH_YEAR = new RegExp(`\\b(${MONTH_PATTERN})\\.?,? (?:of )?(\\d{4})\\b`, 'i')
const ISO = /\b(\d{4})-(\d{2})-(\d{2})\b/
const SLASHED = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/
const YEAR = /\b(?:in|since|during|of|by|from|back in|early|late|mid|year|fy|q[1-4]) ?-?((?:19|20)\d{2})\b/i
const AGO =
  /\b(a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) (day|week|month|year)s? (?:ago|earlier)\b/i
const RELATIVE = /\b(today|yesterday|this (?:week|month|quarter|year)|last (?:week|month|quarter|year))\b/i

const UNIT_DAYS: Record<string, number> = { day: 1, week: 7, month: 30, quarter: 91, year: 365 }

/** The day a document was published: from its metadata, else from its first lines, else null. */
export function findPublishedDate(publishedAt: string | null | undefined, text: string): string | null {
  return parseDate(publishedAt ?? null) ?? findDatelineDate(text)
}

/** Earlier than the web: a typing error or a historical date. */
const EARLIEST_DATELINE = '1990'

/** The first complete date in the opening of a text ("BERLIN, March 3, 2025 -- …"). */
export function findDatelineDate(text: string): string | null {
  const opening = text.slice(0, 700)
  const found: { at: number; date: string }[] = []
  for (const read of [readMonthDay, readDayMonth, readIso, readSlashed]) {
    const date = read(opening)
    if (date?.complete && date.date >= EARLIEST_DATELINE) found.push(date)
  }
  found.sort((a, b) => a.at - b.at)
  return found[0]?.date ?? null
}

/** The date that a sentence gives for its event, resolved against the day of publication; null without a date. */
export function findEventDate(sentence: string, published: string | null): EventDate | null {
  const text = sentence.slice(0, 1200)
  const reference = published ? Date.parse(published) : Number.NaN
  const iso = readIso(text) ?? readSlashed(text)
  if (iso) return { date: iso.date, precision: 'day' }
  const partial = readMonthDay(text) ?? readDayMonth(text)
  if (partial?.complete) return { date: partial.date, precision: 'day' }
  if (partial && !Number.isNaN(reference)) return { date: nearest(partial, reference), precision: 'day' }
  const monthYear = MONTH_YEAR.exec(text)
  const first = monthYear && toIsoDate(Number(monthYear[2]), monthNumber(monthYear[1] as string), 1)
  if (first) return { date: first, precision: 'month' }
  if (!Number.isNaN(reference)) {
    const relative = readRelative(text, reference)
    if (relative) return relative
  }
  const year = YEAR.exec(text)
  return year ? { date: `${year[1]}-01-01`, precision: 'year' } : null
}

/** Whole days from an event to `today`; a month or year counts from its end, so that the age is never overestimated. */
export function ageInDays(event: EventDate, today: string): number {
  const slack = event.precision === 'year' ? 364 : event.precision === 'month' ? 29 : 0
  return Math.max(0, Math.floor((Date.parse(today.slice(0, 10)) - Date.parse(event.date)) / DAY) - slack)
}

type Found = { at: number; date: string; complete: boolean; month: number; day: number }

function readMonthDay(text: string): Found | null {
  const match = MONTH_DAY.exec(text)
  return match && found(match.index, match[1] as string, match[2] as string, match[3])
}

function readDayMonth(text: string): Found | null {
  const match = DAY_MONTH.exec(text)
  return match && found(match.index, match[2] as string, match[1] as string, match[3])
}

function found(at: number, monthName: string, dayText: string, year: string | undefined): Found | null {
  const month = monthNumber(monthName)
  const day = Number(dayText)
  // Without a year, 29 February is possible.
  const date = toIsoDate(year === undefined ? LEAP_YEAR : Number(year), month, day)
  return date === null ? null : { at, date, complete: year !== undefined, month, day }
}

function readIso(text: string): Found | null {
  const match = ISO.exec(text)
  if (!match) return null
  const [month, day] = [Number(match[2]), Number(match[3])]
  const date = toIsoDate(Number(match[1]), month, day)
  return date === null ? null : { at: match.index, date, complete: true, month, day }
}

/** Month first, as in American releases; day first when the month would be impossible. */
function readSlashed(text: string): Found | null {
  const match = SLASHED.exec(text)
  if (!match) return null
  let [month, day] = [Number(match[1]), Number(match[2])]
  if (month > 12) [month, day] = [day, month]
  const date = toIsoDate(Number(match[3]), month, day)
  return date === null ? null : { at: match.index, date, complete: true, month, day }
}

/** "On March 3" without a year is the March nearest to the publication. */
function nearest({ month, day }: Found, reference: number): string {
  const year = new Date(reference).getUTCFullYear()
  // Eight years can pass between two 29 Februaries.
  const years = Array.from({ length: 17 }, (_, i) => year - 8 + i)
  const days = years.flatMap((y) => toIsoDate(y, month, day) ?? [])
  const distance = (date: string) => Math.abs(Date.parse(date) - reference)
  return days.reduce((best, date) => (distance(date) < distance(best) ? date : best))
}

function readRelative(text: string, reference: number): EventDate | null {
  const ago = AGO.exec(text)
  if (ago) {
    const amount = amountOf((ago[1] as string).toLowerCase())
    const unit = (ago[2] as string).toLowerCase()
    const precision = unit === 'year' ? 'year' : unit === 'month' ? 'month' : 'day'
    return { date: isoDay(reference - amount * (UNIT_DAYS[unit] as number) * DAY), precision }
  }
  const match = RELATIVE.exec(text)
  if (!match) return null
  const words = (match[1] as string).toLowerCase()
  if (words === 'today') return { date: isoDay(reference), precision: 'day' }
  if (words === 'yesterday') return { date: isoDay(reference - DAY), precision: 'day' }
  const [which, unit] = words.split(' ') as [string, string]
  const back = which === 'last' ? (UNIT_DAYS[unit] as number) : 0
  const day = isoDay(reference - back * DAY)
  if (unit === 'year') return { date: `${day.slice(0, 4)}-01-01`, precision: 'year' }
  return unit === 'week' ? { date: day, precision: 'day' } : { date: `${day.slice(0, 7)}-01`, precision: 'month' }
}

const amountOf = (word: string) => (/^an?$/.test(word) ? 1 : (NUMBER_WORDS.get(word) ?? Number(word)))

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

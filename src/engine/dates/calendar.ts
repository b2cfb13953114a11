import { MONTH_NAMES } from '../english/calendar.ts'

/** A date as `YYYY-MM-DD`; null for one that does not exist, such as 31 September. */
export function toIsoDate(year: number, month: number, date: number): string | null {
  if (!(year >= 1 && year <= 9999 && month >= 1 && month <= 12 && date >= 1 && date <= daysIn(year, month))) return null
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

function daysIn(year: number, month: number): number {
  // Date.UTC(year, …) would read the year 99 as 1999.
  const last = new Date(0)
  last.setUTCFullYear(year, month, 0)
  return last.getUTCDate()
}

/** "14 April 2026", or null for a text that does not start with an ISO date. */
export function formatLongDate(date: string | null | undefined): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(date ?? '')
  const month = MONTH_NAMES[Number(match?.[2]) - 1]
  return match && month ? `${Number(match[3])} ${month} ${match[1]}` : null
}

const DAY_MS = 86_400_000

/** Whole days from one ISO date or timestamp to another; null when either is not a date. */
export function daysBetween(from: string, to: string): number | null {
  const start = Date.parse(from.slice(0, 10))
  const end = Date.parse(to.slice(0, 10))
  return Number.isNaN(start) || Number.isNaN(end) ? null : Math.round((end - start) / DAY_MS)
}

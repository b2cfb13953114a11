import type { Schemas } from '../../api/client.ts'

export const WEEKS = 12
const DAY_MS = 86_400_000

type Row = Schemas['FindingsOfWeek']
export type WeeklySignals = { rows: Row[]; weeks: string[]; kinds: { id: string; name: string; total: number }[] }

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
export const formatWeek = (week: string): string => short.format(new Date(`${week}T00:00:00Z`))

export const sumCounts = (rows: readonly Row[]): number => rows.reduce((all, { count }) => all + count, 0)

/** The Mondays (UTC, like the API) of the last weeks, including this week. */
export function lastWeeks(): string[] {
  const today = new Date()
  const monday = Date.parse(today.toISOString().slice(0, 10)) - ((today.getUTCDay() + 6) % 7) * DAY_MS
  return Array.from({ length: WEEKS }, (_, at) =>
    new Date(monday - (WEEKS - 1 - at) * 7 * DAY_MS).toISOString().slice(0, 10),
  )
}

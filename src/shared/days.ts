/** The UTC date of a moment, as `YYYY-MM-DD`. */
export function isoDate(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

export function daysBefore(day: string, count: number): string {
  return isoDate(new Date(Date.parse(day) - count * 86_400_000))
}

export const addDays = (day: string, count: number): string => daysBefore(day, -count)

/** The date of a moment in a time zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    moment,
  )
}

/** A day that has come; null for a later one, such as a close date that was never corrected. */
export const pastDay = (day: string | null, today: string) => (day !== null && day <= today ? day : null)

export const earlierDay = (a: string, b: string) => (a < b ? a : b)

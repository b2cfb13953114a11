/** The UTC date of a moment, as `YYYY-MM-DD`. */
export function isoDate(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

export function daysBefore(day: string, count: number): string {
  return isoDate(new Date(Date.parse(day) - count * 86_400_000))
}

export const earlierDay = (a: string, b: string) => (a < b ? a : b)

/** `YYYY-MM-DD` in the browser's time zone. */
export function localDay(at: Date): string {
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

/** Noon of a day some days later: it exists in every time zone, also when the clocks change. */
export const addDays = (at: Date, days: number): Date =>
  new Date(at.getFullYear(), at.getMonth(), at.getDate() + days, 12)

/** The Monday after a day. */
export const nextMonday = (at: Date): Date => addDays(at, 7 - ((at.getDay() + 6) % 7))

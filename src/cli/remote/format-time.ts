const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Beyond it a date says more. */
const LONG_AGO_DAYS = 60

/** A day as it is written everywhere. */
export const formatDay = (time: string | null) => time?.slice(0, 10) ?? null

/** A minute by the clock of whoever reads it. */
export function formatMinute(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ')
}

/** How long ago a moment was, as one says it. */
export function formatAgo(time: string, now = Date.now()): string {
  const passed = now - Date.parse(time)
  if (passed < MINUTE_MS) return 'just now'
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`
  const days = Math.floor(passed / DAY_MS)
  return days > LONG_AGO_DAYS ? time.slice(0, 10) : `${formatCount(days, 'day')} ago`
}

/** A day with how long ago it was, where that says more. */
export function formatDayAndAgo(day: string, now = Date.now()): string {
  const days = Math.floor(now / DAY_MS) - Math.floor(Date.parse(day) / DAY_MS)
  if (days < 0 || days > LONG_AGO_DAYS) return day
  return `${day}, ${days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`}`
}

/** "1 day", "2 days". */
export const formatCount = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Older than this, a date is more useful than an age. */
const LONG_AGO_DAYS = 60

/** The date of a timestamp, as YYYY-MM-DD. */
export const formatDay = (time: string | null) => time?.slice(0, 10) ?? null

/** Date and time to the minute, in the local time zone. */
export function formatMinute(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16).replace('T', ' ')
}

/** The age of a timestamp in words, such as `5 min ago`. */
export function formatAgo(time: string, now = Date.now()): string {
  const passed = now - Date.parse(time)
  if (passed < MINUTE_MS) return 'just now'
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`
  if (passed < DAY_MS) return `${Math.floor(passed / HOUR_MS)} h ago`
  const days = Math.floor(passed / DAY_MS)
  return days > LONG_AGO_DAYS ? time.slice(0, 10) : `${formatCount(days, 'day')} ago`
}

/** A date, followed by its age if it is recent. */
export function formatDayAndAgo(day: string, now = Date.now()): string {
  const days = Math.floor(now / DAY_MS) - Math.floor(Date.parse(day) / DAY_MS)
  if (days < 0 || days > LONG_AGO_DAYS) return day
  return `${day}, ${days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`}`
}

/** "1 day", "2 days". */
export const formatCount = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

import type { Schemas } from '../api/client.ts'
import { localDay } from '../lib/days.ts'

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const near = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const far = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const wholeDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })
const nearDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const farDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Older days are shown as a date. */
const NEAR_DAYS = 14

/** A date such as `31 Jan 2027`. */
export const formatDate = (at: string): string => far.format(new Date(at))

/** A time such as `3 min ago` in the browser's time zone; the tooltip shows the exact time. */
export function RelativeTime({ at, empty = 'Never' }: { at: string | null | undefined; empty?: string }) {
  if (!at) return <span>{empty}</span>
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {formatRelative(new Date(at))}
    </time>
  )
}

/** A date without a time, such as the date of an article. It does not depend on the time zone. */
export function CalendarDate({ on, empty = 'No date' }: { on: string | null | undefined; empty?: string }) {
  if (!on) return <span>{empty}</span>
  const day = new Date(`${on.slice(0, 10)}T00:00:00Z`)
  const thisYear = day.getUTCFullYear() === new Date().getUTCFullYear()
  return (
    <time dateTime={on.slice(0, 10)} title={wholeDay.format(day)}>
      {(thisYear ? nearDay : farDay).format(day)}
    </time>
  )
}

/** A day such as `3 days ago`; without a time of day it is not compared by hours. */
export function RelativeDay({ on }: { on: string }) {
  const today = Date.parse(`${localDay(new Date())}T00:00:00Z`)
  const days = Math.round((Date.parse(`${on.slice(0, 10)}T00:00:00Z`) - today) / DAY)
  if (Math.abs(days) > NEAR_DAYS) return <CalendarDate on={on} />
  return (
    <time dateTime={on.slice(0, 10)} title={wholeDay.format(new Date(`${on.slice(0, 10)}T00:00:00Z`))}>
      {relative.format(days, 'day')}
    </time>
  )
}

type Dated = Pick<Schemas['SignalDetection'], 'detected_at' | 'evidence'>

/** The date of an event. If the source gives only a month, the API stores its first day; then only the month is shown. */
export function EventDate({ of: { detected_at, evidence } }: { of: Dated }) {
  const first = `${detected_at.slice(0, 7)}-01`
  const isMonth =
    detected_at === first &&
    evidence.some(({ details }) => {
      const text = details?.date?.text ?? ''
      return /^\p{L}{3,}\.? \d{4}$/u.test(text) && Date.parse(`1 ${text} UTC`) === Date.parse(first)
    })
  return isMonth ? (
    <time dateTime={first.slice(0, 7)}>{month.format(new Date(first))}</time>
  ) : (
    <CalendarDate on={detected_at} />
  )
}

function formatRelative(moment: Date, now = new Date()): string {
  const ago = now.getTime() - moment.getTime()
  const size = Math.abs(ago)
  if (size < 45_000) return 'just now'
  if (size < HOUR) return relative.format(-Math.round(ago / MINUTE), 'minute')
  if (size < 22 * HOUR) return relative.format(-Math.round(ago / HOUR), 'hour')
  if (size < 7 * DAY) return relative.format(-Math.round(ago / DAY), 'day')
  return (moment.getFullYear() === now.getFullYear() ? near : far).format(moment)
}

import { Group, Text, VisuallyHidden } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { CalendarDate, RelativeTime } from '../../components/time.tsx'
import { pluralize } from '../../lib/format.ts'
import classes from './CreditDays.module.css'

const DAY_MS = 86_400_000
/** Periods may be years long; the chart shows the last days. */
const MAX_DAYS = 92

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** A chart of activations by day, with a hidden list for screen readers. */
export function CreditDays({ history }: { history: Schemas['UsageHistory'] }) {
  const { periods, days, counted_since } = history
  const current = periods.find(({ is_current }) => is_current)
  if (!current || days.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No activations in this period.
      </Text>
    )
  }
  const used = new Map(days.map(({ day, credits_used }) => [day, credits_used]))
  const most = Math.max(...used.values())
  const all = daysBetween(current.period_start, current.period_end)
  const today = dayOf(Date.now())
  return (
    <div>
      <Text size="xs" c="dimmed">
        Peak: {pluralize(most, 'activation')} per day
      </Text>
      <div className={classes.chart} aria-hidden>
        {all.map((day) => {
          const number = used.get(day) ?? 0
          return (
            <div key={day} className={classes.day} title={`${day}: ${pluralize(number, 'activation')}`}>
              {number > 0 ? (
                <div className={classes.bar} style={{ height: `${Math.max(4, (number / most) * 100)}%` }} />
              ) : (
                <div className={day <= today ? classes.none : classes.ahead} />
              )}
            </div>
          )
        })}
      </div>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          <CalendarDate on={all[0]} />
        </Text>
        <Text size="xs" c="dimmed">
          <CalendarDate on={all.at(-1)} />
        </Text>
      </Group>
      <VisuallyHidden>
        <ul>
          {days.map(({ day, credits_used }) => (
            <li key={day}>
              <CalendarDate on={day} />: {pluralize(credits_used, 'activation')}
            </li>
          ))}
        </ul>
      </VisuallyHidden>
      {counted_since > current.period_start && (
        <Text size="xs" c="dimmed">
          Daily data available since <RelativeTime at={counted_since} />.
        </Text>
      )}
    </div>
  )
}

/** The days of a period in order, at most the last MAX_DAYS. */
function daysBetween(start: string, end: string): string[] {
  const last = Math.min(Date.parse(end), Math.max(Date.now(), Date.parse(start) + MAX_DAYS * DAY_MS))
  const first = Math.max(Date.parse(dayOf(Date.parse(start))), Date.parse(dayOf(last - MAX_DAYS * DAY_MS)))
  const length = Math.max(1, Math.ceil((last - first) / DAY_MS))
  return Array.from({ length }, (_, at) => dayOf(first + at * DAY_MS))
}

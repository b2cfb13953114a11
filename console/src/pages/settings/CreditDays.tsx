import { Group, Text, VisuallyHidden } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { plural } from '../../components/numbers.ts'
import { Day, When } from '../../components/When.tsx'
import classes from './CreditDays.module.css'

const DAY_MS = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Activations by day since the period began, as a picture; the figures are there for those who do not see it. */
export function CreditDays({ history }: { history: Schemas['UsageHistory'] }) {
  const { periods, days, counted_since } = history
  const begun = periods.find(({ is_current }) => is_current)?.period_start ?? counted_since
  const first = Math.max(Date.parse(dayOf(Date.parse(begun))), Date.parse(dayOf(Date.parse(counted_since))))
  const used = new Map(days.map(({ day, credits_used }) => [day, credits_used]))
  const length = Math.max(1, Math.floor((Date.now() - first) / DAY_MS) + 1)
  const all = Array.from({ length }, (_, at) => dayOf(first + at * DAY_MS))
  const most = Math.max(1, ...used.values())
  if (used.size === 0) {
    return (
      <Text size="sm" c="dimmed">
        No account was activated in this period{counted_since > begun && ' since days are counted'}.
      </Text>
    )
  }
  return (
    <div>
      <div className={classes.chart} aria-hidden>
        {all.map((day) => {
          const number = used.get(day) ?? 0
          const height = `${Math.max(4, (number / most) * 100)}%`
          return (
            <div
              key={day}
              className={number > 0 ? classes.bar : classes.none}
              style={number > 0 ? { height } : {}}
              title={`${day}: ${plural(number, 'activation')}`}
            />
          )
        })}
      </div>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          <Day on={all[0]} />
        </Text>
        <Text size="xs" c="dimmed">
          today
        </Text>
      </Group>
      <VisuallyHidden>
        <ul>
          {days.map(({ day, credits_used }) => (
            <li key={day}>
              <Day on={day} />: {plural(credits_used, 'activation')}
            </li>
          ))}
        </ul>
      </VisuallyHidden>
      {counted_since > begun && (
        <Text size="xs" c="dimmed">
          Days are counted since <When at={counted_since} />.
        </Text>
      )}
    </div>
  )
}

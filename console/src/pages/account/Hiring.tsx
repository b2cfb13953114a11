import { Paper, Stack, Text, Title } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { ErrorMessage } from '../../components/states.tsx'
import { CalendarDate } from '../../components/time.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { Breakdown } from './Breakdown.tsx'
import classes from './Hiring.module.css'
import { type AccountRecord, useHiringCurve } from './use-account.ts'

type Point = Schemas['HiringCurve']['points'][number]

const COUNTRIES = new Intl.DisplayNames(undefined, { type: 'region' })

/** Open positions on the company's job boards over time. Hidden until a board was read. */
export function Hiring({ account }: { account: AccountRecord }) {
  const hiring = useHiringCurve(account.id)
  if (hiring.isError) return <ErrorMessage error={hiring.error} retry={hiring.refetch} />
  const { points = [], looks = 0, last_look = null, freeze = null } = hiring.data?.data ?? {}
  const now = points.at(-1)
  if (!now) return null
  const countries = Object.entries(now.countries).map(([code, open]) => [COUNTRIES.of(code) ?? code, open])
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="hiring">
      <Stack gap="sm">
        <Title order={2} id="hiring">
          Open positions
        </Title>
        <Text lh={1}>
          <Text span fz={26} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {formatNumber(now.open)}
          </Text>{' '}
          <Text span c="dimmed" size="sm">
            as of <CalendarDate on={last_look} />
          </Text>
        </Text>
        {points.length > 1 && <Curve points={points} />}
        {freeze && <Text size="sm">{freeze.text}</Text>}
        <Breakdown title="By department" parts={now.departments} />
        <Breakdown title="By country" parts={Object.fromEntries(countries)} />
        <details className={classes.weeks}>
          <summary>By week</summary>
          <Weeks points={points} />
        </details>
        <Text size="xs" c="dimmed">
          Based on {pluralize(looks, 'check')} of the company’s job boards.
        </Text>
      </Stack>
    </Paper>
  )
}

const HEIGHT = 48
const WIDTH = 300

function Curve({ points }: { points: readonly Point[] }) {
  const [first, last] = [points[0] as Point, points.at(-1) as Point]
  const most = Math.max(1, ...points.map(({ open }) => open))
  const [from, until] = [Date.parse(first.week), Date.parse(last.week)]
  const coordinates = points.map(({ week, open }) => {
    const x = (WIDTH * (Date.parse(week) - from)) / (until - from)
    return `${x.toFixed(1)},${(HEIGHT - 2 - ((HEIGHT - 4) * open) / most).toFixed(1)}`
  })
  const summary = `Open positions by week: ${formatNumber(first.open)} in the week of ${first.week}, ${formatNumber(last.open)} in the week of ${last.week}, maximum ${formatNumber(most)}`
  return (
    <svg
      className={classes.curve}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      <polyline className={classes.line} points={coordinates.join(' ')} />
    </svg>
  )
}

/** Newest week first. */
function Weeks({ points }: { points: readonly Point[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Week of</th>
          <th scope="col">Open</th>
          <th scope="col">New</th>
          <th scope="col">Closed</th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map(({ week, open, opened, closed }) => (
          <tr key={week}>
            <th scope="row">
              <CalendarDate on={week} />
            </th>
            <td>{formatNumber(open)}</td>
            <td>{opened === null ? '–' : formatNumber(opened)}</td>
            <td>{closed === null ? '–' : formatNumber(closed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

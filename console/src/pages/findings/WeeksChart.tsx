import { Button, Group, Paper, Text, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ChartColumn } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { queries } from '../../api/client.ts'
import { useSignals } from '../../components/signals.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { Toggle } from '../../components/Toggle.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import type { FeedQueryFilters } from './search.ts'
import classes from './WeeksChart.module.css'
import { formatWeek, lastWeeks, sumCounts, WEEKS, type WeeklySignals } from './weeks.ts'

const HEIGHT = 96
const MAX_LEGEND = 6

const WeeksTable = lazy(() => import('./WeeksTable.tsx').then(({ WeeksTable }) => ({ default: WeeksTable })))

type Props = { filters: FeedQueryFilters; chosen: string[]; onChoose: (signals: string[]) => void }

/** Findings of the last weeks by signal, as bars or a table. Selecting a signal filters the feed. */
export function WeeksChart({ filters, chosen, onChoose }: Props) {
  const [isTable, setTable] = useState(false)
  // On narrow screens it would push the feed down, so it starts collapsed.
  const isNarrow = useMediaQuery('(max-width: 75em)', false, { getInitialValueInEffect: false })
  const [isExpanded, setExpanded] = useState(false)
  const { nameOf, colorOf } = useSignals()
  const query = { ...filters, weeks: WEEKS }
  const { data, error, isPending, refetch } = queries.useQuery('get', '/v1/detections/by-week', { params: { query } })
  const rows = data?.data ?? []
  const weeks = lastWeeks()
  const kinds = [...Map.groupBy(rows, ({ signal_id }) => signal_id)]
    .map(([id, of]) => ({ id, name: nameOf(id), total: sumCounts(of) }))
    .sort((a, b) => b.total - a.total)
  const total = sumCounts(rows)
  if (isNarrow && !isExpanded) {
    return (
      <div>
        <Toggle isOpen={false} icon={<ChartColumn size={14} aria-hidden />} onClick={() => setExpanded(true)}>
          Signals by week
        </Toggle>
      </div>
    )
  }
  return (
    <Paper withBorder p="md" component="section" aria-label="Signals by week">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <h2 className={classes.title}>Signals by week</h2>
        {total > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            c="dimmed"
            fw={500}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
        )}
      </Group>
      {isPending && <Loading lines={4} />}
      {error && <ErrorMessage error={error} retry={refetch} />}
      {data && total === 0 && (
        <Text size="sm" c="dimmed">
          No signals in the last {WEEKS} weeks.
        </Text>
      )}
      {total > 0 && isTable && (
        <Suspense fallback={<Loading lines={4} />}>
          <WeeksTable rows={rows} weeks={weeks} kinds={kinds} />
        </Suspense>
      )}
      {total > 0 && !isTable && <Bars rows={rows} weeks={weeks} kinds={kinds} total={total} />}
      {total > 0 && !isTable && (
        <ul className={classes.legend}>
          {kinds.slice(0, MAX_LEGEND).map(({ id, name, total }) => {
            const isChosen = chosen.includes(id)
            return (
              <li key={id}>
                <UnstyledButton
                  className={classes.kind}
                  aria-pressed={isChosen}
                  onClick={() => onChoose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
                >
                  <span aria-hidden className={classes.dot} style={{ backgroundColor: colorOf(id) }} />
                  <span className={classes.name}>{name}</span>
                  <span className={classes.total}>{formatNumber(total)}</span>
                </UnstyledButton>
              </li>
            )
          })}
          {kinds.length > MAX_LEGEND && (
            <li className={classes.rest}>{pluralize(kinds.length - MAX_LEGEND, 'more signal')} in the table</li>
          )}
        </ul>
      )}
    </Paper>
  )
}

function Bars({ rows, weeks, kinds, total }: WeeklySignals & { total: number }) {
  const { colorOf } = useSignals()
  const byWeek = Map.groupBy(rows, ({ week }) => week)
  const most = Math.max(...weeks.map((week) => sumCounts(byWeek.get(week) ?? [])), 1)
  const summary = `${pluralize(total, 'signal')} in ${WEEKS} weeks: ${kinds.map(({ name, total }) => `${name} ${total}`).join(', ')}.`
  const width = 100 / weeks.length
  return (
    <>
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        className={classes.bars}
        role="img"
        aria-label={summary}
      >
        {weeks.map((week, at) => {
          const of = byWeek.get(week) ?? []
          let base = HEIGHT
          return (
            <g key={week}>
              <title>{`Week of ${formatWeek(week)}: ${of.length === 0 ? 'no signals' : pluralize(sumCounts(of), 'signal')}`}</title>
              <rect x={at * width} y={0} width={width} height={HEIGHT} fill="transparent" />
              {kinds.map(({ id }) => {
                const number = of.find(({ signal_id }) => signal_id === id)?.count ?? 0
                const height = (number / most) * (HEIGHT - 4)
                base -= height
                return (
                  height > 0 && (
                    <rect
                      key={id}
                      x={at * width + width * 0.14}
                      y={base}
                      width={width * 0.72}
                      height={Math.max(0, height - 0.6)}
                      style={{ fill: colorOf(id) }}
                    />
                  )
                )
              })}
            </g>
          )
        })}
      </svg>
      <Group justify="space-between" className={classes.axis} aria-hidden>
        <span>{formatWeek(weeks[0] as string)}</span>
        <span>This week</span>
      </Group>
    </>
  )
}

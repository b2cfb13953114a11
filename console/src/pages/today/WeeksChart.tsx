import { Button, Group, Paper, ScrollArea, Table, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { queries, type Schemas } from '../../api/client.ts'
import { count, plural } from '../../components/numbers.ts'
import { signalColor, useSignals } from '../../components/signals.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import type { Filters } from './search.ts'
import classes from './WeeksChart.module.css'

const WEEKS = 12
const HEIGHT = 96
const DAY_MS = 86_400_000
const MOST_NAMED = 6

type Row = Schemas['FindingsOfWeek']
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const weekName = (week: string) => short.format(new Date(`${week}T00:00:00Z`))

type Props = { filters: Filters; chosen: string[]; onChoose: (signals: string[]) => void }

/** What happened in the last weeks, by kind: bars, or the same as a table. A kind that is chosen filters the feed. */
export function WeeksChart({ filters, chosen, onChoose }: Props) {
  const [isTable, setTable] = useState(false)
  const { nameOf } = useSignals()
  const query = { ...filters, weeks: WEEKS }
  const { data, error, isPending, refetch } = queries.useQuery('get', '/v1/detections/by-week', { params: { query } })
  const rows = data?.data ?? []
  const weeks = lastWeeks()
  const kinds = [...Map.groupBy(rows, ({ signal_id }) => signal_id)]
    .map(([id, of]) => ({ id, name: nameOf(id), total: sum(of) }))
    .sort((a, b) => b.total - a.total)
  const total = sum(rows)
  return (
    <Paper withBorder p="md" component="section" aria-label="Signals by week">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <h2 className={classes.title}>Signals by week</h2>
        {total > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Show as bars' : 'Show as a table'}
          </Button>
        )}
      </Group>
      {isPending && <Loading lines={4} />}
      {error && <Failed error={error} retry={refetch} />}
      {data && total === 0 && (
        <Text size="sm" c="dimmed">
          Nothing happened in the last {WEEKS} weeks.
        </Text>
      )}
      {total > 0 && isTable && <WeeksTable rows={rows} weeks={weeks} kinds={kinds} />}
      {total > 0 && !isTable && <Bars rows={rows} weeks={weeks} kinds={kinds} total={total} />}
      {total > 0 && !isTable && (
        <ul className={classes.legend}>
          {kinds.slice(0, MOST_NAMED).map(({ id, name, total }) => {
            const isChosen = chosen.includes(id)
            return (
              <li key={id}>
                <UnstyledButton
                  className={classes.kind}
                  aria-pressed={isChosen}
                  onClick={() => onChoose(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
                >
                  <span aria-hidden className={classes.dot} style={{ backgroundColor: signalColor(id) }} />
                  <span className={classes.name}>{name}</span>
                  <span className={classes.total}>{count(total)}</span>
                </UnstyledButton>
              </li>
            )
          })}
          {kinds.length > MOST_NAMED && (
            <li className={classes.rest}>{plural(kinds.length - MOST_NAMED, 'other kind')} in the table</li>
          )}
        </ul>
      )}
    </Paper>
  )
}

type Shown = { rows: Row[]; weeks: string[]; kinds: { id: string; name: string; total: number }[] }

function Bars({ rows, weeks, kinds, total }: Shown & { total: number }) {
  const byWeek = Map.groupBy(rows, ({ week }) => week)
  const most = Math.max(...weeks.map((week) => sum(byWeek.get(week) ?? [])), 1)
  const told = `${plural(total, 'signal')} in ${WEEKS} weeks: ${kinds.map(({ name, total }) => `${name} ${total}`).join(', ')}.`
  const width = 100 / weeks.length
  return (
    <>
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        className={classes.bars}
        role="img"
        aria-label={told}
      >
        {weeks.map((week, at) => {
          const of = byWeek.get(week) ?? []
          let base = HEIGHT
          return (
            <g key={week}>
              <title>{`Week of ${weekName(week)}: ${of.length === 0 ? 'nothing' : plural(sum(of), 'signal')}`}</title>
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
                      style={{ fill: signalColor(id) }}
                    />
                  )
                )
              })}
            </g>
          )
        })}
      </svg>
      <Group justify="space-between" className={classes.axis} aria-hidden>
        <span>{weekName(weeks[0] as string)}</span>
        <span>this week</span>
      </Group>
    </>
  )
}

function WeeksTable({ rows, weeks, kinds }: Shown) {
  const of = (week: string, id: string) => rows.find((row) => row.week === week && row.signal_id === id)?.count ?? 0
  return (
    <ScrollArea scrollbars="x" tabIndex={0} role="region" aria-label="Signals by week, as a table">
      <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={8} fz="xs" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Week of</Table.Th>
            {kinds.map(({ id, name }) => (
              <Table.Th key={id} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {weeks.toReversed().map((week) => (
            <Table.Tr key={week}>
              <Table.Th scope="row">{weekName(week)}</Table.Th>
              {kinds.map(({ id }) => (
                <Table.Td key={id} ta="right">
                  {of(week, id) || <span className={classes.none}>0</span>}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  )
}

const sum = (rows: readonly Row[]) => rows.reduce((all, { count }) => all + count, 0)

/** The Mondays of the last weeks, this one included; weeks begin where the service's do. */
function lastWeeks(): string[] {
  const today = new Date()
  const monday = Date.parse(today.toISOString().slice(0, 10)) - ((today.getUTCDay() + 6) % 7) * DAY_MS
  return Array.from({ length: WEEKS }, (_, at) =>
    new Date(monday - (WEEKS - 1 - at) * 7 * DAY_MS).toISOString().slice(0, 10),
  )
}

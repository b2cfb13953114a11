import { Table } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import classes from './WeeksChart.module.css'
import { sumCounts, WEEKS, type WeeklySignals } from './weeks.ts'

/** The columns: numbers of latest weeks. */
const SPANS = [
  { weeks: 1, label: 'This week' },
  { weeks: 4, label: '4 weeks' },
  { weeks: WEEKS, label: `${WEEKS} weeks` },
]

/** The chart as a table, with a row per signal. */
export function WeeksTable({ rows, weeks, kinds }: WeeklySignals) {
  const of = (id: string, last: number) => {
    const since = weeks.at(-last) as string
    return sumCounts(rows.filter(({ week, signal_id }) => signal_id === id && week >= since))
  }
  return (
    <Table
      withRowBorders={false}
      verticalSpacing={3}
      horizontalSpacing={6}
      fz="xs"
      className={classes.table}
      aria-label="Signals by week"
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Signal</Table.Th>
          {SPANS.map(({ label }) => (
            <Table.Th key={label} ta="right">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {kinds.map(({ id, name }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row">{name}</Table.Th>
            {SPANS.map(({ weeks: last, label }) => {
              const number = of(id, last)
              return (
                <Table.Td key={label} ta="right">
                  {number > 0 ? formatNumber(number) : <span className={classes.none}>0</span>}
                </Table.Td>
              )
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

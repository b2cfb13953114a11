import { Table } from '@mantine/core'
import classes from './WeeksChart.module.css'
import { type Shown, weekName } from './weeks.ts'

/** What the bars show, for whoever reads rather than looks. */
export function WeeksTable({ rows, weeks, kinds }: Shown) {
  const of = (week: string, id: string) => rows.find((row) => row.week === week && row.signal_id === id)?.count ?? 0
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard scrolls it, too
    <section tabIndex={0} aria-label="Signals by week, as a table" className={classes.scroll}>
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
    </section>
  )
}

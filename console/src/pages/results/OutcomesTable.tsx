import { Table, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { sourceName } from '../../components/RunProgress.tsx'
import { formatNumber } from '../../lib/format.ts'
import classes from './results.module.css'

type Outcomes = Schemas['Outcomes']
type Row = Schemas['OutcomeRow']

const GROUP: Record<Outcomes['group_by'], string> = { signal: 'Signal', source: 'Source', owner: 'Owner' }

type Column = { label: string; count: (row: Row) => number; rate?: (row: Row) => number | null }
const COLUMNS: readonly Column[] = [
  { label: 'Findings', count: ({ findings }) => findings },
  { label: 'Contacted', count: ({ contacted }) => contacted, rate: ({ contacted_rate }) => contacted_rate },
  { label: 'Reply or meeting', count: ({ answered }) => answered, rate: ({ answered_rate }) => answered_rate },
  { label: 'Led to a deal', count: ({ led_to_deal }) => led_to_deal, rate: ({ deal_rate }) => deal_rate },
  { label: 'Deals', count: ({ deals }) => deals },
  { label: 'Won', count: ({ won }) => won, rate: ({ won_rate }) => won_rate },
]

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 })

/** The counts of each group with their rates, and the total. On narrow screens each row is a block. */
export function OutcomesTable({ outcomes: { group_by, rows, total } }: { outcomes: Outcomes }) {
  const nameOf = ({ key, name }: Row) => (group_by === 'source' && key !== null ? sourceName(name) : name)
  return (
    <Table className={classes.table} verticalSpacing="xs" aria-label={`Results by ${group_by}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{GROUP[group_by]}</Table.Th>
          {COLUMNS.map(({ label }) => (
            <Table.Th key={label} ta="right">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Line key={row.key ?? ''} name={nameOf(row)} row={row} />
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Line name="Total" row={total} />
      </Table.Tfoot>
    </Table>
  )
}

function Line({ name, row }: { name: string; row: Row }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        {name}
      </Table.Th>
      {COLUMNS.map(({ label, count, rate }) => (
        <Table.Td key={label} data-label={label} className={classes.count}>
          {formatNumber(count(row))} {rate && <Rate value={rate(row)} />}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

function Rate({ value }: { value: number | null }) {
  return (
    <Text
      span
      size="sm"
      c="dimmed"
      className={classes.rate}
      title={value === null ? 'Fewer than five cases' : undefined}
    >
      {value === null ? '–' : percent.format(value)}
    </Text>
  )
}

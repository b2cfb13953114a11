import { Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { queries } from '../../api/client.ts'
import { RelativeTime } from '../../components/time.tsx'
import { formatNumber } from '../../lib/format.ts'
import classes from './accounts.module.css'

const STATUS_LABELS = { running: 'Running', done: 'Done', failed: 'Failed' } as const

/** The most recent imports. */
export function RecentImports() {
  const { data } = queries.useQuery('get', '/v1/accounts/imports', { params: { query: { per_page: 5 } } })
  if (!data || data.data.length === 0) return null
  return (
    <section aria-label="Recent imports">
      <Title order={2} mb="xs">
        Recent imports
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={classes.scroll} aria-label="Imports" tabIndex={0}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>File</Table.Th>
              <Table.Th>Date</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th ta="right">New</Table.Th>
              <Table.Th ta="right">Existing</Table.Th>
              <Table.Th ta="right">Skipped</Table.Th>
              <Table.Th>Tag</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.data.map(({ id, file_name, created_at, status, created, existing, rejected, tag }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <Link to="/accounts/import" search={{ id }} className={classes.name}>
                    {file_name ?? 'Import'}
                  </Link>
                </Table.Td>
                <Table.Td>
                  <RelativeTime at={created_at} />
                </Table.Td>
                <Table.Td>{STATUS_LABELS[status]}</Table.Td>
                <Table.Td ta="right">{formatNumber(created)}</Table.Td>
                <Table.Td ta="right">{formatNumber(existing)}</Table.Td>
                <Table.Td ta="right">{formatNumber(rejected)}</Table.Td>
                <Table.Td>
                  <Text size="sm">{tag ?? '–'}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </section>
  )
}

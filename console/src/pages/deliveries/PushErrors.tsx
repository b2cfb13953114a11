import { Anchor, Stack, Table, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { formatNumber } from '../../lib/format.ts'

type PushRun = Schemas['PushRun']

/** Failed and skipped records with their reasons. The API returns the first ten of each. */
export function PushErrors({ run }: { run: PushRun }) {
  const { error_sample, skipped_sample, failed, skipped, record_type } = run
  const whole = error_sample.filter(({ id }) => id === null)
  const rows = error_sample.filter(({ id }) => id !== null)
  return (
    <Stack gap="sm" mt="sm">
      {whole.map(({ message }) => (
        <Text key={message} size="sm" c="var(--mantine-color-error)">
          Push stopped: {message}
        </Text>
      ))}
      {rows.length > 0 && (
        <div>
          <Title order={3}>Failed</Title>
          <Table verticalSpacing={4} fz="sm" layout="fixed" aria-label="Failed records">
            <Table.Tbody>
              {rows.map(({ id, name, message }) => (
                <Table.Tr key={id}>
                  <Table.Th scope="row" w="35%" fw={500} style={{ overflowWrap: 'anywhere' }}>
                    {name ? (
                      <Anchor component={Link} to={`/${record_type}/${id}`} size="sm">
                        {name}
                      </Anchor>
                    ) : (
                      'Deleted record'
                    )}
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{message}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <More of={failed} shown={rows.length} />
        </div>
      )}
      {skipped_sample.length > 0 && (
        <div>
          <Title order={3}>Skipped</Title>
          {[...new Set(skipped_sample.map(({ message }) => message))].map((message) => (
            <Text key={message} size="sm" c="dimmed">
              {formatNumber(skipped_sample.filter((one) => one.message === message).length)} × {message}
            </Text>
          ))}
          <More of={skipped} shown={skipped_sample.length} />
        </div>
      )}
    </Stack>
  )
}

function More({ of, shown }: { of: number; shown: number }) {
  if (of <= shown) return null
  return (
    <Text size="xs" c="dimmed">
      and {formatNumber(of - shown)} more
    </Text>
  )
}

import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'

type Props = { delivery: Pick<Schemas['Delivery'], 'record' | 'record_id'> }

/** A link to the record of a delivery. */
export function RecordLink({ delivery: { record, record_id } }: Props) {
  if (!record) {
    return (
      <Text span size="sm" c="dimmed">
        {record_id ? 'Deleted record' : 'Test'}
      </Text>
    )
  }
  const to = record.type === 'account' ? `/accounts/${record.id}` : `/people/${record.id}`
  return (
    <Anchor component={Link} to={to} size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
      {record.name}
    </Anchor>
  )
}

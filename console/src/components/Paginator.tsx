import { Group, Pagination, Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { formatNumber } from '../lib/format.ts'

type Props = { pagination: Schemas['Pagination']; onChange: (page: number) => void; items: string }

/** Pagination of a list. Hidden if all items fit on one page. */
export function Paginator({ pagination: { total, page, per_page }, onChange, items }: Props) {
  if (total <= per_page) return null
  const first = (page - 1) * per_page + 1
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {formatNumber(first)}–{formatNumber(Math.min(page * per_page, total))} of {formatNumber(total)} {items}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / per_page)}
        value={page}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        getItemProps={(page) => ({ 'aria-label': `page ${page}` })}
      />
    </Group>
  )
}

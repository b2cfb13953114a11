import { Group, Pagination, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Schemas } from '../../api/client.ts'
import { count } from '../../components/numbers.ts'

type Props = { pagination: Schemas['Pagination']; onChange: (page: number) => void }

/** The way through the pages, however many there are. */
export function PageTurner({ pagination: { total, page, per_page }, onChange }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const pages = Math.ceil(total / per_page)
  if (pages <= 1) return null
  const first = (page - 1) * per_page + 1
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {count(first)}–{count(Math.min(page * per_page, total))} of {count(total)}
      </Text>
      <Pagination
        size="sm"
        total={pages}
        value={page}
        siblings={isNarrow ? 0 : 1}
        onChange={onChange}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        getItemProps={(number) => ({ 'aria-label': `page ${number}` })}
      />
    </Group>
  )
}

import { Badge } from '@mantine/core'
import { queries } from '../api/client.ts'
import { shortCount } from '../components/numbers.ts'

/** How many suggestions wait for a decision. */
export function SuggestedCount() {
  const query = { status: 'suggested', per_page: 1 } as const
  const { data } = queries.useQuery('get', '/v1/accounts', { params: { query } }, { staleTime: 60_000 })
  const total = data?.pagination.total ?? 0
  if (total === 0) return null
  return (
    <Badge size="sm" variant="light" color="gray" c="dimmed" aria-label={`${total} waiting`}>
      {shortCount(total)}
    </Badge>
  )
}

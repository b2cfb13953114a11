import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Building2, Compass, FilterX, Inbox, Radar } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { EmptyState, Loading } from '../../components/states.tsx'

/** The empty state of the feed, depending on filters and accounts. */
export function EmptyFeed({ clear }: { clear: (() => void) | null }) {
  const { write } = useRights()
  const every = { params: { query: { per_page: 1 } } } as const
  const active = { params: { query: { per_page: 1, status: 'active' } } } as const
  const all = queries.useQuery('get', '/v1/accounts', every)
  const activeQuery = queries.useQuery('get', '/v1/accounts', active)
  if (clear) {
    return (
      <EmptyState icon={FilterX} title="No results" action={<Button onClick={clear}>Clear filters</Button>}>
        No findings match these filters.
      </EmptyState>
    )
  }
  if (all.isPending || activeQuery.isPending) return <Loading />
  if ((all.data?.pagination.total ?? 0) === 0) {
    return (
      <EmptyState
        icon={Building2}
        title="Add your first accounts"
        action={
          write && (
            <Group gap="xs" justify="center" mt="sm">
              <Button component={Link} to="/accounts/import">
                Import accounts
              </Button>
              <Button component={Link} to="/accounts" variant="default">
                Add account
              </Button>
              <Button component={Link} to="/discover" variant="default" leftSection={<Compass size={15} aria-hidden />}>
                Discover companies
              </Button>
            </Group>
          )
        }
      >
        Bellwether tracks funding, hiring, expansion and other signals at your accounts and shows them here with
        sources.
      </EmptyState>
    )
  }
  if ((activeQuery.data?.pagination.total ?? 0) === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title="No active accounts"
        action={
          <Button component={Link} to="/suggested" mt="sm">
            Review suggestions
          </Button>
        }
      >
        Activate accounts to monitor them. New signals will appear here.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Radar}
      title="No findings yet"
      action={
        <Button component={Link} to="/accounts" variant="default" mt="sm">
          View accounts
        </Button>
      }
    >
      The first scan takes a few minutes. After that, websites are checked daily and news weekly.
    </EmptyState>
  )
}

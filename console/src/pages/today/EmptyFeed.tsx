import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Building2, Compass, FilterX, Inbox, Radar } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { EmptyState, Loading } from '../../components/states.tsx'

/** There is no finding: what to do depends on what is there. */
export function EmptyFeed({ clear }: { clear: (() => void) | null }) {
  const { write } = useRights()
  const every = { params: { query: { per_page: 1 } } } as const
  const active = { params: { query: { per_page: 1, status: 'active' } } } as const
  const all = queries.useQuery('get', '/v1/accounts', every)
  const watched = queries.useQuery('get', '/v1/accounts', active)
  if (clear) {
    return (
      <EmptyState icon={FilterX} title="Nothing matches" action={<Button onClick={clear}>Clear filters</Button>}>
        No finding fits all of these filters.
      </EmptyState>
    )
  }
  if (all.isPending || watched.isPending) return <Loading />
  if ((all.data?.pagination.total ?? 0) === 0) {
    return (
      <EmptyState
        icon={Building2}
        title="Add the companies you care about"
        action={
          write && (
            <Group gap="xs" justify="center" mt="sm">
              <Button component={Link} to="/accounts/import">
                Import a list
              </Button>
              <Button component={Link} to="/accounts" variant="default">
                Add one account
              </Button>
              <Button component={Link} to="/discover" variant="default" leftSection={<Compass size={15} aria-hidden />}>
                Discover companies
              </Button>
            </Group>
          )
        }
      >
        Bellwether reads what they publish and what is published about them, and tells you here what happened: a round,
        a new hire, an opening, each with the sentence that proves it.
      </EmptyState>
    )
  }
  if ((watched.data?.pagination.total ?? 0) === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title="No account is watched yet"
        action={
          <Button component={Link} to="/suggested" mt="sm">
            Decide on suggestions
          </Button>
        }
      >
        Activate the accounts that matter. From then on each is read every day, and what happens there stands here.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Radar}
      title="Nothing found yet"
      action={
        <Button component={Link} to="/accounts" variant="default" mt="sm">
          See the accounts
        </Button>
      }
    >
      The first look at an account takes a few minutes; then its site is watched every day and the news every week. What
      is found stands here.
    </EmptyState>
  )
}

import { Badge, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { pluralize } from '../../lib/format.ts'
import accounts from '../accounts/accounts.module.css'
import classes from './discover.module.css'

const STATES = {
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'gray' },
  failed: { label: 'Failed', color: 'red' },
} as const

/** The recent discovery runs, newest first. */
export function RecentRuns({ current }: { current: string | undefined }) {
  const runs = queries.useQuery('get', '/v1/runs', { params: { query: { asked: true, per_page: 10 } } })
  if (runs.isPending) return <Loading lines={4} />
  if (runs.isError) return <ErrorMessage error={runs.error} retry={runs.refetch} />
  const others = runs.data.data.filter(({ id }) => id !== current)
  if (others.length === 0) {
    return current ? null : (
      <EmptyState icon={Compass} title="No searches yet">
        Select signals and filters to find companies. Matches become suggested accounts.
      </EmptyState>
    )
  }
  return (
    <section aria-label="Recent searches">
      <Title order={2} mb="xs">
        Recent searches
      </Title>
      <ul className={classes.results}>
        {others.map((run) => (
          <li key={run.id}>
            <div style={{ minWidth: 0, flex: 1 }}>
              <Link
                from="/discover"
                to="/discover"
                search={(before) => ({ ...before, run: run.id })}
                className={accounts.name}
              >
                {run.name}
              </Link>
              <Text size="xs" c="dimmed">
                <RelativeTime at={run.created_at} /> · {pluralize(run.stats.candidates, 'company', 'companies')} checked
              </Text>
            </div>
            <Group gap="sm" wrap="nowrap" style={{ flexShrink: 0 }}>
              <Text size="sm">{pluralize(run.stats.matched, 'match', 'matches')}</Text>
              <Badge variant="light" color={STATES[run.status].color} tt="none">
                {STATES[run.status].label}
              </Badge>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}

import { Anchor, Paper } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { queries, type Schemas } from '../../api/client.ts'
import { RelativeTime } from '../../components/time.tsx'
import classes from './AttentionPanel.module.css'

type Kind = Schemas['Attention']['kind']

/** The page for each kind of problem; a backup is repaired on the server. */
const LINKS: Record<Exclude<Kind, 'backup_failed'>, { to: string; label: string }> = {
  no_internet: { to: '/settings/sources', label: 'Sources' },
  source_failing: { to: '/settings/sources', label: 'Sources' },
  push_failed: { to: '/deliveries/pushes', label: 'Pushes' },
  alert_failed: { to: '/deliveries/alerts', label: 'Alerts' },
  connection_problem: { to: '/settings/connections', label: 'Connections' },
  credits_low: { to: '/settings/plan', label: 'Plan' },
  credits_used: { to: '/settings/plan', label: 'Plan' },
  reader_off: { to: '/settings/sources', label: 'Sources' },
  import_failed: { to: '/discover', label: 'Discover' },
}

function LinkTo({ problem: { kind, ref } }: { problem: Schemas['Attention'] }) {
  if (kind === 'backup_failed') return null
  const { to, label } = ref?.type === 'account_import' ? { to: '/accounts/import', label: 'Import' } : LINKS[kind]
  return (
    <>
      {' · '}
      <Anchor component={Link} to={to} size="xs">
        {label}
      </Anchor>
    </>
  )
}

/** Problems that need attention. Hidden if there are none. */
export function AttentionPanel() {
  const { data } = queries.useQuery('get', '/v1/attention', {}, { staleTime: 60_000 })
  const entries = data?.data ?? []
  if (entries.length === 0) return null
  return (
    <Paper withBorder p="md" component="section" aria-label="Needs attention" className={classes.panel}>
      <h2 className={classes.title}>
        <TriangleAlert size={15} aria-hidden />
        Needs attention
      </h2>
      <ul className={classes.list}>
        {entries.map((entry) => (
          <li key={`${entry.kind} ${entry.ref?.id ?? ''}`}>
            {entry.message}{' '}
            <span className={classes.since}>
              {entry.since && (
                <>
                  since <RelativeTime at={entry.since} />
                </>
              )}
              <LinkTo problem={entry} />
            </span>
          </li>
        ))}
      </ul>
    </Paper>
  )
}

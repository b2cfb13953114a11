import { Accordion, Badge, Group, Text } from '@mantine/core'
import { ScanSearch } from 'lucide-react'
import { RunProgress } from '../../components/RunProgress.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { type AccountRecord, useAccountRuns, useAccountSearch, useRefreshAccount } from './use-account.ts'

const STATUSES = {
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'bell' },
  failed: { label: 'Failed', color: 'red' },
} as const

/** The scans of the account, newest first, with the result of each source. */
export function Scans({ account }: { account: AccountRecord }) {
  const [{ run }, go] = useAccountSearch()
  const runs = useAccountRuns(account.id)
  const refresh = useRefreshAccount()
  if (runs.isPending) return <Loading />
  if (runs.isError) return <ErrorMessage error={runs.error} retry={runs.refetch} />
  const [newest] = runs.data.data
  if (!newest) {
    return (
      <EmptyState icon={ScanSearch} title="No recent scans">
        A scan checks the company website, job boards, filings and news for your signals. Click Scan to start one.
      </EmptyState>
    )
  }
  return (
    <Accordion
      variant="separated"
      order={3}
      value={run ?? newest.id}
      onChange={(chosen) => go({ run: chosen ?? 'none' }, { replace: true })}
    >
      {runs.data.data.map(({ id, status, stats, created_at }) => (
        <Accordion.Item key={id} value={id}>
          <Accordion.Control>
            <Group gap="sm">
              <Badge variant="light" color={STATUSES[status].color} tt="none">
                {STATUSES[status].label}
              </Badge>
              <Text size="sm">
                <RelativeTime at={created_at} />
              </Text>
              {status === 'done' && (
                <Text size="sm" c="dimmed">
                  {stats.matched > 0 ? 'Signals found' : 'No signals found'}
                </Text>
              )}
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <RunProgress id={id} onEnd={refresh} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

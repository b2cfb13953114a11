import { Alert, Button, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { sourceName, useRun } from '../../components/RunProgress.tsx'
import { type AccountRecord, useAccountRuns, useAccountSearch } from './use-account.ts'

/** Whether what is shown can be relied on: what could not be read is not what says nothing. */
export function LastScanAlert({ account }: { account: AccountRecord }) {
  const last = useAccountRuns(account.id).data?.data[0]
  return last && last.status !== 'running' ? <ScanProblems key={last.id} id={last.id} /> : null
}

function ScanProblems({ id }: { id: string }) {
  const [{ tab }, go] = useAccountSearch()
  const run = useRun(id).data?.data
  const unread = (run?.stats.sources ?? []).filter(({ outcome }) => outcome === 'failed')
  // Where the scans are shown it is said there.
  if (!run || tab === 'runs' || (run.status === 'done' && unread.length === 0)) return null
  const hasFailed = run.status === 'failed'
  return (
    <Alert
      color={hasFailed ? 'red' : 'yellow'}
      variant="light"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={hasFailed ? 'The last scan failed' : 'The last scan could not read everything'}
    >
      <Text size="sm">
        {hasFailed ? run.failure : unread.map(({ name, reason }) => `${sourceName(name)}: ${reason}`).join(' ')}
      </Text>
      <Button size="compact-sm" variant="default" mt="xs" onClick={() => go({ tab: 'runs', run: id })}>
        How each source fared
      </Button>
    </Alert>
  )
}

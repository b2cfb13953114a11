import { Alert, Button, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { sourceName, useRun } from '../../components/RunProgress.tsx'
import { type AccountRecord, useAccountRuns, useAccountSearch } from './use-account.ts'

/** Warns if the last scan failed or skipped sources, because missing findings may then be unknown rather than absent. */
export function LastScanAlert({ account }: { account: AccountRecord }) {
  const last = useAccountRuns(account.id).data?.data[0]
  return last && last.status !== 'running' ? <ScanProblems key={last.id} id={last.id} /> : null
}

function ScanProblems({ id }: { id: string }) {
  const [{ tab }, go] = useAccountSearch()
  const run = useRun(id).data?.data
  const unread = (run?.stats.sources ?? []).filter(({ outcome }) => outcome === 'failed')
  // The Scans tab shows the same details.
  if (!run || tab === 'runs' || (run.status === 'done' && unread.length === 0)) return null
  const hasFailed = run.status === 'failed'
  return (
    <Alert
      color={hasFailed ? 'red' : 'yellow'}
      variant="light"
      icon={<TriangleAlert size={18} aria-hidden />}
      title={hasFailed ? 'Last scan failed' : 'Last scan was incomplete'}
    >
      <Text size="sm">
        {hasFailed ? run.failure : unread.map(({ name, reason }) => `${sourceName(name)}: ${reason}`).join(' ')}
      </Text>
      <Button size="compact-sm" variant="default" mt="xs" onClick={() => go({ tab: 'runs', run: id })}>
        View details
      </Button>
    </Alert>
  )
}

import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { Radar } from 'lucide-react'
import { useRef } from 'react'
import { queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { FindingCard } from '../../components/FindingCard.tsx'
import { useSignals } from '../../components/signals.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { pluralize } from '../../lib/format.ts'
import {
  type AccountRecord,
  type Finding,
  useAccountRuns,
  useAccountSearch,
  useFindings,
  useRefreshAccount,
} from './use-account.ts'

/** The number of findings that show their context from the start. */
const EXPANDED_COUNT = 5

/** The findings of the account, then the signals that were checked and not found. */
export function Findings({ account }: { account: AccountRecord }) {
  const [{ wrong }, go] = useAccountSearch()
  const { nameOf } = useSignals()
  const signals = useFindings(account.id)
  const hasFailed = useAccountRuns(account.id).data?.data[0]?.status === 'failed'
  const seen = useRef(new Set<string>())
  const wrongQuery = queries.useQuery('get', '/v1/accounts/{id}/signals', {
    params: { path: { id: account.id }, query: { wrong: true } },
  })
  if (signals.isPending) return <Loading />
  if (signals.isError) return <ErrorMessage error={signals.error} retry={signals.refetch} />
  const wrongFindings = wrongQuery.data?.data ?? []
  const isWrong = new Set(wrongFindings.map(({ id }) => id))
  const found = signals.data.data.filter(({ id, signal_present }) => signal_present && !isWrong.has(id))
  for (const { id } of found) seen.current.add(id)
  // A finding marked wrong stays in place until the page is opened again, so that a mistake can be undone.
  const listed = [...found, ...wrongFindings.filter(({ id }) => seen.current.has(id))].sort(
    (a, b) => b.detected_at.localeCompare(a.detected_at) || b.id.localeCompare(a.id),
  )
  const hidden = wrongFindings.filter(({ id }) => !seen.current.has(id))
  return (
    <Stack gap="md">
      {listed.length === 0 ? (
        <EmptyState icon={Radar} title={hasFailed || account.last_scanned_at ? 'No findings yet' : 'Not scanned yet'}>
          {hasFailed
            ? 'The last scan failed, so nothing is known. Findings appear after the next scan that succeeds.'
            : account.last_scanned_at
              ? account.status === 'active'
                ? 'This account is monitored. New findings appear here.'
                : 'Activate this account to monitor it.'
              : 'A scan checks the company website, job boards, filings and news.'}
        </EmptyState>
      ) : (
        <Cards account={account} findings={listed} open={EXPANDED_COUNT} />
      )}
      <NotFound
        names={signals.data.data.filter((one) => !one.signal_present).map(({ signal_id }) => nameOf(signal_id))}
      />
      {hidden.length > 0 && (
        <div>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            aria-expanded={wrong ?? false}
            onClick={() => go({ wrong: wrong ? undefined : true }, { replace: true })}
          >
            {wrong ? 'Hide findings marked wrong' : `Show ${pluralize(hidden.length, 'finding')} marked wrong`}
          </Button>
        </div>
      )}
      {wrong && hidden.length > 0 && (
        <>
          <Title order={3}>Marked wrong</Title>
          <Cards account={account} findings={hidden} open={0} />
        </>
      )}
    </Stack>
  )
}

function Cards({ account, findings, open }: { account: AccountRecord; findings: Finding[]; open: number }) {
  const { nameOf } = useSignals()
  const { owns } = useRights()
  const refresh = useRefreshAccount()
  return (
    <Paper withBorder px="md" py={4}>
      {findings.map((finding, at) => (
        <FindingCard
          key={finding.id}
          accountId={account.id}
          finding={finding}
          signalName={nameOf(finding.signal_id)}
          order={3}
          open={at < open}
          mayEdit={owns(account.owner_id)}
          onFeedback={refresh}
        />
      ))}
    </Paper>
  )
}

/** Only signals that were checked; unchecked signals are not reported as absent. */
function NotFound({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <Text size="sm" c="dimmed">
      Checked, nothing found: {names.join(', ')}.
    </Text>
  )
}

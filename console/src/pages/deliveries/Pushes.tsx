import { Button, Group, Paper, Progress, Select, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Send } from 'lucide-react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { Paginator } from '../../components/Paginator.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { PushErrors } from './PushErrors.tsx'
import { useDeliveriesSearch } from './use-deliveries-search.ts'

type PushRun = Schemas['PushRun']

const PER_PAGE = 25
/** The polling interval while a push is running. */
const POLL_MS = 1_500

/** The pushes of accounts and people to destinations and CRMs. */
export default function Pushes() {
  const { search, change } = useDeliveriesSearch()
  const { status, page = 1 } = search
  const query = { ...(status ? { status } : {}), page, per_page: PER_PAGE }
  const runs = queries.useQuery(
    'get',
    '/v1/push-runs',
    { params: { query } },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state }) => (state.data?.data.some((run) => run.status === 'running') ? POLL_MS : false),
    },
  )
  return (
    <Stack gap="sm">
      <Group>
        <Select
          label="Status"
          size="sm"
          w={200}
          allowDeselect={false}
          data={[
            { value: 'all', label: 'All pushes' },
            { value: 'running', label: 'Running' },
            { value: 'completed', label: 'Done' },
            { value: 'failed', label: 'Failed' },
          ]}
          value={status ?? 'all'}
          onChange={(value) =>
            change({ status: value === 'all' ? undefined : (value as PushRun['status']), page: undefined })
          }
        />
      </Group>
      {runs.isPending ? (
        <Loading />
      ) : runs.isError ? (
        <ErrorMessage error={runs.error} retry={runs.refetch} />
      ) : runs.data.data.length === 0 ? (
        <EmptyState icon={Send} title={status ? 'No pushes found' : 'No pushes yet'}>
          Select accounts or people and push them to a destination or your CRM. Track progress and errors here.
        </EmptyState>
      ) : (
        <>
          {runs.data.data.map((run) => (
            <Run key={run.id} run={run} isOpen={search.run === run.id} />
          ))}
          <Paginator pagination={runs.data.pagination} onChange={(page) => change({ page })} items="pushes" />
        </>
      )}
    </Stack>
  )
}

function Run({ run, isOpen }: { run: PushRun; isOpen: boolean }) {
  const { change } = useDeliveriesSearch()
  const { write } = useRights()
  const { labelOf } = useProviders()
  const { total, sent, failed, skipped, status, record_type } = run
  const where =
    run.channel === 'crm' ? run.providers.map(labelOf).join(' and ') : (run.destination?.name ?? 'removed destination')
  const what = record_type === 'accounts' ? pluralize(total, 'account') : pluralize(total, 'person', 'people')
  const canRetry = write && failed > 0 && status !== 'running' && (run.channel === 'crm' || run.destination !== null)
  return (
    <Paper withBorder p="md" component="section" aria-label={`${what} to ${where}`}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Title order={2} style={{ overflowWrap: 'anywhere' }}>
              {what} to {where}
            </Title>
            <State run={run} />
          </Group>
          <Text size="xs" c="dimmed">
            Started <RelativeTime at={run.created_at} />
            {run.finished_at && (
              <>
                , finished <RelativeTime at={run.finished_at} />
              </>
            )}
          </Text>
        </div>
        <Group gap="xs">
          {(failed > 0 || skipped > 0) && (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => change({ run: isOpen ? undefined : run.id })}
              aria-expanded={isOpen}
            >
              {isOpen ? 'Hide' : 'View'} {failed > 0 ? 'errors' : 'skipped records'}
            </Button>
          )}
          {canRetry && <Retry run={run} />}
        </Group>
      </Group>
      <Progress.Root size={8} mt="sm" aria-hidden>
        <Progress.Section value={share(sent, total)} color="bell" />
        <Progress.Section value={share(failed, total)} color="red" />
        <Progress.Section value={share(skipped, total)} color="gray.5" />
      </Progress.Root>
      <Text size="sm" mt={6} role={status === 'running' ? 'status' : undefined}>
        {formatNumber(sent)} delivered
        {failed > 0 && (
          <Text span c="var(--mantine-color-error)" inherit>
            , {formatNumber(failed)} failed
          </Text>
        )}
        {skipped > 0 && `, ${formatNumber(skipped)} skipped`}
        {status === 'running' && `, ${formatNumber(total - sent - failed - skipped)}  remaining`}
      </Text>
      {isOpen && <PushErrors run={run} />}
    </Paper>
  )
}

const share = (part: number, total: number) => (total === 0 ? 0 : (part / total) * 100)

function State({ run: { status, failed } }: { run: PushRun }) {
  if (status === 'running') return <StateBadge color="blue">Running</StateBadge>
  if (status === 'failed') return <StateBadge color="red">Failed</StateBadge>
  return failed === 0 ? <StateBadge>Done</StateBadge> : <StateBadge color="orange">Partly failed</StateBadge>
}

function Retry({ run: { id, failed } }: { run: PushRun }) {
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.POST('/v1/push-runs/{id}/retry', { params: { path: { id } } }),
    onError: (error) => toastError('Retry failed', error),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['get', '/v1/push-runs'] })
      toastSuccess(`Retrying ${pluralize(failed, 'record')}`)
    },
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCcw size={14} aria-hidden />}
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      Retry
      <VisuallyHidden> failed records</VisuallyHidden>
    </Button>
  )
}

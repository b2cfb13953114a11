import { Button, Group, Select, Stack, Switch, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, RotateCcw, Send, Webhook } from 'lucide-react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { Paginator } from '../../components/Paginator.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { DeliveryStatus, formatDuration } from './DeliveryStatus.tsx'
import { RecordLink } from './RecordLink.tsx'
import { useDeliveriesSearch } from './use-deliveries-search.ts'

const PER_PAGE = 50

/** The delivery attempts of the last 30 days by destination. */
export default function DeliveryLog() {
  const { search, show } = useDeliveriesSearch()
  const destinations = queries.useQuery('get', '/v1/webhook-destinations')
  if (destinations.isPending) return <Loading />
  if (destinations.isError) return <ErrorMessage error={destinations.error} retry={destinations.refetch} />
  const all = destinations.data.data
  const current = search.destination ? all.find(({ id }) => id === search.destination) : all[0]
  if (!current) {
    return (
      <EmptyState
        icon={Webhook}
        title={all.length === 0 ? 'No destinations yet' : 'Destination not found'}
        action={
          <Button variant="default" onClick={() => show('destinations')}>
            View destinations
          </Button>
        }
      >
        {all.length === 0
          ? 'Deliveries to your destinations are listed here.'
          : 'It was removed together with its log.'}
      </EmptyState>
    )
  }
  return <DestinationLog destination={current} all={all} />
}

type Destination = Schemas['WebhookDestination']

function DestinationLog({ destination, all }: { destination: Destination; all: Destination[] }) {
  const { search, change, show } = useDeliveriesSearch()
  const { write } = useRights()
  const queryClient = useQueryClient()
  const { failed, page = 1 } = search
  const path = { id: destination.id }
  const query = { ...(failed ? { failed } : {}), page, per_page: PER_PAGE }
  const log = queries.useQuery(
    'get',
    '/v1/webhook-destinations/{id}/deliveries',
    { params: { path, query } },
    { placeholderData: (before) => before },
  )
  const replay = useMutation({
    mutationFn: () => api.POST('/v1/webhook-destinations/{id}/replay-failed', { params: { path } }),
    onError: (error) => toastError('Retry failed', error),
    onSuccess: async ({ data }) => {
      const runs = data?.data ?? []
      const total = runs.reduce((sum, run) => sum + run.total, 0)
      await queryClient.invalidateQueries({ queryKey: ['get', '/v1/push-runs'] })
      if (total === 0) return toastSuccess('No failed deliveries left to retry')
      toastSuccess(`Retrying ${pluralize(total, 'record')}`)
      show('pushes')
    },
  })
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Group align="flex-end" gap="md">
          <Select
            label="Destination"
            size="sm"
            w={220}
            allowDeselect={false}
            data={all.map(({ id, name }) => ({ value: id, label: name }))}
            value={destination.id}
            onChange={(id) => change({ destination: id ?? undefined, page: undefined, delivery: undefined })}
          />
          <Switch
            label="Failed only"
            checked={failed === true}
            onChange={(event) => change({ failed: event.currentTarget.checked || undefined, page: undefined })}
            pb={8}
          />
        </Group>
        {write && (
          <Button
            variant="default"
            leftSection={<RotateCcw size={15} aria-hidden />}
            loading={replay.isPending}
            onClick={() => replay.mutate()}
          >
            Retry all failed
          </Button>
        )}
      </Group>
      {log.isPending ? (
        <Loading />
      ) : log.isError ? (
        <ErrorMessage error={log.error} retry={log.refetch} />
      ) : log.data.data.length === 0 ? (
        <EmptyState
          icon={failed ? CircleCheck : Send}
          title={failed ? 'No failed deliveries' : 'No deliveries yet'}
          action={
            failed && (
              <Button variant="default" onClick={() => change({ failed: undefined })}>
                View all attempts
              </Button>
            )
          }
        >
          {failed
            ? `All attempts to ${destination.name} in the last 30 days were delivered.`
            : `Push accounts or people to ${destination.name}, or send a test.`}
        </EmptyState>
      ) : (
        <>
          <Attempts deliveries={log.data.data} onOpen={(delivery) => change({ delivery })} />
          <Paginator pagination={log.data.pagination} onChange={(page) => change({ page })} items="attempts" />
        </>
      )}
      {search.delivery && (
        <DeliveryDrawer
          destination={destination}
          id={search.delivery}
          onClose={() => change({ delivery: undefined })}
          onReplayed={() => log.refetch()}
        />
      )}
    </Stack>
  )
}

type AttemptsProps = { deliveries: Schemas['Delivery'][]; onOpen: (id: string) => void }

function Attempts({ deliveries, onOpen }: AttemptsProps) {
  return (
    <Table verticalSpacing="xs" highlightOnHover layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Record</Table.Th>
          <Table.Th w={140}>Status</Table.Th>
          <Table.Th visibleFrom="sm" w={90}>
            Attempt
          </Table.Th>
          <Table.Th visibleFrom="sm" w={90}>
            Duration
          </Table.Th>
          <Table.Th visibleFrom="sm" w={130}>
            Date
          </Table.Th>
          <Table.Th w={84}>
            <VisuallyHidden>Details</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => (
          <Table.Tr key={delivery.id}>
            <Table.Td>
              <RecordLink delivery={delivery} />
              {delivery.status === null && delivery.message && (
                <Text size="xs" c="dimmed" lineClamp={2} visibleFrom="sm">
                  {delivery.message}
                </Text>
              )}
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                <RelativeTime at={delivery.created_at} />
              </Text>
            </Table.Td>
            <Table.Td>
              <DeliveryStatus delivery={delivery} />
            </Table.Td>
            <Table.Td visibleFrom="sm">{delivery.attempt}</Table.Td>
            <Table.Td visibleFrom="sm">{formatDuration(delivery.latency_ms)}</Table.Td>
            <Table.Td visibleFrom="sm">
              <RelativeTime at={delivery.created_at} />
            </Table.Td>
            <Table.Td>
              <Button
                size="compact-sm"
                variant="subtle"
                onClick={() => onOpen(delivery.id)}
                aria-label={`Details of ${delivery.record?.name ?? 'test'}, attempt ${delivery.attempt}`}
              >
                Details
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

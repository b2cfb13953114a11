import { Alert, Button, Code, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Info, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { DeliveryStatus, formatDuration } from './DeliveryStatus.tsx'
import { RecordLink } from './RecordLink.tsx'

type Detail = Schemas['DeliveryDetail']
type Props = { destination: Schemas['WebhookDestination']; id: string; onClose: () => void; onReplayed: () => void }

/** A delivery attempt: request, response and duration. */
export function DeliveryDrawer({ destination, id, onClose, onReplayed }: Props) {
  const path = { id: destination.id, delivery_id: id }
  const delivery = queries.useQuery('get', '/v1/webhook-destinations/{id}/deliveries/{delivery_id}', {
    params: { path },
  })
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={`Delivery to ${destination.name}`}>
      {delivery.isPending ? (
        <Loading />
      ) : delivery.isError ? (
        <ErrorMessage error={delivery.error} retry={delivery.refetch} />
      ) : (
        <DeliveryDetail delivery={delivery.data.data} path={path} onReplayed={onReplayed} />
      )}
    </Drawer>
  )
}

type DeliveryDetailProps = { delivery: Detail; path: { id: string; delivery_id: string }; onReplayed: () => void }

function DeliveryDetail({ delivery, path, onReplayed }: DeliveryDetailProps) {
  const { request, answer, message, status, latency_ms, attempt, created_at, record } = delivery
  const { write, admin } = useRights()
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4}>
          <Group gap="xs">
            <RecordLink delivery={delivery} />
            <DeliveryStatus delivery={delivery} />
          </Group>
          <Text size="sm" c="dimmed">
            Attempt {attempt} · <RelativeTime at={created_at} /> · {formatDuration(latency_ms)}
          </Text>
        </Stack>
        {write && record && <Replay name={record.name} path={path} onReplayed={onReplayed} />}
      </Group>

      <Part title="Response">
        <Text size="sm">
          {status === null ? (message ?? 'No response.') : `Status ${status} in ${formatDuration(latency_ms)}`}
        </Text>
        {answer ? (
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {answer}
          </Code>
        ) : (
          <Text size="sm" c="dimmed">
            {status === null
              ? ''
              : admin
                ? 'Empty response body.'
                : 'Only admins can view the response body, because it may contain the URL.'}
          </Text>
        )}
      </Part>

      <Part title="Request">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Code>{request.method}</Code> {request.url}
        </Text>
        <BodyNote is={request.body_is} />
        {request.body && <Body body={request.body} />}
        <Title order={4} fz="sm">
          Headers
        </Title>
        <Fields rows={request.headers.map(({ name, value }) => [name, value])} label="Request headers" />
      </Part>
    </Stack>
  )
}

type ReplayProps = { name: string; path: { id: string; delivery_id: string }; onReplayed: () => void }

function Replay({ name, path, onReplayed }: ReplayProps) {
  const queryClient = useQueryClient()
  const replay = useMutation({
    mutationFn: () => api.POST('/v1/webhook-destinations/{id}/deliveries/{delivery_id}/replay', { params: { path } }),
    onError: (error) => toastError('Retry failed', error),
    onSuccess: async ({ data }) => {
      const run = data?.data
      onReplayed()
      await queryClient.invalidateQueries({ queryKey: ['get', '/v1/push-runs'] })
      if (run?.sent === 1) toastSuccess(`${name} delivered`)
      else if (run?.status === 'running') toastSuccess(`${name} is being retried. See Pushes.`)
      else toastError(`${name} not delivered`, new Error(run?.error_sample[0]?.message ?? 'The record was deleted.'))
    },
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RotateCcw size={14} aria-hidden />}
      loading={replay.isPending}
      onClick={() => replay.mutate()}
    >
      Retry
    </Button>
  )
}

const NOTES: Record<Detail['request']['body_is'], string | null> = {
  as_sent: null,
  changed_since: 'The record has changed since this delivery. This is the current data; a retry sends it.',
  gone: 'The record was deleted. The sent data is not stored.',
  unknown: 'This is the current data. It may differ from what was sent.',
}

function BodyNote({ is }: { is: Detail['request']['body_is'] }) {
  const note = NOTES[is]
  if (!note) return null
  return (
    <Alert variant="light" color="gray" icon={<Info size={16} aria-hidden />} p="xs">
      {note}
    </Alert>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="xs" component="section">
      <Title order={3}>{title}</Title>
      {children}
    </Stack>
  )
}

function Fields({ rows, label }: { rows: [string, string][]; label: string }) {
  return (
    <Table withTableBorder verticalSpacing={4} fz="xs" layout="fixed" aria-label={label}>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w="38%" fw={450} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** The fields of the JSON body, and the names of its empty fields. */
function Body({ body }: { body: string }) {
  const fields = Object.entries(JSON.parse(body) as Record<string, string | number | boolean | null>)
  const empty = fields.filter(([, value]) => value === null || value === '').map(([name]) => name)
  const filled = fields.filter(([name]) => !empty.includes(name))
  return (
    <>
      <Fields rows={filled.map(([name, value]) => [name, String(value)])} label="Request fields" />
      {empty.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Empty: {empty.join(', ')}
        </Text>
      )}
    </>
  )
}

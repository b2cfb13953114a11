import { Anchor, Button, Group, Select, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellRing } from 'lucide-react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { PageButton } from '../../components/links.tsx'
import { Paginator } from '../../components/Paginator.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { ALERT_EVENTS, alertChannels } from '../../lib/alerts.ts'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { useDeliveriesSearch } from './use-deliveries-search.ts'

type Alert = Schemas['Alert']

const PER_PAGE = 50
const POLL_MS = 5_000

/** The alerts that were sent, with channel and status. */
export default function Alerts() {
  const { search, change } = useDeliveriesSearch()
  const { labelOf } = useProviders()
  const channels = alertChannels(labelOf('chat'))
  const { state, channel, type, page = 1 } = search
  const filters = { ...(state ? { state } : {}), ...(channel ? { channel } : {}), ...(type ? { type } : {}) }
  const isFiltered = Object.keys(filters).length > 0
  const alerts = queries.useQuery(
    'get',
    '/v1/alerts',
    { params: { query: { ...filters, page, per_page: PER_PAGE } } },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state === 'pending') ? POLL_MS : false),
    },
  )
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Filter
          label="Type"
          value={type}
          options={{ ...ALERT_EVENTS, digest: 'Digests' }}
          onChange={(type) => change({ type, page: undefined })}
        />
        <Filter
          label="Channel"
          value={channel}
          options={channels}
          onChange={(channel) => change({ channel, page: undefined })}
        />
        <Filter
          label="Status"
          value={state}
          options={{ sent: 'Sent', pending: 'Pending', failed: 'Failed', dropped: 'Not sent' }}
          onChange={(state) => change({ state, page: undefined })}
        />
      </Group>
      {alerts.isPending ? (
        <Loading />
      ) : alerts.isError ? (
        <ErrorMessage error={alerts.error} retry={alerts.refetch} />
      ) : alerts.data.data.length === 0 ? (
        <EmptyState
          icon={BellRing}
          title={isFiltered ? 'No alerts found' : 'No alerts yet'}
          action={
            isFiltered ? (
              <Button
                variant="default"
                onClick={() => change({ state: undefined, channel: undefined, type: undefined, page: undefined })}
              >
                Clear filters
              </Button>
            ) : (
              <PageButton variant="default" to="/settings/{-$tab}" params={{ tab: 'alerts' }}>
                Alert settings
              </PageButton>
            )
          }
        >
          {isFiltered
            ? 'Alerts are kept for 90 days.'
            : 'When there is a new signal at an active account, an alert is sent to your channels.'}
        </EmptyState>
      ) : (
        <>
          <List alerts={alerts.data.data} channels={channels} />
          <Paginator pagination={alerts.data.pagination} onChange={(page) => change({ page })} items="alerts" />
        </>
      )}
    </Stack>
  )
}

type FilterProps<T extends string> = {
  label: string
  value: T | undefined
  options: Record<T, string>
  onChange: (value: T | undefined) => void
}

function Filter<T extends string>({ label, value, options, onChange }: FilterProps<T>) {
  const data = Object.entries<string>(options).map(([value, label]) => ({ value, label }))
  return (
    <Select
      label={label}
      size="sm"
      flex="1 1 140px"
      maw={200}
      data={[{ value: '', label: 'All' }, ...data]}
      value={value ?? ''}
      allowDeselect={false}
      onChange={(value) => onChange((value || undefined) as T | undefined)}
    />
  )
}

function List({ alerts, channels }: { alerts: Alert[]; channels: Record<Alert['channel'], string> }) {
  const { write } = useRights()
  return (
    <Table verticalSpacing="xs" highlightOnHover layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Alert</Table.Th>
          <Table.Th visibleFrom="sm" w={260}>
            Sent to
          </Table.Th>
          <Table.Th w={110}>Status</Table.Th>
          <Table.Th visibleFrom="sm" w={120}>
            Date
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {alerts.map((alert) => (
          <Table.Tr key={`${alert.id} ${alert.channel}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <About alert={alert} />
              {alert.error && (
                <Text size="xs" c={alert.state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
                  {alert.error}
                </Text>
              )}
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {[channels[alert.channel], alert.target, ruleOf(alert)].filter(Boolean).join(' · ')} ·{' '}
                <RelativeTime at={alert.sent_at ?? alert.created_at} />
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm">{channels[alert.channel]}</Text>
              <Text size="xs" c="dimmed" truncate title={alert.target ?? ''}>
                {alert.target}
              </Text>
              <Text size="xs" c="dimmed" truncate title={ruleOf(alert)}>
                {ruleOf(alert)}
              </Text>
            </Table.Td>
            <Table.Td>
              <State alert={alert} />
              {write && alert.state === 'failed' && <SendAgain alert={alert} />}
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <RelativeTime at={alert.sent_at ?? alert.created_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const ruleOf = ({ rule }: Alert) => (rule ? `Rule: ${rule.name}` : 'Workspace default')

function SendAgain({ alert: { id, account, rule } }: { alert: Alert }) {
  const queryClient = useQueryClient()
  const replay = useMutation({
    mutationFn: () => api.POST('/v1/alerts/{id}/replay', { params: { path: { id } } }),
    onError: (error) => toastError('Alert not sent', error),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['get', '/v1/alerts'] })
      toastSuccess('Sending the alert again')
    },
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      mt={6}
      loading={replay.isPending}
      onClick={() => replay.mutate()}
      aria-label={`Send again: ${account?.name ?? rule?.name ?? 'suggested accounts'}`}
    >
      Send again
    </Button>
  )
}

function About({ alert: { type, rule, account, accounts, headlines, total } }: { alert: Alert }) {
  if (type === 'account.suggested') {
    const more = total - accounts.length
    return (
      <>
        <Text size="sm" fw={550}>
          {pluralize(total, 'suggested account')}
        </Text>
        <Text size="sm" component="div">
          {accounts.map(({ id, name }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Anchor component={Link} to={`/accounts/${id}`} size="sm">
                {name}
              </Anchor>
            </span>
          ))}
          {more > 0 && ` and ${formatNumber(more)} more`}
        </Text>
      </>
    )
  }
  const more = total - headlines.length
  return (
    <>
      {account && (
        <Anchor component={Link} to={`/accounts/${account.id}`} size="sm" fw={550}>
          {account.name}
        </Anchor>
      )}
      {type === 'digest' && (
        <Text size="sm" fw={550}>
          {rule?.name}
        </Text>
      )}
      <Text size="sm">
        {headlines.length > 0 ? headlines.join(' · ') : 'These findings were deleted.'}
        {more > 0 && ` and ${formatNumber(more)} more`}
      </Text>
    </>
  )
}

const STATES: Record<Alert['state'], { label: string; color: string }> = {
  sent: { label: 'Sent', color: 'bell' },
  pending: { label: 'Pending', color: 'blue' },
  failed: { label: 'Failed', color: 'red' },
  dropped: { label: 'Not sent', color: 'gray' },
}

function State({ alert: { state, attempts } }: { alert: Alert }) {
  const { label, color } = STATES[state]
  return (
    <>
      <StateBadge color={color}>{label}</StateBadge>
      {attempts > 1 && (
        <Text size="xs" c="dimmed">
          {attempts} attempts
        </Text>
      )}
    </>
  )
}

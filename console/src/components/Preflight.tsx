import { Alert, Button, Collapse, Group, Loader, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleX, RefreshCw, WifiOff } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { ErrorMessage } from './states.tsx'
import { Toggle } from './Toggle.tsx'
import { RelativeTime } from './time.tsx'
import { toastError } from './toast.tsx'

type Result = Schemas['Preflight']

const preflightQuery = queries.queryOptions('get', '/v1/setup/preflight', {}, { staleTime: 5 * 60_000, retry: false })

const ICONS = {
  works: { Icon: CircleCheck, color: 'var(--mantine-color-bell-text)', label: 'Works' },
  failing: { Icon: CircleX, color: 'var(--mantine-color-red-text)', label: 'Fails' },
  off: { Icon: CircleDashed, color: 'var(--mantine-color-dimmed)', label: 'Off' },
} as const

/** The message that the server has no internet access, and what to do. Only for admins. */
export function OfflineAlert() {
  const { admin } = useRights()
  const { data } = useQuery({ ...preflightQuery, enabled: admin })
  if (!data?.data.is_offline) return null
  return (
    <Alert color="red" variant="light" icon={<WifiOff size={18} aria-hidden />} role="alert">
      {data.data.checks.find(({ id }) => id === 'internet')?.message}
    </Alert>
  )
}

/** What the server can reach: one line with details. Only for admins. */
export function Preflight() {
  const { admin } = useRights()
  return admin ? <Checks /> : null
}

function Checks() {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [isChecking, setChecking] = useState(false)
  const { data, error, isPending, refetch } = useQuery(preflightQuery)
  async function checkAgain() {
    setChecking(true)
    try {
      const { data } = await api.GET('/v1/setup/preflight', { params: { query: { again: true } } })
      client.setQueryData(preflightQuery.queryKey, data)
    } catch (error) {
      toastError('Not checked', error)
    }
    setChecking(false)
  }
  if (isPending) {
    return (
      <Group gap="xs" role="status">
        <Loader size={14} aria-hidden />
        <Text size="sm" c="dimmed">
          Checking what this server can reach…
        </Text>
      </Group>
    )
  }
  if (error) return <ErrorMessage error={error} title="Connections not checked" retry={refetch} />
  const result = data.data
  return (
    <Stack gap="xs" component="section" aria-label="Server connections">
      <Group gap="xs" justify="space-between">
        <Text size="sm" c="dimmed">
          {summaryOf(result)}{' '}
          <Toggle isOpen={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide details' : 'Details'}
          </Toggle>
        </Text>
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            Checked <RelativeTime at={result.checked_at} />
          </Text>
          <Button
            variant="subtle"
            size="compact-xs"
            loading={isChecking}
            leftSection={<RefreshCw size={12} aria-hidden />}
            onClick={checkAgain}
          >
            Check again
          </Button>
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }} aria-label="Checks">
          {result.checks.map(({ id, label, state, message }) => {
            const { Icon, color, label: stateLabel } = ICONS[state]
            return (
              <Group key={id} component="li" gap={8} wrap="nowrap" align="flex-start">
                <Icon size={15} color={color} aria-label={stateLabel} style={{ flexShrink: 0, marginTop: 3 }} />
                <Text size="sm">
                  <Text span size="sm" fw={550}>
                    {label}
                  </Text>{' '}
                  <Text span size="sm" c={state === 'failing' ? undefined : 'dimmed'}>
                    {message}
                  </Text>
                </Text>
              </Group>
            )
          })}
        </Stack>
      </Collapse>
    </Stack>
  )
}

const list = new Intl.ListFormat('en-GB')

function summaryOf({ is_offline, checks }: Result): string {
  const failing = checks.filter(({ state }) => state === 'failing').map(({ label }) => label)
  if (is_offline) return 'Nothing outside this server can be reached.'
  if (failing.length > 0) return `Needs attention: ${list.format(failing)}.`
  return 'All connections of this server work.'
}

import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useMe, useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { SettingsSection } from './Section.tsx'
import { TokenForm } from './TokenForm.tsx'

type Provider = Schemas['ConnectionProvider']
type State = { connected_at: string | null; problem: string | null; account: string | null }

const ABOUT: Record<Provider['kind'], string> = {
  crm: 'Accounts become companies and people become contacts there, with their signals. Nothing your team has filled in is overwritten.',
  chat: 'Alerts are posted to the channel under Notifications.',
}

/** The CRMs and the chat: what is connected, what is wrong with it and how to mend it. */
export default function Connections() {
  const { member } = useMe()
  const { providers, isPending, isError, error, refetch } = useProviders()
  const integrations = queries.useQuery('get', '/v1/integrations')
  const connections = queries.useQuery('get', '/v1/connections', {}, { enabled: member.role === 'admin' })
  if (isPending || integrations.isPending) return <Loading />
  if (isError) return <ErrorMessage error={error} retry={refetch} />
  if (integrations.isError) return <ErrorMessage error={integrations.error} retry={integrations.refetch} />
  const { crms, chat, mcp } = integrations.data.data
  const stateOf = ({ provider }: Provider): State | null => {
    const account = connections.data?.data.find((one) => one.provider === provider)
    const found =
      provider === 'chat' ? chat.connected && { problem: chat.problem } : crms.find((one) => one.provider === provider)
    if (!found) return null
    return { problem: found.problem, account: account?.account ?? null, connected_at: account?.connected_at ?? null }
  }
  return (
    <SettingsSection title="Connections" lead={member.role === 'admin' ? null : 'Admins connect the CRM and the chat.'}>
      {providers.map((provider) => (
        <Card key={provider.provider} provider={provider} state={stateOf(provider)} />
      ))}
      <Agents mcp={mcp} />
    </SettingsSection>
  )
}

function Card({ provider, state }: { provider: Provider; state: State | null }) {
  const { label, kind, consent } = provider
  const { admin } = useRights()
  const [isOpen, setOpen] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all(
      (['/v1/integrations', '/v1/connections', '/v1/attention'] as const).map((path) =>
        queryClient.invalidateQueries({ queryKey: ['get', path] }),
      ),
    )
  const authorize = useMutation({
    mutationFn: () =>
      api.POST('/v1/connections/authorize', { body: { provider: provider.provider as 'crm_one' | 'crm_two' } }),
    onError: (error) => toastError(`${label} could not be asked`, error),
    onSuccess: ({ data }) => {
      if (data) window.location.assign(data.data.authorization_url)
    },
  })
  const wording = state ? (state.problem ? 'Connect again' : 'Replace the token') : `Connect ${label}`
  return (
    <Paper withBorder p="md" component="section" aria-label={label}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Group gap="xs">
              <Title order={3}>{label}</Title>
              <ConnectionStatus state={state} />
            </Group>
            <Text size="sm" c="dimmed" maw={560}>
              {state ? <ConnectionSummary state={state} /> : ABOUT[kind]}
            </Text>
          </div>
          {admin && (
            <Group gap="xs">
              {consent && (!state || state.problem) && (
                <Button size="xs" loading={authorize.isPending} onClick={() => authorize.mutate()}>
                  {wording}
                </Button>
              )}
              <Button
                size="xs"
                variant={consent || (state && !state.problem) ? 'default' : 'filled'}
                onClick={() => setOpen(!isOpen)}
                aria-expanded={isOpen}
              >
                {consent && (!state || state.problem) ? 'Use a token' : wording}
              </Button>
              {state && (
                <Button size="xs" variant="subtle" color="red" onClick={() => setLeaving(true)}>
                  Disconnect
                </Button>
              )}
            </Group>
          )}
        </Group>
        {state?.problem && (
          <Alert
            color="red"
            variant="light"
            icon={<CircleAlert size={18} aria-hidden />}
            title={`${label} does not work at the moment`}
          >
            {state.problem}{' '}
            {admin
              ? `If that does not pass by itself, connect again${consent ? ', with your consent or' : ''} with a new token.`
              : 'Ask an admin to connect it again.'}
          </Alert>
        )}
        {admin && isOpen && (
          <TokenForm
            provider={provider}
            onConnected={async () => {
              await refresh()
              setOpen(false)
              toastSuccess(`${label} is connected.`)
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </Stack>
      {isLeaving && (
        <ConfirmDialog
          title={`Disconnect ${label}?`}
          action="Disconnect"
          onClose={() => setLeaving(false)}
          onConfirm={async () => {
            await api.DELETE('/v1/connections/{provider}', { params: { path: { provider: provider.provider } } })
            await refresh()
            toastSuccess(`${label} was disconnected.`)
          }}
        >
          {kind === 'crm'
            ? `Pushes that are under way to ${label} end. What is there stays there. The token is forgotten: to connect again you need it or a new consent.`
            : `Alerts no longer arrive in ${label}. The token is forgotten: to connect again you need it.`}
        </ConfirmDialog>
      )}
    </Paper>
  )
}

/** Where an assistant calls; whoever runs the service switches it on and off. */
function Agents({ mcp: { url, last_used_at } }: { mcp: Schemas['Integrations']['mcp'] }) {
  const { admin } = useRights()
  return (
    <Paper withBorder p="md" component="section" aria-label="Agents">
      <Stack gap="sm">
        <div>
          <Group gap="xs">
            <Title order={3}>Agents</Title>
            <StateBadge color={url ? 'bell' : 'gray'}>{url ? 'On' : 'Off'}</StateBadge>
          </Group>
          <Text size="sm" c="dimmed" maw={560}>
            {url ? (
              <>
                An assistant that speaks the Model Context Protocol (MCP) works here with an API key, sent as a bearer
                token, and may do what the key may.{' '}
                {admin ? (
                  <>
                    Make a key of its own for each under{' '}
                    <Anchor component={Link} to="/settings/keys" inherit underline="always">
                      API keys
                    </Anchor>
                    .
                  </>
                ) : (
                  'An admin makes one for you.'
                )}{' '}
                Last used: <RelativeTime at={last_used_at} />
              </>
            ) : (
              'Assistants are not served. Whoever runs the service switches it on with MCP_ENABLED.'
            )}
          </Text>
        </div>
        {url && <CopyField label="Address for agents" value={url} />}
      </Stack>
    </Paper>
  )
}

function ConnectionStatus({ state }: { state: State | null }) {
  if (!state) return <StateBadge color="gray">Not connected</StateBadge>
  if (state.problem) return <StateBadge color="red">Needs mending</StateBadge>
  return <StateBadge>Connected</StateBadge>
}

function ConnectionSummary({ state: { account, connected_at } }: { state: State }) {
  if (!connected_at) return 'It is connected.'
  return (
    <>
      {account && `Account ${account}, connected `}
      {!account && 'Connected '}
      <RelativeTime at={connected_at} />
    </>
  )
}

import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useMe, useRights } from '../../api/me.ts'
import { useAuthorize, useProviders } from '../../api/providers.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { DisconnectDialog } from './DisconnectDialog.tsx'
import { SettingsSection } from './Section.tsx'
import { TokenForm } from './TokenForm.tsx'

type Provider = Schemas['ConnectionProvider']
type State = {
  connected_at: string | null
  problem: string | null
  account: string | null
  /** Where the chat sends clicks on buttons. */
  interactions_url: string | null
}

const ABOUT: Record<Provider['kind'], string> = {
  crm: 'Read companies, contacts and deals, and push accounts and people with their signals. Existing values are not overwritten.',
  chat: 'Post alerts to channels and as direct messages. Choose them in Alerts.',
}

/** The CRM, chat and MCP connections with status and setup. */
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
    return {
      problem: found.problem,
      account: account?.account ?? null,
      connected_at: account?.connected_at ?? null,
      interactions_url: provider === 'chat' ? chat.interactions_url : null,
    }
  }
  return (
    <SettingsSection title="Connections" lead={member.role === 'admin' ? null : 'Only admins can manage connections.'}>
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
  const [isDisconnecting, setDisconnecting] = useState(false)
  const queryClient = useQueryClient()
  const refresh = () =>
    Promise.all(
      (['/v1/integrations', '/v1/connections', '/v1/crm/sync', '/v1/attention'] as const).map((path) =>
        queryClient.invalidateQueries({ queryKey: ['get', path] }),
      ),
    )
  const authorize = useAuthorize()
  const action = state ? (state.problem ? 'Reconnect' : 'Replace token') : `Connect ${label}`
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
              {state && kind === 'crm' && (
                <>
                  {state.connected_at && '. '}
                  <Anchor component={Link} to="/settings/crm" inherit underline="always">
                    Sync settings
                  </Anchor>
                </>
              )}
            </Text>
          </div>
          {admin && (
            <Group gap="xs">
              {consent && (!state || state.problem) && (
                <Button size="xs" loading={authorize.isPending} onClick={() => authorize.mutate(provider)}>
                  {action}
                </Button>
              )}
              <Button
                size="xs"
                variant={consent || (state && !state.problem) ? 'default' : 'filled'}
                onClick={() => setOpen(!isOpen)}
                aria-expanded={isOpen}
              >
                {consent && (!state || state.problem) ? 'Use token' : action}
              </Button>
              {state && kind === 'crm' && (
                <Button component={Link} to={`/settings/crm-fields/${provider.provider}`} size="xs" variant="default">
                  Fields
                </Button>
              )}
              {state && (
                <Button size="xs" variant="subtle" color="red" onClick={() => setDisconnecting(true)}>
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
            title={`${label} connection error`}
          >
            {state.problem} {!admin && 'Ask an admin to reconnect.'}
          </Alert>
        )}
        {admin && state?.interactions_url && (
          <CopyField
            label="Request URL"
            description={`Paste it in your ${label} app under Interactivity & Shortcuts, to enable the buttons in alerts.`}
            value={state.interactions_url}
          />
        )}
        {admin && isOpen && (
          <TokenForm
            provider={provider}
            onConnected={async () => {
              await refresh()
              setOpen(false)
              toastSuccess(`${label} connected`)
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </Stack>
      {isDisconnecting && provider.provider !== 'chat' && (
        <DisconnectDialog
          provider={provider.provider}
          label={label}
          isConnected
          onClose={() => setDisconnecting(false)}
          onDone={refresh}
        />
      )}
      {isDisconnecting && provider.provider === 'chat' && (
        <ConfirmDialog
          title={`Disconnect ${label}?`}
          action="Disconnect"
          onClose={() => setDisconnecting(false)}
          onConfirm={async () => {
            await api.DELETE('/v1/connections/{provider}', { params: { path: { provider: provider.provider } } })
            await refresh()
            toastSuccess(`${label} disconnected`)
          }}
        >
          Alerts are no longer sent to {label} and the token is deleted.
        </ConfirmDialog>
      )}
    </Paper>
  )
}

/** The MCP endpoint for AI assistants. The operator turns it on and off. */
function Agents({ mcp: { url, last_used_at } }: { mcp: Schemas['Integrations']['mcp'] }) {
  const { admin } = useRights()
  return (
    <Paper withBorder p="md" component="section" aria-label="AI assistants (MCP)">
      <Stack gap="sm">
        <div>
          <Group gap="xs">
            <Title order={3}>AI assistants (MCP)</Title>
            <StateBadge color={url ? 'bell' : 'gray'}>{url ? 'On' : 'Off'}</StateBadge>
          </Group>
          <Text size="sm" c="dimmed" maw={560}>
            {url ? (
              <>
                Connect AI assistants over the Model Context Protocol with an API key as bearer token.{' '}
                {admin ? (
                  <>
                    Create a separate key for each in{' '}
                    <Anchor component={Link} to="/settings/keys" inherit underline="always">
                      API keys
                    </Anchor>
                    .
                  </>
                ) : (
                  'Ask an admin for a key.'
                )}{' '}
                Last used: <RelativeTime at={last_used_at} />
              </>
            ) : (
              'MCP is turned off. The operator can turn it on with MCP_ENABLED.'
            )}
          </Text>
        </div>
        {url && <CopyField label="MCP URL" value={url} />}
      </Stack>
    </Paper>
  )
}

function ConnectionStatus({ state }: { state: State | null }) {
  if (!state) return <StateBadge color="gray">Not connected</StateBadge>
  if (state.problem) return <StateBadge color="red">Error</StateBadge>
  return <StateBadge>Connected</StateBadge>
}

function ConnectionSummary({ state: { account, connected_at } }: { state: State }) {
  if (!connected_at) return null
  return (
    <>
      {account && `Account ${account}, connected `}
      {!account && 'Connected '}
      <RelativeTime at={connected_at} />
    </>
  )
}

import { Alert, Button, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useMe, useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { FieldForm } from '../../components/FieldForm.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { TestResult } from '../../components/TestResult.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { ChannelHint } from './ChannelHint.tsx'
import { SettingsSection } from './Section.tsx'

type Settings = Schemas['NotificationSettings']
type Change = Schemas['UpdateNotificationSettings']

const settingsQuery = queries.queryOptions('get', '/v1/settings/notifications')
const integrationsQuery = queries.queryOptions('get', '/v1/integrations')

/** The default rule of the workspace and its channels. */
export default function Notifications() {
  const settings = queries.useQuery('get', '/v1/settings/notifications')
  const integrations = queries.useQuery('get', '/v1/integrations')
  if (settings.isPending || integrations.isPending) return <Loading />
  if (settings.isError) return <ErrorMessage error={settings.error} retry={settings.refetch} />
  if (integrations.isError) return <ErrorMessage error={integrations.error} retry={integrations.refetch} />
  return <Form settings={settings.data.data} integrations={integrations.data.data} />
}

/** Saves a part of the settings; the caller shows `error` at the field. */
function useSave(name: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Change) => api.PUT('/v1/settings/notifications', { body }),
    onSuccess: async ({ data }) => {
      if (data) queryClient.setQueryData(settingsQuery.queryKey, data)
      await queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey })
      toastSuccess(`${name} saved`)
    },
  })
}

function Form({ settings, integrations }: { settings: Settings; integrations: Schemas['Integrations'] }) {
  const { admin } = useRights()
  const { member } = useMe()
  const { labelOf } = useProviders()
  const save = useSave('Alerts')
  const toggle = (change: Change) => save.mutate(change, { onError: (error) => toastError('Setting not saved', error) })
  const chat = labelOf('chat')
  return (
    <Stack gap="xl">
      <SettingsSection
        title="Workspace default"
        lead={`Alerts for the whole team, sent to the channels below in addition to each member’s rules. ${
          admin
            ? ''
            : member.role === 'admin'
              ? 'Read-only access. Sign in with a key that has write access to make changes.'
              : 'Only admins can change it.'
        }`}
      >
        <Stack gap="sm">
          <Switch
            label="New signals at active accounts"
            description="Sent within seconds, grouped by account."
            checked={settings.notify_realtime}
            disabled={!admin}
            onChange={(event) => toggle({ notify_realtime: event.currentTarget.checked })}
          />
          <Switch
            label="New suggested accounts"
            description="Sent when a discovery run ends, and every 10 minutes while it runs."
            checked={settings.notify_suggested}
            disabled={!admin}
            onChange={(event) => toggle({ notify_suggested: event.currentTarget.checked })}
          />
          <Switch
            label="Job changes"
            description="Sent when a person at an active account or on a list joins, leaves or changes role."
            checked={settings.notify_job_changes}
            disabled={!admin}
            onChange={(event) => toggle({ notify_job_changes: event.currentTarget.checked })}
          />
        </Stack>
      </SettingsSection>
      <SettingsSection title="Channels">
        <Webhook key={settings.webhook_url} settings={settings} problem={integrations.webhook.problem} />
        <Chat
          key={settings.chat_channel}
          settings={settings}
          label={chat}
          isConnected={integrations.chat.connected}
          problem={integrations.chat.problem}
        />
      </SettingsSection>
    </Stack>
  )
}

function Webhook({ settings, problem }: { settings: Settings; problem: string | null }) {
  const { admin } = useRights()
  const [url, setUrl] = useState(settings.webhook_url ?? '')
  const save = useSave('Webhook')
  const isChanged = url.trim() !== (settings.webhook_url ?? '')
  const error = save.isError ? (fieldErrors(save.error).webhook_url ?? errorMessage(save.error)) : null
  return (
    <Channel
      title="Webhook"
      channel="webhook"
      isOn={settings.webhook_enabled}
      hasTarget={settings.webhook_url !== null}
      problem={problem}
      onToggle={(webhook_enabled) => save.mutate({ webhook_enabled })}
    >
      {admin ? (
        <FieldForm
          isPending={save.isPending}
          isDisabled={!isChanged}
          onSave={() => {
            const wanted = url.trim()
            // Adding the first URL turns the webhook on.
            const first = settings.webhook_url === null && wanted !== '' ? { webhook_enabled: true } : {}
            save.mutate({ webhook_url: wanted || null, ...first })
          }}
        >
          <TextInput
            label="URL"
            type="url"
            placeholder="https://hooks.example.com/alerts"
            flex={1}
            miw={220}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={error}
          />
        </FieldForm>
      ) : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {settings.webhook_url ?? 'No URL'}
        </Text>
      )}
      {settings.webhook_secret && <Secret value={settings.webhook_secret} />}
    </Channel>
  )
}

/** Hidden until requested, so that bystanders do not see it. */
function Secret({ value }: { value: string }) {
  const [isShown, setShown] = useState(false)
  if (isShown) return <CopyField label="Signing secret" value={value} />
  return (
    <Group>
      <Button size="xs" variant="subtle" onClick={() => setShown(true)}>
        Show signing secret
      </Button>
    </Group>
  )
}

type ChatProps = { settings: Settings; label: string; isConnected: boolean; problem: string | null }

function Chat({ settings, label, isConnected, problem }: ChatProps) {
  const { admin } = useRights()
  const [channel, setChannel] = useState(settings.chat_channel)
  const save = useSave(label)
  const isChanged = channel.trim() !== settings.chat_channel
  const error = save.isError ? (fieldErrors(save.error).chat_channel ?? errorMessage(save.error)) : null
  return (
    <Channel
      title={label}
      channel="chat"
      isOn={settings.chat_enabled}
      hasTarget={settings.chat_channel !== '' && isConnected}
      problem={problem}
      onToggle={(chat_enabled) => save.mutate({ chat_enabled })}
    >
      <ChannelHint channel="chat" />
      {admin ? (
        <FieldForm
          isPending={save.isPending}
          isDisabled={!isChanged}
          onSave={() => {
            const first = settings.chat_channel === '' ? { chat_enabled: true } : {}
            save.mutate({ chat_channel: channel.trim(), ...first })
          }}
        >
          <TextInput
            label="Channel"
            placeholder="#signals"
            flex={1}
            miw={220}
            maxLength={80}
            value={channel}
            onChange={(event) => setChannel(event.currentTarget.value)}
            error={error}
          />
        </FieldForm>
      ) : (
        <Text size="sm">{settings.chat_channel || 'No channel'}</Text>
      )}
    </Channel>
  )
}

type ChannelProps = {
  title: string
  channel: 'webhook' | 'chat'
  isOn: boolean
  hasTarget: boolean
  problem: string | null
  onToggle: (isOn: boolean) => void
  children: ReactNode
}

/** An alert channel: target, switch, last error and test. */
function Channel({ title, channel, isOn, hasTarget, problem, onToggle, children }: ChannelProps) {
  const { admin } = useRights()
  const queryClient = useQueryClient()
  const test = useMutation({
    mutationFn: () => api.POST('/v1/settings/notifications/test', { body: { channel } }),
    onError: (error) => toastError('Test not sent', error),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey }),
  })
  const result = test.data?.data?.data
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={3}>{title}</Title>
          <Group gap="md">
            {admin && hasTarget && (
              <Button
                size="xs"
                variant="default"
                leftSection={<Send size={14} aria-hidden />}
                loading={test.isPending}
                onClick={() => test.mutate()}
                aria-label={`Send test to ${title}`}
              >
                Send test
              </Button>
            )}
            <Switch
              label={isOn ? 'On' : 'Off'}
              aria-label={`Alerts to ${title}`}
              checked={isOn}
              disabled={!admin}
              onChange={(event) => onToggle(event.currentTarget.checked)}
            />
          </Group>
        </Group>
        {children}
        {result ? (
          <TestResult {...result} />
        ) : (
          problem && (
            <Alert color="red" variant="light" title="Last alert failed">
              {problem} {admin && 'Fix the problem and send a test.'}
            </Alert>
          )
        )}
      </Stack>
    </Paper>
  )
}

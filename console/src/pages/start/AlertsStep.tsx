import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { meQuery, useMe, useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { PageLink } from '../../components/links.tsx'
import { ErrorMessage, ErrorText, Loading } from '../../components/states.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import type { StepProps } from './Start.tsx'
import { StepActions } from './StepActions.tsx'

type Choice = 'morning' | 'at_once' | 'chat' | 'none'

/** How the member learns of new findings. */
export function AlertsStep(props: StepProps) {
  if (props.step.count > 0) {
    return (
      <Text size="sm">
        Alerts are on.{' '}
        <PageLink to="/settings/{-$tab}" params={{ tab: 'alerts' }} size="sm" underline="always">
          Change them in Settings
        </PageLink>
      </Text>
    )
  }
  return <NewAlert {...props} />
}

function NewAlert(props: StepProps) {
  const { data, error, isPending, refetch } = queries.useQuery('get', '/v1/integrations')
  if (isPending) return <Loading lines={4} />
  if (error) return <ErrorMessage error={error} retry={refetch} />
  return <Form integrations={data.data} {...props} />
}

function Form({
  integrations: { mail, chat },
  onDone,
  onLater,
}: StepProps & { integrations: Schemas['Integrations'] }) {
  const client = useQueryClient()
  const { member } = useMe()
  const { admin } = useRights()
  const { labelOf } = useProviders()
  const [choice, setChoice] = useState<Choice>(mail.enabled ? 'morning' : chat.connected ? 'chat' : 'none')
  // The first admin is created without an address that can receive mail.
  const stored = member.email ?? ''
  const hasAddress = !stored.endsWith('@localhost')
  const [email, setEmail] = useState(hasAddress ? stored : '')
  const isByMail = choice === 'morning' || choice === 'at_once'
  const save = useMutation({
    mutationFn: async () => {
      if (choice === 'none') {
        await api.PATCH('/v1/setup', { body: { step: 'alerts', choice: 'keep' } })
        return
      }
      if (isByMail && !hasAddress) {
        await api.PATCH('/v1/members/{id}', { params: { path: { id: member.id } }, body: { email: email.trim() } })
      }
      // Digests are sent at hours of the member.
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      if (member.time_zone === 'UTC') await api.PATCH('/v1/me', { body: { time_zone: timeZone } })
      await api.POST('/v1/alert-rules', { body: ruleOf(choice) })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: meQuery.queryKey })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const noMail = 'Needs a mail server. The operator of this server can set SMTP_URL and MAIL_FROM.'
  const errors = fieldErrors(save.error)
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Radio.Group
          label="How should Bellwether tell you about new findings?"
          value={choice}
          onChange={(value) => setChoice(value as Choice)}
        >
          <Stack gap="sm" mt="xs">
            <Radio
              value="morning"
              label="Email each weekday at 8:00"
              description={mail.enabled ? 'One summary of what happened since the last one.' : noMail}
              disabled={!mail.enabled}
            />
            <Radio
              value="at_once"
              label="Email at once"
              description={mail.enabled ? 'Grouped by account.' : undefined}
              disabled={!mail.enabled}
            />
            <Radio
              value="chat"
              label={`${labelOf('chat')} message at once`}
              description={
                chat.connected ? (
                  'A direct message to you.'
                ) : admin ? (
                  <PageLink to="/settings/{-$tab}" params={{ tab: 'connections' }} size="xs">
                    Connect {labelOf('chat')}
                  </PageLink>
                ) : (
                  'Ask an admin to connect it.'
                )
              }
              disabled={!chat.connected}
            />
            <Radio value="none" label="Not at all" description="New findings wait for you on Today." />
          </Stack>
        </Radio.Group>
        {isByMail && !hasAddress && (
          <TextInput
            type="email"
            label="Your email address"
            placeholder="dana@northwind.com"
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={errors.email}
            maw={420}
            required
          />
        )}
        {save.error && !errors.email && <ErrorText>{errorMessage(save.error)}</ErrorText>}
        <StepActions action="Continue" isPending={save.isPending} onLater={onLater} />
      </Stack>
    </form>
  )
}

function ruleOf(choice: Exclude<Choice, 'none'>): Schemas['CreateAlertRule'] {
  const events: Schemas['CreateAlertRule']['events'] = ['signal.detected', 'people.job_changed']
  if (choice === 'morning') {
    return { name: 'Each weekday at 8', events, channel: 'email', schedule: 'weekdays', hour: 8 }
  }
  return { name: 'At once', events, channel: choice === 'chat' ? 'chat_dm' : 'email', schedule: 'at_once' }
}

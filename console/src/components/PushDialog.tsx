import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, CircleCheck, Send } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../api/client.ts'
import { useProviders } from '../api/providers.ts'
import { pluralize } from '../lib/format.ts'
import { EmptyState, ErrorMessage, Loading } from './states.tsx'

type Props = {
  /** The records to push: at least one id. */
  records: { accounts: string[] } | { people: string[] }
  /** Such as `Halden Robotics` or `12 accounts`. */
  name: string
  onClose: () => void
}

const ABOUT = {
  accounts: 'Creates or updates the company with its signals',
  people: 'Creates or updates the contact and its company',
}

/** A webhook destination or a CRM. */
type Target = {
  key: string
  name: string
  about: string
  to: { destination_id: string } | { provider: 'crm_one' | 'crm_two' }
}

/** Sends accounts or people to a webhook destination or a CRM and shows the result. */
export function PushDialog({ records, name, onClose }: Props) {
  const destinations = queries.useQuery('get', '/v1/webhook-destinations', {})
  const integrations = queries.useQuery('get', '/v1/integrations', {})
  const providers = useProviders()
  const [chosen, setChosen] = useState<string | null>(null)
  const client = useQueryClient()
  const push = useMutation({
    mutationFn: (target: Target) => send(records, target),
    onSuccess: () => client.invalidateQueries({ queryKey: ['get', '/v1/push-runs'] }),
  })
  const failed = destinations.error ?? integrations.error ?? providers.error
  const targets: Target[] = [
    ...(integrations.data?.data.crms ?? []).map(({ provider, problem }) => ({
      key: provider,
      name: providers.labelOf(provider),
      about: problem ?? ABOUT['accounts' in records ? 'accounts' : 'people'],
      to: { provider },
    })),
    ...(destinations.data?.data ?? []).map(({ id, name, url_masked }) => ({
      key: id,
      name,
      about: url_masked,
      to: { destination_id: id },
    })),
  ]
  const target = targets.find(({ key }) => key === chosen) ?? targets[0]

  return (
    <Modal opened onClose={onClose} title={`Push ${name}`}>
      {failed ? (
        <ErrorMessage
          error={failed}
          retry={() => [destinations, integrations, providers].map(({ refetch }) => refetch())}
        />
      ) : destinations.isPending || integrations.isPending || providers.isPending ? (
        <Loading lines={3} />
      ) : !target ? (
        <EmptyState
          icon={Send}
          title="No destinations yet"
          action={
            <Button component={Link} to="/deliveries" variant="default">
              Add destination
            </Button>
          }
        >
          Connect your CRM in Settings → Connections, or add a webhook destination in Deliveries.
        </EmptyState>
      ) : (
        <Stack gap="md">
          <Radio.Group label="Destination" value={target.key} onChange={setChosen}>
            <Stack gap="xs" mt="xs">
              {targets.map(({ key, name, about }) => (
                <Radio key={key} value={key} label={name} description={about} />
              ))}
            </Stack>
          </Radio.Group>
          {push.isError && <ErrorMessage error={push.error} title="Push failed" />}
          {push.isSuccess && <PushSummary {...push.data} target={push.variables.name} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {push.isSuccess ? 'Close' : 'Cancel'}
            </Button>
            <Button loading={push.isPending} onClick={() => push.mutate(target)}>
              {push.isSuccess ? 'Push again' : 'Push'}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

type Result = { pushed: number; failed: number; pending: number; problems: string[] }

function PushSummary({ pushed, failed, pending, problems, target }: Result & { target: string }) {
  const isFine = problems.length === 0
  const Icon = isFine ? CircleCheck : CircleAlert
  const lines = [
    pushed > 0 ? `Sent to ${target}: ${pluralize(pushed, 'record')}.` : '',
    failed > 0 ? `${pluralize(failed, 'record')} failed. Push again, or retry in Deliveries.` : '',
    pending > 0 ? `${pluralize(pending, 'record')} pending. Track progress in Deliveries.` : '',
  ]
  return (
    <Alert color={isFine ? 'bell' : 'red'} variant="light" icon={<Icon size={18} aria-hidden />} role="status">
      <Stack gap={4}>
        {lines.some(Boolean) && <Text size="sm">{lines.join(' ').trim()}</Text>}
        {problems.map((problem) => (
          <Text key={problem} size="sm">
            {problem}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

/** The response of a push: counts for an inline push, a total for a background push. */
type PushResponse = {
  pushed?: number
  failed?: number
  total?: number
  errors?: { message: string }[]
  results?: { error: string | null }[]
  skipped_records?: { message: string }[]
}

async function send(records: Props['records'], { to }: Target): Promise<Result> {
  const response = await ('accounts' in records ? pushAccounts(records.accounts, to) : pushPeople(records.people, to))
  const { pushed = 0, failed = 0, total: pending = 0 } = response
  const problems = [
    ...(response.errors ?? []).map(({ message }) => message),
    ...(response.results ?? []).flatMap(({ error }) => error ?? []),
    ...(response.skipped_records ?? []).map(({ message }) => message),
  ]
  return { pushed, failed, pending, problems: [...new Set(problems)] }
}

async function pushAccounts(account_ids: string[], to: Target['to']): Promise<PushResponse> {
  const { data } =
    'provider' in to
      ? await api.POST('/v1/accounts/crm-push', { body: { ...to, account_ids } })
      : await api.POST('/v1/accounts/webhook-push', { body: { ...to, account_ids } })
  return data?.data ?? {}
}

async function pushPeople(contact_ids: string[], to: Target['to']): Promise<PushResponse> {
  const { data } =
    'provider' in to
      ? await api.POST('/v1/people/crm-push', { body: { ...to, contact_ids } })
      : await api.POST('/v1/people/webhook-push', { body: { ...to, contact_ids } })
  return data?.data ?? {}
}

import { Button, Group, List, Loader, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queries, type Schemas } from '../../api/client.ts'
import { useAuthorize, useProviders } from '../../api/providers.ts'
import { PageLink } from '../../components/links.tsx'
import { ErrorAlert, ErrorMessage, Loading } from '../../components/states.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { TokenForm } from '../settings/TokenForm.tsx'
import type { StepProps } from './Start.tsx'

type Sync = Schemas['CrmSync']
type Provider = Schemas['ConnectionProvider']

const POLL_MS = 1_000

/** The CRM: connect it, watch the first read, and see what was found. */
export function CrmStep(props: StepProps) {
  const syncs = queries.useQuery(
    'get',
    '/v1/crm/sync',
    {},
    { refetchInterval: ({ state }) => (state.data?.data.some((sync) => sync.state === 'reading') ? POLL_MS : false) },
  )
  const { providers, labelOf, isPending } = useProviders()
  if (syncs.isPending || isPending) return <Loading lines={4} />
  if (syncs.isError) return <ErrorMessage error={syncs.error} retry={syncs.refetch} />
  const sync = syncs.data.data.find(({ state }) => state !== 'disconnected')
  if (sync) return <Connected sync={sync} label={labelOf(sync.provider)} {...props} />
  return <Connect providers={providers.filter(({ kind }) => kind === 'crm')} {...props} />
}

function Connect({ providers, onLater }: StepProps & { providers: Provider[] }) {
  const client = useQueryClient()
  const authorize = useAuthorize()
  const [chosen, setChosen] = useState<Provider | null>(null)
  const refresh = () =>
    Promise.all(
      (['/v1/integrations', '/v1/connections', '/v1/crm/sync'] as const).map((path) =>
        client.invalidateQueries({ queryKey: ['get', path] }),
      ),
    )
  return (
    <Stack gap="sm">
      <Text size="sm">Connect your CRM, and Bellwether uses what your team already knows:</Text>
      <List size="sm" spacing={4}>
        <List.Item>Customers are not prospected, and get drafts of their own.</List.Item>
        <List.Item>News about open deals, and about deals you lost, comes first.</List.Item>
        <List.Item>A contact of a won deal who joins another company is at the top of Today.</List.Item>
      </List>
      <Text size="sm" c="dimmed">
        Companies, contacts, deals and owners are read. Values in your CRM are not overwritten.
      </Text>
      {chosen ? (
        <TokenForm key={chosen.provider} provider={chosen} onConnected={refresh} onClose={() => setChosen(null)} />
      ) : (
        <Group gap="xs" mt={4}>
          {providers.map((provider) => (
            <Button
              key={provider.provider}
              variant="default"
              loading={authorize.isPending && authorize.variables === provider}
              onClick={() => (provider.consent ? authorize.mutate(provider) : setChosen(provider))}
            >
              Connect {provider.label}
            </Button>
          ))}
          <Button variant="subtle" color="gray" onClick={onLater}>
            Later
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function Connected({ sync, label, step, onDone, onLater }: StepProps & { sync: Sync; label: string }) {
  const { records, state, problem } = sync
  const counts = `${pluralize(records.companies, 'company', 'companies')}, ${pluralize(records.contacts, 'contact')} and ${pluralize(records.deals, 'deal')}`
  return (
    <Stack gap="sm">
      {problem && state !== 'limited' ? (
        <ErrorAlert title={`${label} could not be read`}>{problem}</ErrorAlert>
      ) : state === 'reading' ? (
        <Group gap="xs" role="status" wrap="nowrap">
          <Loader size={16} aria-hidden />
          <Text size="sm" fw={550}>
            Reading {label}: {counts} so far
          </Text>
        </Group>
      ) : (
        <Text size="sm">
          {label} is connected: {counts}. {formatNumber(records.matched_companies)} of the companies are accounts.
        </Text>
      )}
      <PageLink to="/settings/{-$tab}" params={{ tab: state === 'reconnect' ? 'connections' : 'crm' }} size="sm">
        {state === 'reconnect' ? `Reconnect ${label}` : 'Choose which companies become accounts'}
      </PageLink>
      <Group>
        {/* The first read may take minutes; the step is done when it is complete. */}
        <Button onClick={step.state === 'done' || state === 'up_to_date' ? onDone : onLater}>Continue</Button>
      </Group>
    </Stack>
  )
}

import {
  Alert,
  Anchor,
  Button,
  Checkbox,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Plug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { DisconnectDialog } from './DisconnectDialog.tsx'
import { LostDealMonths } from './LostDealMonths.tsx'
import { SettingsSection } from './Section.tsx'

type Sync = Schemas['CrmSync']
type Change = Schemas['UpdateCrmSync']

const syncsQuery = queries.queryOptions('get', '/v1/crm/sync')

const STATES: Record<Sync['state'], { label: string; color: string }> = {
  reading: { label: 'Reading', color: 'blue' },
  up_to_date: { label: 'Up to date', color: 'bell' },
  limited: { label: 'Missing permissions', color: 'orange' },
  retrying: { label: 'Retrying', color: 'orange' },
  waiting: { label: 'Waiting for API limit', color: 'orange' },
  paused: { label: 'Paused', color: 'gray' },
  reconnect: { label: 'Needs to be reconnected', color: 'red' },
  disconnected: { label: 'Disconnected', color: 'gray' },
  off: { label: 'Turned off by the operator', color: 'gray' },
}

const RULES: { id: Sync['account_rules'][number]; label: string; description: string }[] = [
  { id: 'customers', label: 'Customers', description: 'Marked as a customer, or with a won deal' },
  { id: 'open_deals', label: 'Companies with an open deal', description: 'In any pipeline' },
  { id: 'owned', label: 'Companies owned by a member', description: 'Owners are matched by email' },
]

const FIELDS = {
  employees: 'Employees',
  industry: 'Industry',
  country: 'Country',
  short_description: 'Description',
} as const
type Field = keyof typeof FIELDS

/** What is read from the connected CRMs: state, rules and which values are used. */
export default function Crm() {
  // A first sync takes minutes, so its progress is shown.
  const syncs = queries.useQuery('get', '/v1/crm/sync', {}, { refetchInterval: 5_000 })
  const { labelOf, isPending } = useProviders()
  return (
    <SettingsSection
      title="CRM"
      lead="Companies, contacts, deals and owners are read from your CRM and matched with accounts, people and members."
    >
      {syncs.isPending || isPending ? (
        <Loading />
      ) : syncs.isError ? (
        <ErrorMessage error={syncs.error} retry={syncs.refetch} />
      ) : syncs.data.data.length === 0 ? (
        <EmptyState icon={Plug} title="No CRM connected">
          Connect one in{' '}
          <Anchor component={Link} to="/settings/connections" inherit underline="always">
            Connections
          </Anchor>
          .
        </EmptyState>
      ) : (
        <>
          {syncs.data.data.map((sync) => (
            <SyncCard key={sync.provider} sync={sync} label={labelOf(sync.provider)} />
          ))}
          <LostDealMonths />
        </>
      )}
    </SettingsSection>
  )
}

function SyncCard({ sync, label }: { sync: Sync; label: string }) {
  const { provider, state } = sync
  const { admin } = useRights()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'resync' | 'disconnect' | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: syncsQuery.queryKey })
  const path = { provider }
  const change = useMutation({
    mutationFn: (body: Change) => api.PATCH('/v1/crm/sync/{provider}', { params: { path }, body }),
    onError: (error) => toastError('Setting not saved', error),
    onSettled: refresh,
  })
  const isConnected = state !== 'disconnected'
  return (
    <Paper withBorder p="md" component="section" aria-label={`${label} sync`}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Group gap="xs">
              <Title order={3}>{label}</Title>
              <StateBadge color={STATES[state].color}>{STATES[state].label}</StateBadge>
            </Group>
            <Text size="sm" c="dimmed">
              <Schedule sync={sync} />
            </Text>
          </div>
          {admin && (
            <Group gap="xs">
              {isConnected && (
                <>
                  <Button
                    size="xs"
                    variant="default"
                    loading={change.isPending && change.variables.is_paused !== undefined}
                    onClick={() => change.mutate({ is_paused: !sync.is_paused })}
                  >
                    {sync.is_paused ? 'Resume' : 'Pause'}
                  </Button>
                  <Button size="xs" variant="default" onClick={() => setDialog('resync')}>
                    Read everything again
                  </Button>
                </>
              )}
              <Button size="xs" variant="subtle" color="red" onClick={() => setDialog('disconnect')}>
                {isConnected ? 'Disconnect' : 'Remove records'}
              </Button>
            </Group>
          )}
        </Group>
        <Problems sync={sync} label={label} />
        <Records sync={sync} />
        {isConnected && (
          <>
            <Rules sync={sync} label={label} isDisabled={!admin} onChange={(body) => change.mutate(body)} />
            <Fields sync={sync} label={label} isDisabled={!admin} onChange={(body) => change.mutate(body)} />
          </>
        )}
      </Stack>
      {dialog === 'resync' && (
        <ConfirmDialog
          title={`Read everything in ${label} again?`}
          action="Read again"
          onClose={() => setDialog(null)}
          onConfirm={async () => {
            await api.POST('/v1/crm/sync/{provider}/resync', { params: { path } })
            await refresh()
            toastSuccess(`${label} is read again`)
          }}
        >
          All records are read from the beginning, which uses many API calls of {label}. Matches and your own values
          stay.
        </ConfirmDialog>
      )}
      {dialog === 'disconnect' && (
        <DisconnectDialog
          provider={provider}
          label={label}
          isConnected={isConnected}
          onClose={() => setDialog(null)}
          onDone={refresh}
        />
      )}
    </Paper>
  )
}

function Schedule({ sync: { state, is_running, finished_at, next_at } }: { sync: Sync }) {
  if (state === 'reading')
    return finished_at
      ? 'Reading everything again. The records stay meanwhile.'
      : 'Reading for the first time. Records appear as they are read.'
  return (
    <>
      {finished_at ? (
        <>
          Last sync <RelativeTime at={finished_at} />
        </>
      ) : (
        'No complete sync yet'
      )}
      {is_running ? ', running now' : null}
      {!is_running && next_at && Date.parse(next_at) > Date.now() && (
        <>
          , next <RelativeTime at={next_at} />
        </>
      )}
    </>
  )
}

function Problems({ sync, label }: { sync: Sync; label: string }) {
  const { admin } = useRights()
  if (sync.state === 'disconnected') return null
  const isRed = sync.state === 'reconnect'
  const failures = isRed ? [] : sync.failures.filter(({ message }) => message !== sync.problem)
  // Rights are of no use before the connection works again.
  const isLimited = sync.missing_rights.length > 0 && !isRed
  const messages = isLimited ? sync.missing_rights : sync.problem ? [sync.problem] : []
  if (messages.length === 0 && failures.length === 0) return null
  return (
    <Alert color={isRed ? 'red' : 'orange'} variant="light" icon={<CircleAlert size={18} aria-hidden />}>
      {messages.map((message) => (
        <div key={message}>{message}</div>
      ))}
      {failures.map(({ kind, count, message }) => (
        <div key={kind}>
          {message} ({pluralize(count, 'time')})
        </div>
      ))}
      {isRed &&
        (admin ? (
          <>
            Nothing was lost: the sync continues after you{' '}
            <Anchor component={Link} to="/settings/connections" inherit underline="always">
              reconnect {label}
            </Anchor>
            .
          </>
        ) : (
          'Ask an admin to reconnect.'
        ))}
    </Alert>
  )
}

function Records({ sync: { state, records, calls_left, calls_limit } }: { sync: Sync }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="sm">
      <Figure title="Companies" value={records.companies} note={pluralize(records.matched_companies, 'account')} />
      <Figure
        title="Contacts"
        value={records.contacts}
        note={pluralize(records.matched_contacts, 'person', 'people')}
      />
      <Figure title="Deals" value={records.deals} />
      <Figure title="Owners" value={records.owners} note={pluralize(records.matched_owners, 'member')} />
      {calls_left !== null && state !== 'disconnected' && (
        <Figure
          title="API calls left"
          value={calls_left}
          note={calls_limit === null ? undefined : `of ${formatNumber(calls_limit)}`}
        />
      )}
    </SimpleGrid>
  )
}

function Figure({ title, value, note }: { title: string; value: number; note?: string | undefined }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text fw={600}>{formatNumber(value)}</Text>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  )
}

type SettingProps = { sync: Sync; label: string; isDisabled: boolean; onChange: (change: Change) => void }

/** Which companies become accounts. The counts are shown before a rule is switched on. */
function Rules({ sync, label, isDisabled, onChange }: SettingProps) {
  const { admin } = useRights()
  const preview = queries.useQuery(
    'get',
    '/v1/crm/sync/{provider}/account-preview',
    { params: { path: { provider: sync.provider } } },
    // Counts of a half-read CRM would be wrong.
    { enabled: admin && sync.state !== 'reading', staleTime: 0, refetchInterval: 60_000 },
  )
  const counts = preview.data?.data
  return (
    <Setting title="Add companies as accounts" lead={`Companies in ${label} with a website that are not accounts yet.`}>
      {RULES.map(({ id, label, description }) => {
        const isOn = sync.account_rules.includes(id)
        const count = counts?.[id]
        return (
          <Checkbox
            key={id}
            label={label}
            description={
              isOn || count === undefined ? description : `${description}. Would add ${pluralize(count, 'account')}.`
            }
            checked={isOn}
            disabled={isDisabled}
            onChange={() =>
              onChange({
                account_rules: isOn ? sync.account_rules.filter((one) => one !== id) : [...sync.account_rules, id],
              })
            }
          />
        )
      })}
    </Setting>
  )
}

function Fields({ sync, label, isDisabled, onChange }: SettingProps) {
  return (
    <Setting title="Values to use" lead={`If ${label} and research differ. Values typed in Bellwether always win.`}>
      {(Object.keys(FIELDS) as Field[]).map((field) => (
        <Group key={field} gap="sm" justify="space-between" maw={420}>
          <Text size="sm" id={`${sync.provider}-${field}`}>
            {FIELDS[field]}
          </Text>
          <SegmentedControl
            size="xs"
            aria-labelledby={`${sync.provider}-${field}`}
            disabled={isDisabled}
            value={sync.field_sources[field] ?? 'crm'}
            data={[
              { value: 'crm', label },
              { value: 'research', label: 'Research' },
            ]}
            onChange={(value) => onChange({ field_sources: { [field]: value as 'crm' | 'research' } })}
          />
        </Group>
      ))}
    </Setting>
  )
}

function Setting({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <Stack gap="xs">
      <div>
        <Title order={4} fz="md">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {lead}
        </Text>
      </div>
      {children}
    </Stack>
  )
}

import { Button, Drawer, Group, Paper, Select, Stack, Table, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Download, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { useProviders } from '../../api/providers.ts'
import { Paginator } from '../../components/Paginator.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import { describeAction, describeChanges } from './audit-sentence.ts'
import { SettingsSection } from './Section.tsx'
import { ACTORS, OUTCOMES } from './search.ts'

type Entry = Schemas['AuditEntry']

const PER_PAGE = 50
const COLORS = { ok: 'gray', refused: 'orange', failed: 'red', unknown: 'orange' } as const
const route = getRouteApi('/app/settings/{-$tab}')
const options = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Who did what in this workspace. */
export default function AuditLog() {
  const { page = 1, actor, member, outcome, since, until, entry: opened } = route.useSearch()
  const navigate = useNavigate()
  const { members } = useMembers()
  const filter = {
    ...(actor && { actor }),
    ...(member && { member_id: member }),
    ...(outcome && { outcome }),
    ...(since && { since: new Date(`${since}T00:00`).toISOString() }),
    ...(until && { until: dayAfter(until).toISOString() }),
  }
  const log = queries.useQuery(
    'get',
    '/v1/audit',
    { params: { query: { ...filter, page, per_page: PER_PAGE } } },
    { placeholderData: (before) => before },
  )
  const change = (part: Record<string, string | number | undefined>) =>
    navigate({
      to: '/settings/{-$tab}',
      params: { tab: 'audit' },
      search: (before) => ({ ...before, page: undefined, entry: undefined, ...part }),
    })
  const current = log.data?.data.find(({ seq }) => seq === opened)
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Stack gap="xl">
      <SettingsSection
        title="Audit log"
        isWholeTab
        lead="Changes, exports, reveals, sign-ins and refused requests of all members"
        actions={
          <Button
            component="a"
            href={`/v1/audit/export?${new URLSearchParams(filter)}`}
            variant="default"
            leftSection={<Download size={15} aria-hidden />}
          >
            Export CSV
          </Button>
        }
      >
        <Group gap="sm" align="flex-end">
          <Select
            label="Member"
            placeholder="All members"
            size="sm"
            w={190}
            clearable
            searchable
            data={members.map(({ id, name }) => ({ value: id, label: name }))}
            value={member ?? null}
            onChange={(member) => change({ member: member ?? undefined })}
          />
          <Select
            label="Via"
            placeholder="Any"
            size="sm"
            w={160}
            clearable
            data={options(ACTORS)}
            value={actor ?? null}
            onChange={(actor) => change({ actor: actor ?? undefined })}
          />
          <Select
            label="Result"
            placeholder="Any result"
            size="sm"
            w={140}
            clearable
            data={options(OUTCOMES)}
            value={outcome ?? null}
            onChange={(outcome) => change({ outcome: outcome ?? undefined })}
          />
          <TextInput
            label="From"
            type="date"
            size="sm"
            value={since ?? ''}
            onChange={(event) => change({ since: event.currentTarget.value || undefined })}
          />
          <TextInput
            label="To"
            type="date"
            size="sm"
            value={until ?? ''}
            onChange={(event) => change({ until: event.currentTarget.value || undefined })}
          />
        </Group>
        {log.isPending ? (
          <Loading />
        ) : log.isError ? (
          <ErrorMessage error={log.error} retry={log.refetch} />
        ) : log.data.data.length === 0 ? (
          <EmptyState
            icon={ScrollText}
            title={isFiltered ? 'No matching entries' : 'No entries yet'}
            action={
              isFiltered && (
                <Button
                  variant="default"
                  onClick={() => navigate({ to: '/settings/{-$tab}', params: { tab: 'audit' } })}
                >
                  Clear filters
                </Button>
              )
            }
          >
            {isFiltered ? 'Try other filters.' : 'Every change from now on is listed here.'}
          </EmptyState>
        ) : (
          <>
            <Entries entries={log.data.data} onOpen={(entry) => change({ page, entry })} />
            <Paginator pagination={log.data.pagination} items="entries" onChange={(page) => change({ page })} />
          </>
        )}
        {current && <EntryDrawer entry={current} onClose={() => change({ page })} />}
      </SettingsSection>
      <Streaming />
    </Stack>
  )
}

function dayAfter(day: string): Date {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + 1)
  return date
}

/** The name at that time, or what is known of who did it. */
function useActorName() {
  const { nameOf } = useMembers()
  return ({ name, member_id, actor }: Entry) =>
    name ??
    (member_id ? nameOf(member_id) : null) ??
    (/^(command_line|provider)$/.test(actor) ? ACTORS[actor] : 'Unknown')
}

function Sentence({ entry }: { entry: Entry }) {
  const actorName = useActorName()
  const { nameOf } = useMembers()
  const { providers } = useProviders()
  const providerName = (id: string) => providers.find(({ provider }) => provider === id)?.label ?? null
  const { target } = entry
  const targetName = target?.name ?? (target?.type === 'connection' && target.id ? providerName(target.id) : null)
  const changes = describeChanges(entry, { member: nameOf, provider: providerName })
  return (
    <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
      <b>{actorName(entry)}</b>: {describeAction(entry.action)}
      {targetName && <> {targetName}</>}
      {changes && <> ({changes})</>}
    </Text>
  )
}

function Entries({ entries, onOpen }: { entries: Entry[]; onOpen: (seq: number) => void }) {
  return (
    <Paper withBorder>
      <Table verticalSpacing="xs" horizontalSpacing="md" highlightOnHover layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th visibleFrom="sm" w={130}>
              Via
            </Table.Th>
            <Table.Th w={110}>Result</Table.Th>
            <Table.Th visibleFrom="sm" w={130}>
              Date
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.seq}>
              <Table.Td>
                <UnstyledButton onClick={() => onOpen(entry.seq)}>
                  <Sentence entry={entry} />
                </UnstyledButton>
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {ACTORS[entry.actor]}, <RelativeTime at={entry.at} />
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">{ACTORS[entry.actor]}</Table.Td>
              <Table.Td>
                <StateBadge color={COLORS[entry.outcome]}>{OUTCOMES[entry.outcome]}</StateBadge>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <RelativeTime at={entry.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function EntryDrawer({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { target, changes } = entry
  const rows: [string, ReactNode][] = [
    ['Date', new Date(entry.at).toLocaleString()],
    ['Operation', entry.action],
    ['Result', [OUTCOMES[entry.outcome], entry.status, entry.error_code].filter(Boolean).join(', ')],
    ['Via', ACTORS[entry.actor]],
    ['Member', entry.member_id],
    ['API key', entry.key_id],
    ['Session', entry.session_id],
    ['Record', target && [target.type.replaceAll('_', ' '), target.id].filter(Boolean).join(' ')],
    ['IP address', entry.ip],
    ['User agent', entry.user_agent],
    ['Request ID', entry.request_id],
    ['Entry', `${entry.seq}, hash ${entry.hash}`],
  ]
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={`Entry ${entry.seq}`}>
      <Stack gap="lg">
        <Sentence entry={entry} />
        {entry.is_erased && (
          <Text size="sm" c="dimmed">
            Names and addresses were erased from this entry.
          </Text>
        )}
        {changes.length > 0 && (
          <Table layout="fixed" aria-label="Changes">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Before</Table.Th>
                <Table.Th>After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody style={{ overflowWrap: 'anywhere' }}>
              {changes.map(({ field, before, after }) => (
                <Table.Tr key={field}>
                  <Table.Td>{field}</Table.Td>
                  <Table.Td>{before ?? '–'}</Table.Td>
                  <Table.Td>{after ?? '–'}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Table layout="fixed" aria-label="Details">
          <Table.Tbody style={{ overflowWrap: 'anywhere' }}>
            {rows.map(
              ([label, value]) =>
                value && (
                  <Table.Tr key={label}>
                    <Table.Th w={110}>{label}</Table.Th>
                    <Table.Td>{value}</Table.Td>
                  </Table.Tr>
                ),
            )}
          </Table.Tbody>
        </Table>
      </Stack>
    </Drawer>
  )
}

const settingsQuery = queries.queryOptions('get', '/v1/settings/audit')

/** The webhook destination that receives the entries. */
function Streaming() {
  const { admin } = useRights()
  const queryClient = useQueryClient()
  const settings = queries.useQuery('get', '/v1/settings/audit')
  const { data: destinations } = queries.useQuery('get', '/v1/webhook-destinations')
  const save = useMutation({
    mutationFn: (destination_id: string | null) => api.PUT('/v1/settings/audit', { body: { destination_id } }),
    onError: (error) => toastError('Not saved', error),
    onSuccess: async (_, destination_id) => {
      await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey })
      toastSuccess(destination_id ? 'New entries will be sent' : 'Entries are no longer sent')
    },
  })
  if (!settings.data) return null
  const { destination_id, waiting, problem, retention_days, sent_at } = settings.data.data
  return (
    <SettingsSection
      title="Send to a webhook"
      lead={`New entries are sent to a destination, signed and in order. The log itself keeps entries for ${pluralize(retention_days, 'day')}.`}
    >
      <Select
        label="Destination"
        placeholder="None"
        w={260}
        clearable
        disabled={!admin || save.isPending}
        data={(destinations?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={destination_id}
        onChange={(id) => save.mutate(id)}
      />
      {destination_id && (
        <Text size="sm" c={problem ? 'red' : 'dimmed'}>
          {problem
            ? `Last delivery failed: ${problem} ${pluralize(waiting, 'entry', 'entries')} waiting.`
            : `${pluralize(waiting, 'entry', 'entries')} waiting.`}{' '}
          Last sent: <RelativeTime at={sent_at} />
        </Text>
      )}
    </SettingsSection>
  )
}

import { Badge, Button, Group, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import { CreateKey, SCOPE_LABELS } from './CreateKey.tsx'
import { SettingsSection } from './Section.tsx'
import { ServiceAccounts } from './ServiceAccounts.tsx'

type ApiKey = Schemas['ApiKey']

const route = getRouteApi('/app/settings/{-$tab}')

/** The API keys of the workspace. */
export default function Keys() {
  const { add } = route.useSearch()
  const navigate = useNavigate()
  const { admin } = useRights()
  const keys = queries.useQuery('get', '/v1/api-keys')
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const show = (search: { add?: boolean }) => navigate({ to: '/settings/{-$tab}', params: { tab: 'keys' }, search })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => show({ add: true })}>
      Create key
    </Button>
  )

  return (
    <Stack gap="xl">
      <SettingsSection title="API keys" isWholeTab lead="For integrations and for signing in" actions={admin && create}>
        {keys.isPending ? (
          <Loading />
        ) : keys.isError ? (
          <ErrorMessage error={keys.error} retry={keys.refetch} />
        ) : keys.data.data.length === 0 ? (
          <EmptyState icon={KeyRound} title="No API keys" action={admin && create}>
            Create a key for an integration, such as a CRM sync.
          </EmptyState>
        ) : (
          <List keys={keys.data.data} onRevoke={admin ? setRevoked : null} />
        )}
        {admin && add && <CreateKey onClose={() => show({})} />}
        {revoked && <Revoke apiKey={revoked} onClose={() => setRevoked(null)} />}
      </SettingsSection>
      {admin && <ServiceAccounts />}
    </Stack>
  )
}

function List({ keys, onRevoke }: { keys: ApiKey[]; onRevoke: ((key: ApiKey) => void) | null }) {
  const { nameOf } = useMembers()
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">Acts as</Table.Th>
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th visibleFrom="sm">Expires</Table.Th>
            {onRevoke && (
              <Table.Th w={90}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <Table.Tr key={key.id}>
              <Table.Td>
                <Group gap={6}>
                  <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                    {key.name}
                  </Text>
                  <Badge size="xs" variant="default" tt="none">
                    {SCOPE_LABELS[key.scope]}
                  </Badge>
                </Group>
                <Text size="xs" c="dimmed">
                  <Text span ff="monospace">
                    {key.prefix}…
                  </Text>
                  {key.sessions > 0 && ` · ${pluralize(key.sessions, 'active session')}`}
                </Text>
                {key.operations && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    Only {key.operations.join(', ')}
                  </Text>
                )}
                {key.allowed_ips && (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    Only from {key.allowed_ips.join(', ')}
                  </Text>
                )}
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {nameOf(key.member_id)}, last used <RelativeTime at={key.last_used_at} empty="never" />
                </Text>
              </Table.Td>
              <Table.Td visibleFrom="sm">{nameOf(key.member_id)}</Table.Td>
              <Table.Td visibleFrom="sm">
                <RelativeTime at={key.last_used_at} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <RelativeTime at={key.expires_at} />
              </Table.Td>
              {onRevoke && (
                <Table.Td ta="right">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    onClick={() => onRevoke(key)}
                    aria-label={`Revoke ${key.name}`}
                  >
                    Revoke
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const queryClient = useQueryClient()
  // The current session was used last, so it is on the first page.
  const sessions = queries.useQuery('get', '/v1/sessions', { params: { query: { per_page: 100 } } }).data?.data
  const isCurrent = sessions?.some(({ is_current, key_id }) => is_current && key_id === apiKey.id)
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke"
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE('/v1/api-keys/{id}', { params: { path: { id: apiKey.id } } })
        toastSuccess(`${apiKey.name} revoked`)
        await queryClient.invalidateQueries()
      }}
    >
      Integrations that use this key will stop working. This cannot be undone.
      {apiKey.sessions > 0 && (
        <Text size="sm" mt="xs" fw={550}>
          {pluralize(apiKey.sessions, 'session')} will be signed out{isCurrent ? ', including this one.' : '.'}
        </Text>
      )}
    </ConfirmDialog>
  )
}

import { Badge, Button, Group, Paper, Table, Text, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { Paginator } from '../../components/Paginator.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { signOut } from '../../lib/sign-out.ts'
import { SettingsSection } from './Section.tsx'

type Session = Schemas['Session']

const PER_PAGE = 25
const route = getRouteApi('/app/settings/{-$tab}')

/** The active sessions of the member, or of all members for admins. */
export default function Sessions() {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const { member } = useMe()
  const isAdmin = member.role === 'admin'
  const sessions = queries.useQuery('get', '/v1/sessions', { params: { query: { page, per_page: PER_PAGE } } })
  const [ended, setEnded] = useState<Session | null>(null)

  return (
    <SettingsSection
      title="Sessions"
      isWholeTab
      lead={isAdmin ? 'Signed-in browsers of all members' : 'Browsers where you are signed in'}
    >
      {sessions.isPending ? (
        <Loading />
      ) : sessions.isError ? (
        <ErrorMessage error={sessions.error} retry={sessions.refetch} />
      ) : (
        <List sessions={sessions.data.data} withMembers={isAdmin} onEnd={setEnded} />
      )}
      {sessions.data && (
        <Paginator
          pagination={sessions.data.pagination}
          items="sessions"
          onChange={(page) => navigate({ to: '/settings/{-$tab}', params: { tab: 'sessions' }, search: { page } })}
        />
      )}
      {ended && <End session={ended} onClose={() => setEnded(null)} />}
    </SettingsSection>
  )
}

type ListProps = { sessions: Session[]; withMembers: boolean; onEnd: (session: Session) => void }

function List({ sessions, withMembers, onEnd }: ListProps) {
  const me = useMe()
  const { nameOf } = useMembers()
  /** A read-only key can end only its own sessions, and only the current one is known here. */
  const mayEnd = ({ is_current }: Session) => is_current || !me.read_only
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Browser</Table.Th>
            {withMembers && <Table.Th visibleFrom="sm">Member</Table.Th>}
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th visibleFrom="sm">Signed in</Table.Th>
            <Table.Th visibleFrom="md">Expires</Table.Th>
            <Table.Th w={90}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sessions.map((session) => (
            <Table.Tr key={session.id}>
              <Table.Td>
                <Group gap={6}>
                  <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                    {session.browser}
                  </Text>
                  {session.is_current && (
                    <Badge size="xs" variant="light" tt="none">
                      This browser
                    </Badge>
                  )}
                </Group>
                <Text size="xs" c="dimmed">
                  Signed in with {session.provider ?? (session.key_id ? 'an API key' : 'a link')}
                </Text>
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {withMembers && `${nameOf(session.member_id)}, `}last used <RelativeTime at={session.last_used_at} />
                </Text>
              </Table.Td>
              {withMembers && <Table.Td visibleFrom="sm">{nameOf(session.member_id)}</Table.Td>}
              <Table.Td visibleFrom="sm">
                <RelativeTime at={session.last_used_at} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <RelativeTime at={session.created_at} />
              </Table.Td>
              <Table.Td visibleFrom="md">
                <RelativeTime at={session.expires_at} />
              </Table.Td>
              <Table.Td ta="right">
                {mayEnd(session) && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    onClick={() => onEnd(session)}
                    aria-label={session.is_current ? 'Sign out of this browser' : `End session on ${session.browser}`}
                  >
                    {session.is_current ? 'Sign out' : 'End'}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

function End({ session, onClose }: { session: Session; onClose: () => void }) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={session.is_current ? 'Sign out?' : 'End session?'}
      action={session.is_current ? 'Sign out' : 'End session'}
      onClose={onClose}
      onConfirm={async () => {
        if (session.is_current) return signOut(session.id)
        await api.DELETE('/v1/sessions/{id}', { params: { path: { id: session.id } } })
        await queryClient.invalidateQueries({ queryKey: ['get', '/v1/sessions'] })
        toastSuccess('Session ended')
      }}
    >
      {session.is_current
        ? session.provider
          ? `You will also be signed out of ${session.provider}.`
          : 'You need a sign-in link or an API key to sign in again.'
        : `${session.browser} will be signed out immediately. Unsaved changes may be lost.`}
    </ConfirmDialog>
  )
}

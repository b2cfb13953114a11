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
import { SettingsSection } from './Section.tsx'

type Session = Schemas['Session']

const PER_PAGE = 25
const route = getRouteApi('/app/settings/{-$tab}')

/** The browsers that are signed in: one's own, and for an admin everybody's. */
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
      lead={isAdmin ? 'Browsers that are signed in, of all members.' : 'Browsers that you are signed in with.'}
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
  /** A read-only key ends only what was opened with it; which that is, only the service knows but for this one. */
  const mayEnd = ({ is_current }: Session) => is_current || !me.read_only
  return (
    <Paper withBorder>
      <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Browser</Table.Th>
            {withMembers && <Table.Th visibleFrom="sm">Whose</Table.Th>}
            <Table.Th visibleFrom="sm">Last used</Table.Th>
            <Table.Th visibleFrom="sm">Signed in</Table.Th>
            <Table.Th visibleFrom="md">Ends unless used</Table.Th>
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
                  {session.key_id ? 'Signed in with a key' : 'Signed in by a link'}
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
                    aria-label={session.is_current ? 'Sign out here' : `End the session of ${session.browser}`}
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
      title={session.is_current ? 'Sign out here?' : 'End this session?'}
      action={session.is_current ? 'Sign out' : 'End session'}
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE('/v1/sessions/{id}', { params: { path: { id: session.id } } })
        // All that was read is forgotten with the page.
        if (session.is_current) return window.location.assign('/sign-in')
        await queryClient.invalidateQueries({ queryKey: ['get', '/v1/sessions'] })
        toastSuccess('The session was ended.')
      }}
    >
      {session.is_current
        ? 'You need a link or a key to sign in again.'
        : `${session.browser} is signed out at once. What was typed there and not saved may be lost.`}
    </ConfirmDialog>
  )
}

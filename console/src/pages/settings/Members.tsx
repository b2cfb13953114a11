import {
  ActionIcon,
  Avatar,
  Badge,
  Button,
  Group,
  Menu,
  Paper,
  Switch,
  Table,
  Text,
  VisuallyHidden,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Link2, Pencil, Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { meQuery, useMe, useRights } from '../../api/me.ts'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { MemberForm } from './MemberForm.tsx'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'
import { SettingsSection } from './Section.tsx'
import { SignInLinkDialog } from './SignInLinkDialog.tsx'

type Member = Schemas['Member']

const route = getRouteApi('/app/settings/{-$tab}')

/** The members of the workspace. Only admins can add, edit, invite and remove. */
export default function Members() {
  const { add, edit } = route.useSearch()
  const navigate = useNavigate()
  const { admin } = useRights()
  const members = queries.useQuery('get', '/v1/members')
  const [invited, setInvited] = useState<Member | null>(null)
  const [removed, setRemoved] = useState<Member | null>(null)
  const show = (search: { add?: boolean; edit?: string }) =>
    navigate({ to: '/settings/{-$tab}', params: { tab: 'members' }, search })
  const edited = members.data?.data.find(({ id }) => id === edit)

  return (
    <SettingsSection
      title="Members"
      isWholeTab
      lead="People with access to this workspace"
      actions={
        admin && (
          <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => show({ add: true })}>
            Add member
          </Button>
        )
      }
    >
      {members.isPending ? (
        <Loading />
      ) : members.isError ? (
        <ErrorMessage error={members.error} retry={members.refetch} />
      ) : (
        <Paper withBorder>
          <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th visibleFrom="sm">Visibility</Table.Th>
                <Table.Th visibleFrom="sm">Added</Table.Th>
                {admin && (
                  <Table.Th w={44}>
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {members.data.data.map((member) => (
                <Row
                  key={member.id}
                  member={member}
                  onEdit={() => show({ edit: member.id })}
                  onInvite={() => setInvited(member)}
                  onRemove={() => setRemoved(member)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {admin && <ClaimSetting />}
      {admin && add && <MemberForm onClose={() => show({})} onAdded={setInvited} />}
      {admin && edited && <MemberForm member={edited} onClose={() => show({})} />}
      {invited && <SignInLinkDialog member={invited} onClose={() => setInvited(null)} />}
      {removed && <RemoveMemberDialog member={removed} onClose={() => setRemoved(null)} />}
    </SettingsSection>
  )
}

/** Whether scoped members may claim accounts without an owner. */
function ClaimSetting() {
  const settings = queries.useQuery('get', '/v1/settings/workspace')
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (scoped_members_claim: boolean) =>
      api.PUT('/v1/settings/workspace', { body: { scoped_members_claim } }),
    onSuccess: async () => {
      await Promise.all([settings.refetch(), client.invalidateQueries({ queryKey: meQuery.queryKey })])
      toastSuccess('Setting saved')
    },
    onError: (error) => toastError('Setting not saved', error),
  })
  if (!settings.data) return null
  return (
    <Switch
      mt="md"
      label="Members with limited visibility can claim suggestions"
      description="They become the owner when they activate an account without an owner. When off, another member must assign the account first."
      checked={settings.data.data.scoped_members_claim}
      disabled={save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
    />
  )
}

type RowProps = { member: Member; onEdit: () => void; onInvite: () => void; onRemove: () => void }

function Row({ member, onEdit, onInvite, onRemove }: RowProps) {
  const me = useMe()
  const { admin } = useRights()
  const isMe = member.id === me.member.id
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <Avatar name={member.name} size={32} color="bell" aria-hidden />
          <div style={{ minWidth: 0 }}>
            <Group gap={6}>
              <Text size="sm" fw={550}>
                {member.name}
              </Text>
              {isMe && (
                <Badge size="xs" variant="light" tt="none">
                  You
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {member.email}
            </Text>
            <Text size="xs" c="dimmed" hiddenFrom="sm">
              Visibility: {VISIBILITY_LABELS[effectiveVisibility(member)].toLowerCase()}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td>{member.role === 'admin' ? 'Admin' : 'Member'}</Table.Td>
      <Table.Td visibleFrom="sm">{VISIBILITY_LABELS[effectiveVisibility(member)]}</Table.Td>
      <Table.Td visibleFrom="sm">
        <RelativeTime at={member.created_at} />
      </Table.Td>
      {admin && (
        <Table.Td>
          <Menu position="bottom-end" width={200}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${member.name}`}>
                <Ellipsis size={17} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Pencil size={15} aria-hidden />} onClick={onEdit}>
                Edit
              </Menu.Item>
              <Menu.Item leftSection={<Link2 size={15} aria-hidden />} onClick={onInvite}>
                Sign-in link
              </Menu.Item>
              {!isMe && (
                <Menu.Item color="red" leftSection={<Trash2 size={15} aria-hidden />} onClick={onRemove}>
                  Remove
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </Table.Td>
      )}
    </Table.Tr>
  )
}

const VISIBILITY_LABELS = { all: 'All people', scoped: 'Own accounts only' }

/** Admins see all people, whatever their setting. */
const effectiveVisibility = ({ role, visibility }: Member) => (role === 'admin' ? 'all' : visibility)

import { List } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'

/** Confirms the removal of a member and lists its consequences. */
export function RemoveMemberDialog({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const queryClient = useQueryClient()
  const theirs = { params: { query: { owner_id: member.id, per_page: 1 } } }
  const accounts = queries.useQuery('get', '/v1/accounts', theirs).data?.pagination.total ?? 0
  const people = queries.useQuery('get', '/v1/people', theirs).data?.pagination.total ?? 0
  const keys = queries.useQuery('get', '/v1/api-keys').data?.data.filter(({ member_id }) => member_id === member.id)
  const owned = [
    ...(accounts > 0 ? [pluralize(accounts, 'account')] : []),
    ...(people > 0 ? [pluralize(people, 'person', 'people')] : []),
  ]
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      action="Remove"
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE('/v1/members/{id}', { params: { path: { id: member.id } } })
        await queryClient.invalidateQueries()
        toastSuccess(`${member.name} removed`)
      }}
    >
      This cannot be undone.
      <List size="sm" mt="xs" spacing={4}>
        <List.Item>They will be signed out everywhere.</List.Item>
        <List.Item>Their alert rules are deleted too.</List.Item>
        {keys !== undefined && keys.length > 0 && (
          <List.Item>
            {pluralize(keys.length, 'API key')} will stop working: {keys.map(({ name }) => name).join(', ')}.
          </List.Item>
        )}
        {owned.length > 0 && <List.Item>{owned.join(' and ')} will have no owner.</List.Item>}
      </List>
    </ConfirmDialog>
  )
}

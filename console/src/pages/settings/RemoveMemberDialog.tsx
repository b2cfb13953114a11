import { List } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../../api/client.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { tellDone } from '../../components/toast.tsx'
import { plural } from '../../lib/format.ts'

/** Asks before a member goes, and says what goes with them. */
export function RemoveMember({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const queryClient = useQueryClient()
  const theirs = { params: { query: { owner_id: member.id, per_page: 1 } } }
  const accounts = queries.useQuery('get', '/v1/accounts', theirs).data?.pagination.total ?? 0
  const people = queries.useQuery('get', '/v1/people', theirs).data?.pagination.total ?? 0
  const keys = queries.useQuery('get', '/v1/api-keys').data?.data.filter(({ member_id }) => member_id === member.id)
  const owned = [
    ...(accounts > 0 ? [plural(accounts, 'account')] : []),
    ...(people > 0 ? [plural(people, 'person', 'people')] : []),
  ]
  return (
    <Confirm
      title={`Remove ${member.name}?`}
      action="Remove"
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE('/v1/members/{id}', { params: { path: { id: member.id } } })
        await queryClient.invalidateQueries()
        tellDone(`${member.name} was removed.`)
      }}
    >
      This cannot be undone.
      <List size="sm" mt="xs" spacing={4}>
        <List.Item>They are signed out everywhere.</List.Item>
        {keys !== undefined && keys.length > 0 && (
          <List.Item>
            {plural(keys.length, 'API key')} of theirs {keys.length === 1 ? 'stops' : 'stop'} working:{' '}
            {keys.map(({ name }) => name).join(', ')}.
          </List.Item>
        )}
        {owned.length > 0 && <List.Item>{owned.join(' and ')} of theirs will have no owner.</List.Item>}
      </List>
    </Confirm>
  )
}

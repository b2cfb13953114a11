import { MultiSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { toastError } from '../../components/toast.tsx'

/** The lists of a person. */
export function PersonLists({ person, onChanged }: { person: Schemas['PersonWithLists']; onChanged: () => unknown }) {
  const { write } = useRights()
  const lists = queries.useQuery('get', '/v1/people/lists').data?.data ?? []
  const { mutate, variables, isPending } = useMutation({
    mutationFn: async (wanted: string[]) => {
      const changes = [
        ...wanted.filter((id) => !person.list_ids.includes(id)).map((id) => ({ id, body: { add: [person.id] } })),
        ...person.list_ids.filter((id) => !wanted.includes(id)).map((id) => ({ id, body: { remove: [person.id] } })),
      ]
      for (const { id, body } of changes) {
        await api.POST('/v1/people/lists/{id}/members', { params: { path: { id } }, body })
      }
    },
    onError: (error) => toastError('Lists not updated', error),
    onSettled: () => onChanged(),
  })
  if (!write) {
    const names = lists.filter(({ id }) => person.list_ids.includes(id)).map(({ name }) => name)
    return <Text size="sm">{names.join(', ') || 'No lists'}</Text>
  }
  return (
    <MultiSelect
      label="Lists"
      placeholder={person.list_ids.length === 0 ? 'No lists' : undefined}
      data={lists.map(({ id, name }) => ({ value: id, label: name }))}
      value={isPending ? variables : person.list_ids}
      onChange={(wanted) => mutate(wanted)}
      searchable
      nothingFoundMessage="No lists found"
    />
  )
}

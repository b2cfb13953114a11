import { ActionIcon, Checkbox, Divider, Group, Popover, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ListPlus, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../api/client.ts'
import { ErrorMessage, Loading } from './states.tsx'
import { toastError } from './toast.tsx'

/** The lists of a person: check to add, uncheck to remove, or create a new list. */
export function ListsMenu({ person }: { person: { id: string; full_name: string } }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus shadow="md" width={260}>
      <Popover.Target>
        <Tooltip label="Lists">
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => setOpen(!isOpen)}
            aria-label={`Lists for ${person.full_name}`}
          >
            <ListPlus size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Lists for ${person.full_name}`}>
        <Lists id={person.id} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Lists({ id }: { id: string }) {
  const client = useQueryClient()
  const lists = queries.useQuery('get', '/v1/people/lists', {})
  const person = queries.useQuery('get', '/v1/people/{id}', { params: { path: { id } } })
  const [typed, setTyped] = useState('')
  const refresh = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/people') })
  const put = useMutation({
    mutationFn: ({ list, isOn }: { list: string; isOn: boolean }) =>
      api.POST('/v1/people/lists/{id}/members', {
        params: { path: { id: list } },
        body: isOn ? { add: [id] } : { remove: [id] },
      }),
    onSettled: refresh,
    onError: (error) => toastError('List not updated', error),
  })
  const create = useMutation({
    mutationFn: async (name: string) => {
      const { data } = await api.POST('/v1/people/lists', { body: { name } })
      if (data) await put.mutateAsync({ list: data.data.id, isOn: true })
    },
    onSuccess: () => setTyped(''),
    onError: (error) => toastError('List not created', error),
  })
  if (lists.isError || person.isError) {
    return (
      <ErrorMessage error={lists.error ?? person.error} retry={() => [lists, person].map(({ refetch }) => refetch())} />
    )
  }
  if (lists.isPending || person.isPending) return <Loading lines={3} />
  const on = new Set(person.data.data.list_ids)
  return (
    <Stack gap="xs">
      {lists.data.data.length === 0 && (
        <Text size="sm" c="dimmed">
          No lists yet.
        </Text>
      )}
      {lists.data.data.map(({ id: list, name }) => (
        <Checkbox
          key={list}
          label={name}
          checked={on.has(list)}
          disabled={put.isPending}
          onChange={(event) => put.mutate({ list, isOn: event.currentTarget.checked })}
        />
      ))}
      <Divider />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim()) create.mutate(typed.trim())
        }}
      >
        <Group gap={6} wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label="New list name"
            placeholder="New list"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ActionIcon type="submit" variant="default" aria-label="Create list" loading={create.isPending}>
            <Plus size={14} aria-hidden />
          </ActionIcon>
        </Group>
      </form>
    </Stack>
  )
}

import { Button, Group, Menu, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ListMinus, ListPlus, Send, UserRound, X } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../../api/client.ts'
import { useMembers } from '../../api/members.ts'
import { PushDialog } from '../../components/PushDialog.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'

/** The selected people across all pages of a list. */
export function usePeopleSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return {
    selected,
    select: (ids: string[], isOn: boolean) =>
      setSelected((before) => {
        const after = new Set(before)
        for (const id of ids) isOn ? after.add(id) : after.delete(id)
        return after
      }),
    clear: () => setSelected(new Set()),
  }
}

type Props = { selected: ReadonlySet<string>; list: string | undefined; onClear: () => void }

/** The maximum number of ids per API call. */
const BATCH_SIZE = 500

/** Bulk actions for the selected people. */
export function SelectionBar({ selected, list, onClear }: Props) {
  const client = useQueryClient()
  const [isPushing, { open, close }] = useDisclosure()
  const { members } = useMembers()
  const lists = queries.useQuery('get', '/v1/people/lists').data?.data ?? []
  const ids = [...selected]
  const people = pluralize(ids.length, 'person', 'people')
  const refresh = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/people') })

  const change = useMutation({
    mutationFn: ({ id, how }: { id: string; name: string; how: 'add' | 'remove' }) => changeMembers(id, how, ids),
    onSuccess: (_, { id, name, how }) => {
      const back = how === 'add' ? 'remove' : 'add'
      toastSuccess(
        how === 'add' ? `${people} added to “${name}”` : `${people} removed from “${name}”`,
        () => changeMembers(id, back, ids).then(refresh),
        [id],
      )
    },
    onError: (error) => toastError('List not updated', error),
    onSettled: refresh,
  })
  const assign = useMutation({
    mutationFn: async (owner_id: string | null) => {
      for (const id of ids) await api.PUT('/v1/people/{id}/owner', { params: { path: { id } }, body: { owner_id } })
    },
    onSuccess: (_, owner) =>
      toastSuccess(
        owner
          ? `${people} assigned to ${members.find(({ id }) => id === owner)?.name ?? 'owner'}`
          : `${people} unassigned`,
      ),
    onError: (error) => toastError('Some people were not assigned', error),
    onSettled: refresh,
  })
  const openList = lists.find(({ id }) => id === list)
  return (
    <Paper
      withBorder
      p="xs"
      shadow="sm"
      component="section"
      aria-label="Bulk actions"
      pos="sticky"
      top={8}
      style={{ zIndex: 5 }}
    >
      <Group gap="xs">
        <Text size="sm" fw={600} px="xs" role="status">
          {people} selected
        </Text>
        <Menu>
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              loading={change.isPending}
              leftSection={<ListPlus size={14} aria-hidden />}
            >
              Add to list
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {lists.length === 0 && <Menu.Label>No lists yet</Menu.Label>}
            {lists.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => change.mutate({ id, name, how: 'add' })}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {openList && (
          <Button
            size="xs"
            variant="default"
            leftSection={<ListMinus size={14} aria-hidden />}
            onClick={() => change.mutate({ id: openList.id, name: openList.name, how: 'remove' })}
          >
            Remove from “{openList.name}”
          </Button>
        )}
        <Menu>
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              loading={assign.isPending}
              leftSection={<UserRound size={14} aria-hidden />}
            >
              Owner
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            <Menu.Item onClick={() => assign.mutate(null)}>No owner</Menu.Item>
            {members.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => assign.mutate(id)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button size="xs" variant="default" leftSection={<Send size={14} aria-hidden />} onClick={open}>
          Push
        </Button>
        <Button size="xs" variant="subtle" color="gray" leftSection={<X size={14} aria-hidden />} onClick={onClear}>
          Clear
        </Button>
      </Group>
      {isPushing && <PushDialog records={{ people: ids }} name={people} onClose={close} />}
    </Paper>
  )
}

async function changeMembers(id: string, how: 'add' | 'remove', ids: string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const body = { [how]: ids.slice(at, at + BATCH_SIZE) }
    await api.POST('/v1/people/lists/{id}/members', { params: { path: { id } }, body })
  }
}

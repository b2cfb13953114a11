import { ActionIcon, Button, Group, Menu, Popover, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useMe, useRights } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage } from '../../lib/errors.ts'
import { formatNumber, pluralize } from '../../lib/format.ts'

type List = Schemas['PeopleList']

export const listsQuery = queries.queryOptions('get', '/v1/people/lists')

/** The lists of people, with actions to create and delete lists. */
export function Lists({ open, onOpen }: { open: string | undefined; onOpen: (id: string | undefined) => void }) {
  const { write } = useRights()
  const { data } = queries.useQuery('get', '/v1/people/lists')
  const lists = data?.data ?? []
  const chosen = lists.find(({ id }) => id === open)
  const tab = (id: string | undefined, label: string, members?: number) => (
    <Button
      key={id ?? 'all'}
      size="compact-sm"
      radius="xl"
      fw={500}
      variant={open === id ? 'filled' : 'default'}
      aria-pressed={open === id}
      onClick={() => onOpen(id)}
    >
      {label}
      {members !== undefined && <span style={{ opacity: 0.75, marginInlineStart: 6 }}>{formatNumber(members)}</span>}
    </Button>
  )
  return (
    <Group gap={6} component="fieldset" aria-label="Lists" bd={0} p={0} m={0}>
      {tab(undefined, 'All people')}
      {lists.map(({ id, name, member_count }) => tab(id, name, member_count))}
      {write && <NewList onCreated={onOpen} />}
      {write && chosen && <ListMenu list={chosen} onDeleted={() => onOpen(undefined)} />}
    </Group>
  )
}

function NewList({ onCreated }: { onCreated: (id: string) => void }) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.POST('/v1/people/lists', { body: { name: name.trim() } }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: listsQuery.queryKey })
      setOpen(false)
      setName('')
      if (data) onCreated(data.data.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          size="compact-sm"
          radius="xl"
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          New list
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label="List name"
              placeholder="Q4 outreach"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={error ? errorMessage(error) : null}
              maxLength={120}
              data-autofocus
            />
            <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
              Create
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

function ListMenu({ list, onDeleted }: { list: List; onDeleted: () => void }) {
  const client = useQueryClient()
  const { member } = useMe()
  const { admin } = useRights()
  const [isDeleting, { open, close }] = useDisclosure()
  // Only the creator of a list and admins may delete it.
  if (!admin && list.created_by !== member.id) return null
  async function remove() {
    await api.DELETE('/v1/people/lists/{id}', { params: { path: { id: list.id } } })
    onDeleted()
    await client.invalidateQueries({ queryKey: listsQuery.queryKey })
    toastSuccess(`List “${list.name}” deleted`)
  }
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More actions for list ${list.name}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={open}>
            Delete list…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && (
        <ConfirmDialog title={`Delete list “${list.name}”?`} action="Delete list" onConfirm={remove} onClose={close}>
          <Text size="sm">
            {list.member_count > 0
              ? `${pluralize(list.member_count, 'person', 'people')} will be removed from the list, but not deleted.`
              : 'This list is empty.'}
          </Text>
        </ConfirmDialog>
      )}
    </>
  )
}

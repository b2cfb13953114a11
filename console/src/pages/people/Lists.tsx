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

/** Everybody, or one of the lists; a new list; what can be done with the one that is open. */
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
      {tab(undefined, 'Everybody')}
      {lists.map(({ id, name, member_count }) => tab(id, name, member_count))}
      {write && <NewList onMade={onOpen} />}
      {write && chosen && <ListMenu list={chosen} onDeleted={() => onOpen(undefined)} />}
    </Group>
  )
}

function NewList({ onMade }: { onMade: (id: string) => void }) {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.POST('/v1/people/lists', { body: { name: name.trim() } }),
    onSuccess: async ({ data }) => {
      await client.invalidateQueries({ queryKey: listsQuery.queryKey })
      setOpen(false)
      setName('')
      if (data) onMade(data.data.id)
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
              label="Name of the list"
              placeholder="Q4 outreach"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={error ? errorMessage(error) : null}
              maxLength={120}
              data-autofocus
            />
            <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
              Make it
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
  // Whoever made a list may delete it, and admins.
  if (!admin && list.created_by !== member.id) return null
  async function remove() {
    await api.DELETE('/v1/people/lists/{id}', { params: { path: { id: list.id } } })
    onDeleted()
    await client.invalidateQueries({ queryKey: listsQuery.queryKey })
    toastSuccess(`The list “${list.name}” was deleted`)
  }
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`More for the list ${list.name}`}>
            <Ellipsis size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<Trash2 size={14} aria-hidden />} onClick={open}>
            Delete the list…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && (
        <ConfirmDialog
          title={`Delete the list “${list.name}”?`}
          action="Delete the list"
          onConfirm={remove}
          onClose={close}
        >
          <Text size="sm">
            {list.member_count > 0
              ? `Which ${pluralize(list.member_count, 'person is', 'people are')} on it is forgotten. They themselves stay.`
              : 'Nobody is on it.'}
          </Text>
        </ConfirmDialog>
      )}
    </>
  )
}

import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { plural } from '../../components/numbers.ts'
import { Failed } from '../../components/states.tsx'
import { tellDone } from '../../components/tell.tsx'
import { type AccountRecord, type Finding, usePeople } from './use-account.ts'

type Props = { account: AccountRecord; findings: readonly Finding[]; onClose: () => void }

/** Says what goes with the account before it is deleted. */
export function DeleteDialog({ account: { id, name, status }, findings, onClose }: Props) {
  const people = usePeople(id)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => api.DELETE('/v1/accounts/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      tellDone(`${name} is deleted`)
      await navigate({ to: '/accounts' })
      client.removeQueries({ queryKey: ['get', '/v1/accounts/{id}'] })
      await client.invalidateQueries()
    },
  })
  const known = people.data?.pagination.total
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}?`}>
      <Stack gap="md">
        <div>
          <Text size="sm" mb={6}>
            With it goes, for everybody and for good:
          </Text>
          <List size="sm">
            <List.Item>
              {plural(findings.length, 'finding')} with their evidence and drafts, and what you said of them
            </List.Item>
            <List.Item>
              {known === undefined
                ? 'everybody known there'
                : `${plural(known, 'person', 'people')} with their addresses, owners and places on lists`}
            </List.Item>
            <List.Item>its timeline and its scans</List.Item>
            {status === 'active' && <List.Item>the watch over its pages; the activation stays used</List.Item>}
          </List>
        </div>
        <Text size="sm" c="dimmed">
          It cannot be undone. To only stop watching it, choose Stop watching or Reject instead.
        </Text>
        {remove.isError && <Failed error={remove.error} what="It was not deleted" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete {name.length > 24 ? 'it' : name}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

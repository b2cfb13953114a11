import { Badge, Button, Divider, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Send, Trash2, UserX } from 'lucide-react'
import { ApiError, api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { PageLink } from '../../components/links.tsx'
import { OwnerPicker } from '../../components/OwnerPicker.tsx'
import { PushDialog } from '../../components/PushDialog.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import { downloadPerson } from './download.ts'
import { levelName } from './labels.ts'
import { PersonFacts } from './PersonFacts.tsx'
import { PersonLists } from './PersonLists.tsx'

type FullPerson = Schemas['PersonWithLists']

/** The details of a person and the actions on them. */
export function PersonDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = queries.useQuery('get', '/v1/people/{id}', { params: { path: { id } } })
  const person = data?.data
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={person?.full_name ?? 'Person'}
      styles={{ title: { fontWeight: 650, fontSize: '1.125rem' } }}
    >
      {isPending && <Loading lines={8} />}
      {isGone && (
        <EmptyState icon={UserX} title="Person not found">
          They may have been deleted, or belong to an account you can’t see.
        </EmptyState>
      )}
      {error && !isGone && <ErrorMessage error={error} retry={refetch} />}
      {person && <Details person={person} onClose={onClose} />}
    </Drawer>
  )
}

function Details({ person, onClose }: { person: FullPerson; onClose: () => void }) {
  const { write } = useRights()
  const client = useQueryClient()
  const [isPushing, push] = useDisclosure()
  const [isErasing, erase] = useDisclosure()
  const refresh = () =>
    client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/people') })
  const assign = useMutation({
    mutationFn: (owner_id: string | null) =>
      api.PUT('/v1/people/{id}/owner', { params: { path: { id: person.id } }, body: { owner_id } }),
    onError: (error) => toastError('Owner not updated', error),
    onSettled: refresh,
  })
  const download = useMutation({
    mutationFn: () => downloadPerson(person.id, person.full_name),
    onError: (error) => toastError('Export failed', error),
  })
  return (
    <Stack gap="md">
      <div>
        <Text size="sm">{person.title ?? 'No title'}</Text>
        <Group gap={6}>
          <PageLink to="/accounts/$id" params={{ id: person.account_id }} size="sm">
            {person.account_name}
          </PageLink>
          {person.job_level && (
            <Badge variant="light" color="gray" radius="sm" tt="none" fw={500}>
              {levelName(person.job_level)}
            </Badge>
          )}
        </Group>
        {person.headline && (
          <Text size="sm" c="dimmed" mt={4}>
            {person.headline}
          </Text>
        )}
      </div>
      <PersonFacts person={person} />
      <Divider />
      <Title order={3}>Owner and lists</Title>
      {write ? (
        <OwnerPicker
          label="Owner"
          aria-label="Owner"
          value={assign.isPending ? (assign.variables ?? null) : person.owner_id}
          onChange={(owner) => assign.mutate(owner)}
        />
      ) : null}
      <PersonLists person={person} onChanged={refresh} />
      <Divider />
      <Group gap="xs">
        {write && (
          <Button size="xs" variant="default" leftSection={<Send size={14} aria-hidden />} onClick={push.open}>
            Push
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Export data
        </Button>
        {write && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            leftSection={<Trash2 size={14} aria-hidden />}
            onClick={erase.open}
          >
            Delete…
          </Button>
        )}
      </Group>
      {isPushing && <PushDialog records={{ people: [person.id] }} name={person.full_name} onClose={push.close} />}
      {isErasing && (
        <ConfirmDialog
          title={`Delete ${person.full_name}?`}
          action="Delete permanently"
          onClose={erase.close}
          onConfirm={async () => {
            await api.DELETE('/v1/people/{id}', { params: { path: { id: person.id } } })
            onClose()
            await refresh()
            toastSuccess(`${person.full_name} deleted`)
          }}
        >
          <Text size="sm">
            This deletes all their data: title, contact details
            {person.list_ids.length > 0 && `, ${pluralize(person.list_ids.length, 'list membership')}`}, search results
            and mentions. They won’t be added again. Data already pushed to a CRM or webhook is not deleted. This cannot
            be undone.
          </Text>
        </ConfirmDialog>
      )}
    </Stack>
  )
}

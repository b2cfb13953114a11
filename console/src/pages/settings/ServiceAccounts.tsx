import { Button, Paper, Table, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { pluralize } from '../../lib/format.ts'
import { SettingsSection } from './Section.tsx'

type ServiceAccount = Schemas['ServiceAccount']

/** The identities of integrations, so that their keys do not end with a member. */
export function ServiceAccounts() {
  const accounts = queries.useQuery('get', '/v1/service-accounts')
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<ServiceAccount | null>(null)
  return (
    <SettingsSection
      title="Service accounts"
      lead="For integrations that belong to no member. Their keys keep working when a member leaves."
      actions={
        <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Add service account
        </Button>
      }
    >
      {accounts.isPending ? (
        <Loading />
      ) : accounts.isError ? (
        <ErrorMessage error={accounts.error} retry={accounts.refetch} />
      ) : accounts.data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No service accounts yet.
        </Text>
      ) : (
        <Paper withBorder>
          <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th visibleFrom="sm">Last used</Table.Th>
                <Table.Th w={100}>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {accounts.data.data.map((account) => (
                <Table.Tr key={account.id}>
                  <Table.Td>
                    <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                      {account.name}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {pluralize(account.keys, 'key')}
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <RelativeTime at={account.last_used_at} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      color="red"
                      onClick={() => setRemoved(account)}
                      aria-label={`Remove ${account.name}`}
                    >
                      Remove
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {isAdding && <AddServiceAccount onClose={() => setAdding(false)} />}
      {removed && <RemoveServiceAccount account={removed} onClose={() => setRemoved(null)} />}
    </SettingsSection>
  )
}

function AddServiceAccount({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: async () => {
      await api.POST('/v1/service-accounts', { body: { name } })
      const { queryKey } = queries.queryOptions('get', '/v1/service-accounts')
      await queryClient.invalidateQueries({ queryKey })
    },
    onSuccess: () => {
      onClose()
      toastSuccess(`${name} added. Create a key that acts as it.`)
    },
  })
  const errors = fieldErrors(add.error)
  return (
    <FormDialog
      title="Add service account"
      action="Add"
      onClose={onClose}
      onSubmit={add.mutate}
      isPending={add.isPending}
      error={add.isError && Object.keys(errors).length === 0 ? errorMessage(add.error) : null}
    >
      <TextInput
        label="Name"
        description="e.g. Warehouse sync"
        required
        data-autofocus
        maxLength={120}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.name}
      />
    </FormDialog>
  )
}

function RemoveServiceAccount({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      title={`Remove ${account.name}?`}
      action="Remove"
      onClose={onClose}
      onConfirm={async () => {
        await api.DELETE('/v1/service-accounts/{id}', { params: { path: { id: account.id } } })
        toastSuccess(`${account.name} removed`)
        await queryClient.invalidateQueries()
      }}
    >
      {account.keys > 0 ? `${pluralize(account.keys, 'key')} will stop working.` : 'It has no keys.'} Its alert rules
      are deleted too. This cannot be undone.
    </ConfirmDialog>
  )
}

import { Button, Checkbox, Group, Modal, NativeSelect, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'

const DAY = 86_400_000
const EXPIRY_OPTIONS = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
]

/** Creates an API key, then shows it once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const me = useMe()
  const { members } = useMembers()
  const [name, setName] = useState('')
  const [memberId, setMemberId] = useState(me.member.id)
  const [isReadOnly, setReadOnly] = useState(false)
  const [days, setDays] = useState('')
  const create = useMutation({
    mutationFn: async () => {
      const expires_at = days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null
      const body = { name, member_id: memberId, read_only: isReadOnly, expires_at }
      const { data } = await api.POST('/v1/api-keys', { body })
      await queryClient.invalidateQueries({ queryKey: queries.queryOptions('get', '/v1/api-keys').queryKey })
      return data?.data
    },
  })
  const errors = fieldErrors(create.error)

  if (create.data) {
    return (
      <Modal opened onClose={onClose} title={`API key ${create.data.name}`} size="lg" closeOnClickOutside={false}>
        <Stack gap="md">
          <Text size="sm">Copy this key now. You won’t be able to see it again.</Text>
          <CopyField label="API key" value={create.data.key} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  return (
    <FormDialog
      title="Create API key"
      action="Create key"
      onClose={onClose}
      onSubmit={create.mutate}
      isPending={create.isPending}
      error={create.isError && Object.keys(errors).length === 0 ? errorMessage(create.error) : null}
    >
      <TextInput
        label="Name"
        description="e.g. CRM sync"
        required
        data-autofocus
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.name}
      />
      <Select
        label="Member"
        description="The key has the permissions of this member"
        searchable
        allowDeselect={false}
        data={members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        value={memberId}
        onChange={(value) => value && setMemberId(value)}
        error={errors.member_id}
      />
      <Checkbox
        label="Read-only"
        description="Can’t make changes or see secrets"
        checked={isReadOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
      <NativeSelect
        label="Expires"
        data={EXPIRY_OPTIONS}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        error={errors.expires_at}
      />
    </FormDialog>
  )
}

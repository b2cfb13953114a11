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
  { value: '365', label: 'In a year' },
]

/** A new key, and then the key itself, which is shown this once. */
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
  const beside = fieldErrors(create.error)

  if (create.data) {
    return (
      <Modal opened onClose={onClose} title={`The key ${create.data.name}`} size="lg" closeOnClickOutside={false}>
        <Stack gap="md">
          <Text size="sm">Copy it now and keep it where you keep passwords: it is shown this once.</Text>
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
      title="Create an API key"
      action="Create key"
      onClose={onClose}
      onSubmit={create.mutate}
      isPending={create.isPending}
      error={create.isError && Object.keys(beside).length === 0 ? errorMessage(create.error) : null}
    >
      <TextInput
        label="Name"
        description="What it is for, such as CRM sync"
        required
        data-autofocus
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={beside.name}
      />
      <Select
        label="Whose"
        description="It does what this member may do"
        searchable
        allowDeselect={false}
        data={members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        value={memberId}
        onChange={(value) => value && setMemberId(value)}
        error={beside.member_id}
      />
      <Checkbox
        label="Only reads"
        description="It changes nothing and sees no secrets"
        checked={isReadOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
      <NativeSelect
        label="Ends"
        data={EXPIRY_OPTIONS}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        error={beside.expires_at}
      />
    </FormDialog>
  )
}

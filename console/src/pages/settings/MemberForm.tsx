import { Radio, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api, queries, type Schemas } from '../../api/client.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'

type Member = Schemas['Member']
type Fields = Pick<Member, 'name' | 'email' | 'role' | 'visibility'>
type Props = { member?: Member; onClose: () => void; onAdded?: (member: Member) => void }

/** Adds or edits a member. */
export function MemberForm({ member, onClose, onAdded }: Props) {
  const queryClient = useQueryClient()
  // The values when the form was opened, for undo; the record changes after saving.
  const [before] = useState<Fields>(() => ({
    name: member?.name ?? '',
    email: member?.email ?? '',
    role: member?.role ?? 'member',
    visibility: member?.visibility ?? 'all',
  }))
  const [fields, setFields] = useState(before)
  const set = (part: Partial<Fields>) => setFields((others) => ({ ...others, ...part }))
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: queries.queryOptions('get', '/v1/members').queryKey }),
      queryClient.invalidateQueries({ queryKey: queries.queryOptions('get', '/v1/me').queryKey }),
    ])
  const change = async (id: string, body: Fields) => {
    await api.PATCH('/v1/members/{id}', { params: { path: { id } }, body })
    await refresh()
  }
  const save = useMutation({
    mutationFn: async () => {
      if (member) return void (await change(member.id, fields))
      const { data } = await api.POST('/v1/members', { body: fields })
      await refresh()
      return data?.data
    },
    onSuccess: (added) => {
      onClose()
      if (added) onAdded?.(added)
      else if (member) toastSuccess(`${fields.name} updated`, () => change(member.id, before), [member.id])
    },
  })
  const isTaken = save.error instanceof ApiError && save.error.code === 'email_taken'
  const errors = isTaken ? { email: errorMessage(save.error) } : fieldErrors(save.error)

  return (
    <FormDialog
      title={member ? `Edit ${member.name}` : 'Add member'}
      action={member ? 'Save' : 'Add member'}
      onClose={onClose}
      onSubmit={save.mutate}
      isPending={save.isPending}
      error={save.isError && Object.keys(errors).length === 0 ? errorMessage(save.error) : null}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={120}
        value={fields.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={errors.name}
      />
      <TextInput
        label="Email"
        type="email"
        required
        maxLength={254}
        value={fields.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
        error={errors.email}
      />
      <Radio.Group label="Role" value={fields.role} onChange={(role) => set({ role: role as Fields['role'] })}>
        <Stack gap="xs" mt={6}>
          <Radio value="member" label="Member" description="Can work with accounts, people and deliveries" />
          <Radio
            value="admin"
            label="Admin"
            description="Can also manage members, API keys, connections and the plan"
          />
        </Stack>
      </Radio.Group>
      <Radio.Group
        label="Visibility"
        value={fields.role === 'admin' ? 'all' : fields.visibility}
        onChange={(visibility) => set({ visibility: visibility as Fields['visibility'] })}
      >
        <Stack gap="xs" mt={6}>
          <Radio
            value="all"
            label="All people"
            description={fields.role === 'admin' ? 'Admins see all people' : 'People at all accounts'}
          />
          <Radio
            value="scoped"
            disabled={fields.role === 'admin'}
            label="Own accounts only"
            description="People at accounts they own or assigned to them. All accounts stay visible."
          />
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}

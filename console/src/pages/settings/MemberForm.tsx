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

/** A new member, or changes to one. Errors stand beside their fields, and what was typed stays. */
export function MemberForm({ member, onClose, onAdded }: Props) {
  const queryClient = useQueryClient()
  // As it was when the form was opened: the record itself follows what is saved.
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
      else if (member) toastSuccess(`${fields.name} was changed.`, () => change(member.id, before))
    },
  })
  const isTaken = save.error instanceof ApiError && save.error.code === 'email_taken'
  const beside = isTaken ? { email: errorMessage(save.error) } : fieldErrors(save.error)

  return (
    <FormDialog
      title={member ? `Change ${member.name}` : 'Add a member'}
      action={member ? 'Save' : 'Add member'}
      onClose={onClose}
      onSubmit={save.mutate}
      isPending={save.isPending}
      error={save.isError && Object.keys(beside).length === 0 ? errorMessage(save.error) : null}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={120}
        value={fields.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        error={beside.name}
      />
      <TextInput
        label="Email"
        type="email"
        required
        maxLength={254}
        value={fields.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
        error={beside.email}
      />
      <Radio.Group label="Role" value={fields.role} onChange={(role) => set({ role: role as Fields['role'] })}>
        <Stack gap="xs" mt={6}>
          <Radio value="member" label="Member" description="Works with accounts, people and deliveries" />
          <Radio value="admin" label="Admin" description="Also manages members, keys, connections and the plan" />
        </Stack>
      </Radio.Group>
      <Radio.Group
        label="Sees"
        value={fields.role === 'admin' ? 'all' : fields.visibility}
        onChange={(visibility) => set({ visibility: visibility as Fields['visibility'] })}
      >
        <Stack gap="xs" mt={6}>
          <Radio
            value="all"
            label="Everybody"
            description={fields.role === 'admin' ? 'Admins see everybody' : 'All people at all accounts'}
          />
          <Radio
            value="scoped"
            disabled={fields.role === 'admin'}
            label="People at their own accounts"
            description="And those assigned to them; all companies stay visible"
          />
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}

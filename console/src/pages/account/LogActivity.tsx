import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { logActivity } from '../../api/work-items.ts'
import { toastError } from '../../components/toast.tsx'
import { type AccountRecord, useAccountPeople, useRefreshAccount } from './use-account.ts'

const KINDS = [
  { value: 'replied', label: 'Reply' },
  { value: 'meeting', label: 'Meeting' },
  { value: 'called', label: 'Call' },
  { value: 'noted', label: 'Note' },
] as const
type Kind = (typeof KINDS)[number]['value']

const MAX_NOTE_CHARS = 2_000

/** Logs a reply, a meeting, a call or a note. A call also closes the open item of the account. */
export function LogActivity({ account }: { account: AccountRecord }) {
  const [kind, setKind] = useState<Kind>('replied')
  const [personId, setPersonId] = useState('')
  const [note, setNote] = useState('')
  const people = useAccountPeople(account.id)
  const refresh = useRefreshAccount()
  const log = useMutation({
    mutationFn: () =>
      logActivity(account.id, { kind, note: note.trim() || null, ...(personId && { person_id: personId }) }),
    onSuccess: async () => {
      setNote('')
      await refresh()
    },
    onError: (error) => toastError('Not logged', error),
  })
  return (
    <form
      aria-label="Log a reply, call or note"
      onSubmit={(event) => {
        event.preventDefault()
        log.mutate()
      }}
    >
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label="Log"
          data={KINDS.map((one) => ({ ...one }))}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as Kind)}
        />
        <NativeSelect
          label="With"
          data={[
            { value: '', label: 'No one in particular' },
            ...(people.data?.data ?? []).map(({ id, full_name }) => ({ value: id, label: full_name })),
          ]}
          value={personId}
          onChange={(event) => setPersonId(event.currentTarget.value)}
        />
        <TextInput
          label="What was said"
          flex={1}
          miw={200}
          maxLength={MAX_NOTE_CHARS}
          required={kind === 'noted'}
          withAsterisk={false}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={log.isPending}>
          Log
        </Button>
      </Group>
    </form>
  )
}

import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Mail, Phone } from 'lucide-react'
import { api, type Schemas } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { WORK_ITEMS_KEY } from '../api/work-items.ts'
import { CopyButton } from './CopyButton.tsx'
import { RelativeTime } from './time.tsx'
import { toastError } from './toast.tsx'

type Person = Pick<
  Schemas['Person'],
  'id' | 'full_name' | 'email' | 'email_checked_at' | 'email_reason' | 'phone' | 'phone_checked_at' | 'phone_reason'
>

/** The email or phone of a person, a button to reveal it, or the reason why none was found. */
export function RevealButton({ person, what }: { person: Person; what: 'email' | 'phone' }) {
  const { write } = useRights()
  const client = useQueryClient()
  const reveal = useMutation({
    mutationFn: () => requestReveal(person.id, what),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['get', '/v1/people'] }),
        client.invalidateQueries({ queryKey: ['get', '/v1/people/{id}'] }),
        client.invalidateQueries({ queryKey: WORK_ITEMS_KEY }),
      ]),
    onError: (error) =>
      toastError(`${what === 'email' ? 'Email' : 'Phone'} lookup failed for ${person.full_name}`, error),
  })
  const known = person[what] ?? reveal.data?.value ?? null
  if (known !== null) return <ContactValue value={known} what={what} name={person.full_name} />

  const checkedAt = person[`${what}_checked_at`]
  const isChecked = reveal.isSuccess || checkedAt !== null
  const Icon = what === 'email' ? Mail : Phone
  return (
    <Stack gap={2} align="flex-start">
      {isChecked && (
        <Text size="xs" c="dimmed" maw={260} role={reveal.isSuccess ? 'status' : undefined}>
          {reveal.data?.reason ?? person[`${what}_reason`] ?? (
            <>
              No {what === 'email' ? 'verified email' : 'phone'} found, checked <RelativeTime at={checkedAt} />
            </>
          )}
        </Text>
      )}
      {write && (
        <Button
          size="compact-xs"
          variant={isChecked ? 'subtle' : 'default'}
          color="gray"
          loading={reveal.isPending}
          leftSection={<Icon size={12} aria-hidden />}
          onClick={() => reveal.mutate()}
          aria-label={`${isChecked ? 'Retry' : 'Reveal'} ${what} for ${person.full_name}`}
        >
          {isChecked ? 'Retry' : `Reveal ${what}`}
        </Button>
      )}
      {!write && !isChecked && (
        <Text size="xs" c="dimmed">
          Not revealed
        </Text>
      )}
    </Stack>
  )
}

function ContactValue({ value, what, name }: { value: string; what: 'email' | 'phone'; name: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Anchor href={`${what === 'email' ? 'mailto' : 'tel'}:${value}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Anchor>
      <CopyButton icon value={value} label={`Copy ${what} of ${name}`} />
    </Group>
  )
}

async function requestReveal(
  id: string,
  what: 'email' | 'phone',
): Promise<{ value: string | null; reason: string | null }> {
  const params = { path: { id } }
  if (what === 'email') {
    const { data } = await api.POST('/v1/people/{id}/email', { params })
    return { value: data?.data.email ?? null, reason: data?.data.reason ?? null }
  }
  const { data } = await api.POST('/v1/people/{id}/phone', { params })
  return { value: data?.data.phone ?? null, reason: data?.data.reason ?? null }
}

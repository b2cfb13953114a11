import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Mail, Phone } from 'lucide-react'
import { api, type Schemas } from '../api/client.ts'
import { useRights } from '../api/me.ts'
import { CopyButton } from './CopyButton.tsx'
import { RelativeTime } from './time.tsx'
import { toastError } from './toast.tsx'

type Person = Pick<
  Schemas['Person'],
  'id' | 'full_name' | 'email' | 'email_checked_at' | 'email_reason' | 'phone' | 'phone_checked_at' | 'phone_reason'
>

/** The email or phone of somebody, a button that looks for it, or the reason why there is none. */
export function RevealButton({ person, what }: { person: Person; what: 'email' | 'phone' }) {
  const { write } = useRights()
  const client = useQueryClient()
  const reveal = useMutation({
    mutationFn: () => requestReveal(person.id, what),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['get', '/v1/people'] }),
        client.invalidateQueries({ queryKey: ['get', '/v1/people/{id}'] }),
      ]),
    onError: (error) => toastError(`The ${what} of ${person.full_name} could not be looked for`, error),
  })
  const known = person[what] ?? reveal.data?.value ?? null
  if (known !== null) return <ContactValue value={known} what={what} name={person.full_name} />

  const checkedAt = person[`${what}_checked_at`]
  const hasLooked = reveal.isSuccess || checkedAt !== null
  const Icon = what === 'email' ? Mail : Phone
  return (
    <Stack gap={2} align="flex-start">
      {hasLooked && (
        <Text size="xs" c="dimmed" maw={260} role={reveal.isSuccess ? 'status' : undefined}>
          {reveal.data?.reason ?? person[`${what}_reason`] ?? (
            <>
              No {what === 'email' ? 'verified email' : 'phone'}, looked for <RelativeTime at={checkedAt} />
            </>
          )}
        </Text>
      )}
      {write && (
        <Button
          size="compact-xs"
          variant={hasLooked ? 'subtle' : 'default'}
          color="gray"
          loading={reveal.isPending}
          leftSection={<Icon size={12} aria-hidden />}
          onClick={() => reveal.mutate()}
          aria-label={`${hasLooked ? 'Look again for' : 'Reveal'} the ${what} of ${person.full_name}`}
        >
          {hasLooked ? 'Look again' : `Reveal ${what}`}
        </Button>
      )}
      {!write && !hasLooked && (
        <Text size="xs" c="dimmed">
          Not looked for yet
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
      <CopyButton icon value={value} label={`Copy the ${what} of ${name}`} />
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

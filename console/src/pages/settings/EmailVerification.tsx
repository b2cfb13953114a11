import { Alert, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Info } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { FieldForm } from '../../components/FieldForm.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { SettingsSection } from './Section.tsx'

const KEY = queries.queryOptions('get', '/v1/integrations/email-verification').queryKey

/** Whether the addresses of people can be proven, and who asks. */
export default function EmailVerification() {
  const verification = queries.useQuery('get', '/v1/integrations/email-verification')
  return (
    <SettingsSection
      title="Email verification"
      lead="Bellwether gives a work address only when a mail server says that the mailbox exists, or the company publishes it. Mail servers want to know who asks."
    >
      {verification.isPending ? (
        <Loading lines={3} />
      ) : verification.isError ? (
        <ErrorMessage error={verification.error} retry={verification.refetch} />
      ) : (
        <Form key={verification.data.data.from} verification={verification.data.data} />
      )}
    </SettingsSection>
  )
}

function Form({ verification }: { verification: Schemas['EmailVerification'] }) {
  const { enabled, set_by, vendor } = verification
  const { admin } = useRights()
  const queryClient = useQueryClient()
  const [from, setFrom] = useState(verification.from ?? '')
  const save = useMutation({
    mutationFn: (from: string | null) => api.PUT('/v1/integrations/email-verification', { body: { from } }),
    onSuccess: async ({ data }) => {
      if (data) queryClient.setQueryData(KEY, data)
      await queryClient.invalidateQueries({ queryKey: ['get', '/v1/sources'] })
      toastSuccess('Email verification saved.')
    },
  })
  return (
    <Stack gap="md" maw={640}>
      {enabled ? (
        <Alert variant="light" icon={<CircleCheck size={18} aria-hidden />} title="Addresses are verified">
          {verification.from && `Mail servers are told that ${verification.from} asks. `}
          {vendor && 'What they leave open, ZeroBounce is asked.'}
        </Alert>
      ) : (
        <Alert variant="light" color="gray" icon={<Info size={18} aria-hidden />} title="Addresses are not verified">
          Only addresses that companies publish themselves are given.{' '}
          {admin ? 'Name an address of yours below, and mail servers are asked.' : 'Ask an admin to name an address.'}
        </Alert>
      )}
      {admin && (
        <FieldForm
          isPending={save.isPending}
          isDisabled={from.trim() === (verification.from ?? '')}
          onSave={() => save.mutate(from.trim() || null)}
        >
          <TextInput
            label="Address that asks"
            description="One of your company’s own. No mail is sent."
            type="email"
            placeholder="sales@yourcompany.com"
            flex={1}
            miw={240}
            value={from}
            onChange={(event) => setFrom(event.currentTarget.value)}
            error={save.isError ? (fieldErrors(save.error).from ?? errorMessage(save.error)) : null}
          />
        </FieldForm>
      )}
      {set_by === 'environment' && (
        <Text size="sm" c="dimmed">
          It was set by whoever runs the service; an address named here counts before it.
        </Text>
      )}
    </Stack>
  )
}

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

/** The status of email verification and its sender address. */
export default function EmailVerification() {
  const verification = queries.useQuery('get', '/v1/integrations/email-verification')
  return (
    <SettingsSection
      title="Email verification"
      lead="Work emails are shown only if a mail server confirms the mailbox or the company publishes the address."
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
      toastSuccess('Email verification saved')
    },
  })
  return (
    <Stack gap="md" maw={640}>
      {enabled ? (
        <Alert variant="light" icon={<CircleCheck size={18} aria-hidden />} title="Email verification is on">
          {verification.from && `Sender address for checks: ${verification.from}. `}
          {vendor && 'ZeroBounce is used if the mail server doesn’t answer.'}
        </Alert>
      ) : (
        <Alert variant="light" color="gray" icon={<Info size={18} aria-hidden />} title="Email verification is off">
          Only addresses published by companies are shown.{' '}
          {admin ? 'Enter a sender address to turn it on.' : 'Ask an admin to turn it on.'}
        </Alert>
      )}
      {admin && (
        <FieldForm
          isPending={save.isPending}
          isDisabled={from.trim() === (verification.from ?? '')}
          onSave={() => save.mutate(from.trim() || null)}
        >
          <TextInput
            label="Sender address for checks"
            description="Identifies you to mail servers. No email is sent."
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
          Set with EMAIL_VERIFY_FROM in the environment of the server. An address saved here takes precedence.
        </Text>
      )}
    </Stack>
  )
}

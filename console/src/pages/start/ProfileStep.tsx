import { SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'
import { ErrorMessage, ErrorText, Loading } from '../../components/states.tsx'
import { errorMessage } from '../../lib/errors.ts'
import type { StepProps } from './Start.tsx'
import { StepActions } from './StepActions.tsx'

const myProfileQuery = queries.queryOptions('get', '/v1/me/profile', {})

/** The name of the first admin before anyone has set one. */
const UNNAMED = 'Admin'

/** Who signs the drafts. */
export function ProfileStep(props: StepProps) {
  const profile = useQuery(myProfileQuery)
  const company = queries.useQuery('get', '/v1/company-profile')
  if (profile.isPending || company.isPending) return <Loading lines={4} />
  if (profile.isError) return <ErrorMessage error={profile.error} retry={profile.refetch} />
  return <Form profile={profile.data.data} company={company.data?.data.name ?? ''} {...props} />
}

function Form({ profile, company, onDone, onLater }: StepProps & { profile: Schemas['MyProfile']; company: string }) {
  const client = useQueryClient()
  const [name, setName] = useState(profile.name === UNNAMED ? '' : profile.name)
  const [title, setTitle] = useState(profile.job_title ?? '')
  const [signature, setSignature] = useState(profile.signature)
  // Until the member writes another one, it follows from the fields above.
  const suggested = [name.trim(), [title.trim(), company].filter(Boolean).join(', ')].filter(Boolean).join('\n')
  const text = signature ?? (name.trim() ? suggested : '')
  const save = useMutation({
    mutationFn: () =>
      api.PATCH('/v1/me/profile', { body: { name: name.trim(), job_title: title.trim() || null, signature: text } }),
    onSuccess: async ({ data }) => {
      client.setQueryData(myProfileQuery.queryKey, data)
      await client.invalidateQueries({ queryKey: meQuery.queryKey })
      onDone()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">Drafted messages are written and signed in your name.</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label="Name"
            placeholder="Dana Whitfield"
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={120}
            required
            autoFocus
          />
          <TextInput
            label="Job title"
            placeholder="Account Executive"
            autoComplete="organization-title"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            maxLength={120}
          />
        </SimpleGrid>
        <Textarea
          label="Signature"
          description="Ends your emails."
          value={text}
          onChange={(event) => setSignature(event.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={6}
          maxLength={1_000}
          required
        />
        {save.error && <ErrorText>{errorMessage(save.error)}</ErrorText>}
        <StepActions
          action="Continue"
          isPending={save.isPending}
          isDisabled={name.trim() === '' || text.trim() === ''}
          onLater={onLater}
        />
      </Stack>
    </form>
  )
}

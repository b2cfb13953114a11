import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { errorMessage } from '../../lib/errors.ts'

/** Requests a sign-in link by email. */
export function EmailForm() {
  const [email, setEmail] = useState('')
  const request = useMutation({
    mutationFn: () => api.POST('/v1/sign-in-links/email', { body: { email: email.trim() } }),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        request.mutate()
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={request.isError ? errorMessage(request.error) : null}
        />
        <Button type="submit" loading={request.isPending} disabled={email.trim() === ''}>
          Email me a sign-in link
        </Button>
        {request.data && (
          <Alert color="green" variant="light" role="status">
            Check your inbox: if {request.data.data?.data.email} belongs to a member, a link is on its way. It works for
            15 minutes.
          </Alert>
        )}
      </Stack>
    </form>
  )
}

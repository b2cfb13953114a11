import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { errorMessage } from '../../lib/errors.ts'

/** Signs in with an API key. The browser keeps a session in its place, never the key. */
export function KeyForm({ onSignedIn, hint = true }: { onSignedIn: () => void; hint?: boolean }) {
  const [key, setKey] = useState('')
  const signIn = useMutation({
    // Typed by hand, so it is meant: another member who is signed in here is signed out.
    mutationFn: () => api.POST('/v1/sessions', { body: { key: key.trim(), replace: true } }),
    onSuccess: onSignedIn,
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      <Stack gap="sm">
        <PasswordInput
          label="API key"
          description="It is used once to sign in and is not kept in this browser."
          placeholder="bw_…"
          autoComplete="off"
          required
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={signIn.isError ? errorMessage(signIn.error) : null}
        />
        <Button type="submit" loading={signIn.isPending} disabled={key.trim() === ''}>
          Sign in
        </Button>
        {hint && (
          <Text size="xs" c="dimmed">
            No key at hand? Ask an admin for a sign-in link (Settings, Members), or run “npx bellwether sign-in” where
            the service runs.
          </Text>
        )}
      </Stack>
    </form>
  )
}

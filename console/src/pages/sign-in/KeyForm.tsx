import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { errorMessage } from '../../lib/errors.ts'

type Props = {
  onSignedIn: () => void
  /** Whether to say where a key comes from. */
  hint?: boolean
  /** Whether it is the only way to sign in. */
  isOnly?: boolean
}

/** Signs in with an API key. The browser stores a session, never the key. */
export function KeyForm({ onSignedIn, hint = true, isOnly = true }: Props) {
  const [key, setKey] = useState('')
  const signIn = useMutation({
    // An entered key is intentional, so it replaces the session of another member.
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
          description="Used once to sign in. Not stored in this browser."
          placeholder="bw_…"
          autoComplete="off"
          required
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={signIn.isError ? errorMessage(signIn.error) : null}
        />
        <Button
          type="submit"
          variant={isOnly ? 'filled' : 'default'}
          loading={signIn.isPending}
          disabled={key.trim() === ''}
        >
          Sign in
        </Button>
        {hint && (
          <Text size="xs" c="dimmed">
            No API key? Ask an admin for a sign-in link (Settings → Members), or run “bellwether sign-in” on the server.
          </Text>
        )}
      </Stack>
    </form>
  )
}

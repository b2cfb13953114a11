import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'

type Props = {
  provider: Schemas['ConnectionProvider']
  onConnected: () => Promise<unknown>
  onClose: () => void
}

/** Connects with a token. The server tests it before storing it. */
export function TokenForm({
  provider: { provider, kind, label, token_name, instance_url },
  onConnected,
  onClose,
}: Props) {
  const [token, setToken] = useState('')
  const [address, setAddress] = useState('')
  const [secret, setSecret] = useState('')
  const connect = useMutation({
    mutationFn: () =>
      api.POST('/v1/connections', {
        body: {
          provider,
          token: token.trim(),
          ...(instance_url ? { instance_url: address.trim() } : {}),
          ...(secret.trim() ? { signing_secret: secret.trim() } : {}),
        },
      }),
    onSuccess: onConnected,
  })
  const errors = connect.isError ? fieldErrors(connect.error) : {}
  const rest =
    connect.isError && !errors.instance_url && !errors.token && !errors.signing_secret
      ? errorMessage(connect.error)
      : null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate()
      }}
    >
      <Stack gap="sm" maw={560}>
        <PasswordInput
          label={capital(token_name.replace(/^an? /, ''))}
          description={`${capital(token_name)} from ${label}. Stored encrypted and not shown again.`}
          autoComplete="off"
          required
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={errors.token ?? rest}
        />
        {instance_url && (
          <TextInput
            label={capital(instance_url.name)}
            placeholder={instance_url.example}
            type="url"
            required
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            error={errors.instance_url}
          />
        )}
        {kind === 'chat' && (
          <PasswordInput
            label="Signing secret (optional)"
            description={`From your ${label} app. Needed for the Done, Snooze and Wrong buttons in alerts.`}
            autoComplete="off"
            maxLength={200}
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            error={errors.signing_secret}
          />
        )}
        <Group gap="xs">
          <Button
            type="submit"
            loading={connect.isPending}
            disabled={!token.trim() || (instance_url !== null && !address.trim())}
          >
            Connect
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          {connect.isPending && (
            <Text size="sm" c="dimmed" role="status">
              Connecting to {label}…
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

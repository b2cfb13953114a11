import { Alert, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import { errorMessage } from '../../lib/errors.ts'
import { saveReturnPath } from './return-path.ts'

type Provider = Schemas['SignInOptions']['providers'][number]

/** One button for each sign-in provider, whose page replaces this one. */
export function ProviderButtons({ providers, to }: { providers: Provider[]; to: string | undefined }) {
  const start = useMutation({
    mutationFn: (provider: string) => api.POST('/v1/sign-in-requests', { body: { provider } }),
    onSuccess: ({ data }) => {
      saveReturnPath(to)
      if (data) window.location.assign(data.data.authorization_url)
    },
  })
  return (
    <Stack gap="sm">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          // A long name wraps.
          h="auto"
          mih={42}
          py="xs"
          styles={{ label: { whiteSpace: 'normal' } }}
          loading={(start.isPending || start.isSuccess) && start.variables === id}
          onClick={() => start.mutate(id)}
        >
          Continue with {name}
        </Button>
      ))}
      {start.isError && (
        <Alert color="red" variant="light" role="alert">
          {errorMessage(start.error)}
        </Alert>
      )}
    </Stack>
  )
}

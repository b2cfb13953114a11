import { Alert, Button, Center, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiError, api } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'
import { setupQuery } from '../../api/setup.ts'
import { errorMessage } from '../../lib/errors.ts'
import { KeyForm } from './KeyForm.tsx'

const route = getRouteApi('/sign-in')

/** Sign-in with a link or an API key, then redirect to the requested page. */
export function SignIn() {
  const { to } = route.useSearch()
  const router = useRouter()
  const queryClient = useQueryClient()
  const enter = async () => {
    queryClient.clear()
    // Only paths of this console, to prevent an open redirect.
    router.history.replace(to?.startsWith('/') && !/^\/[/\\]/.test(to) ? to : await firstPage())
  }
  /** A new workspace is set up first. Without the answer, Today shows the same step. */
  const firstPage = () =>
    queryClient.fetchQuery({ ...setupQuery, retry: false }).then(
      ({ data }) => (data.is_fresh ? '/start' : '/'),
      () => '/',
    )
  const link = useMutation({
    mutationFn: (body: { token: string; replace?: boolean }) => api.POST('/v1/sessions', { body }),
    onSuccess: enter,
  })
  const isOther = ApiError.is(link.error, 'signed_in_as_other')
  // A visitor with a used link may already have a session.
  const me = useQuery({ ...meQuery, enabled: link.isError, retry: false })
  const token = useRef(new URLSearchParams(window.location.hash.slice(1)).get('token'))
  useEffect(() => {
    document.title = 'Sign in · Bellwether'
    const once = token.current
    if (!once) return
    token.current = null
    // The token works once, so it is removed from the history.
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
    link.mutate({ token: once })
  }, [link.mutate])

  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} radius="lg">
        <Stack gap="md">
          <Group gap="xs">
            <img src="/bell.svg" width={28} height={28} alt="" />
            <Title order={1}>Sign in to Bellwether</Title>
          </Group>
          {link.isPending ? (
            <Group gap="sm" role="status">
              <Loader size="sm" />
              <Text size="sm">Signing you in…</Text>
            </Group>
          ) : (
            <>
              {isOther && (
                <Stack gap="sm" role="alert">
                  <Title order={2}>Use this link?</Title>
                  <Text size="sm">
                    {me.data ? `You are signed in as ${me.data.data.member.name}. ` : ''}This link signs you in as
                    another member. Continue only if you requested it.
                  </Text>
                  <Button onClick={enter}>Stay signed in{me.data ? ` as ${me.data.data.member.name}` : ''}</Button>
                  <Button
                    variant="default"
                    onClick={() => link.variables && link.mutate({ ...link.variables, replace: true })}
                  >
                    Sign out and use link
                  </Button>
                </Stack>
              )}
              {link.isError && !isOther && (
                <Alert color="red" variant="light" role="alert">
                  {errorMessage(link.error)}
                </Alert>
              )}
              {me.data && !isOther && (
                <Button variant="default" onClick={enter}>
                  Continue as {me.data.data.member.name}
                </Button>
              )}
              {!isOther && <KeyForm onSignedIn={enter} hint={!link.isError} />}
            </>
          )}
        </Stack>
      </Paper>
    </Center>
  )
}

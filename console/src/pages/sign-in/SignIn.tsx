import { Alert, Anchor, Button, Center, Divider, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api, queries } from '../../api/client.ts'
import { meQuery } from '../../api/me.ts'
import { setupQuery } from '../../api/setup.ts'
import { errorMessage } from '../../lib/errors.ts'
import { LOADED_QUERY, textParam } from '../../lib/search-params.ts'
import { EmailForm } from './EmailForm.tsx'
import { KeyForm } from './KeyForm.tsx'
import { ProviderButtons } from './ProviderButtons.tsx'
import { isOwnPath, takeReturnPath } from './return-path.ts'

const CALLBACK = '/sign-in/callback'
type Attempt = { token: string; replace?: boolean } | { callback: string }

/**
 * Sign-in with a provider, a link or an API key, then redirect to the requested page. Providers return to it, too. A link is
 * used by a click only: programs that check mails open the pages of links and run their scripts.
 */
export function SignIn() {
  const { pathname, search } = useLocation()
  const [to] = useState(() => (pathname === CALLBACK ? takeReturnPath() : textParam(search, 'to', 2_000)))
  const router = useRouter()
  const queryClient = useQueryClient()
  const enter = async () => {
    queryClient.clear()
    router.history.replace(to && isOwnPath(to) ? to : await firstPage())
  }
  /** A new workspace is set up first. Without the answer, Today shows the same step. */
  const firstPage = () =>
    queryClient.fetchQuery({ ...setupQuery, retry: false }).then(
      ({ data }) => (data.is_fresh ? '/start' : '/'),
      () => '/',
    )
  const link = useMutation({
    mutationFn: (body: Attempt) => api.POST('/v1/sessions', { body }),
    onSuccess: enter,
  })
  const isOther = ApiError.is(link.error, 'signed_in_as_other')
  // A visitor with a used link may already have a session.
  const me = useQuery({ ...meQuery, enabled: link.isError, retry: false })
  const options = queries.useQuery('get', '/v1/sign-in-options', {}, { retry: false })
  const { providers = [], email = false } = options.data?.data ?? {}
  const [isKeyShown, setKeyShown] = useState(false)
  const hasOther = providers.length > 0 || email
  const [token, setToken] = useState(readToken)
  const callback = useRef(pathname === CALLBACK ? LOADED_QUERY : null)
  useEffect(() => {
    document.title = 'Sign in · Bellwether'
    const once = callback.current
    if (!once) return
    callback.current = null
    // The secret works once, so it is removed from the history, here and below.
    window.history.replaceState(window.history.state, '', window.location.pathname)
    link.mutate({ callback: once })
  }, [link.mutate])
  const openLink = (token: string) => {
    setToken(null)
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
    link.mutate({ token })
  }

  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} radius="lg">
        <Stack gap="md">
          <Group gap="xs">
            <img src="/bell.svg" width={28} height={28} alt="" />
            <Title order={1}>Sign in to Bellwether</Title>
          </Group>
          {token ? (
            <>
              <Text size="sm">This link signs you in once.</Text>
              <Button onClick={() => openLink(token)}>Sign in</Button>
            </>
          ) : link.isPending || options.isPending ? (
            <Group gap="sm" role="status">
              <Loader size="sm" />
              <Text size="sm">{link.isPending ? 'Signing you in…' : 'Loading…'}</Text>
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
              {!isOther && providers.length > 0 && <ProviderButtons providers={providers} to={to} />}
              {!isOther && email && <EmailForm />}
              {!isOther && hasOther && !isKeyShown && (
                <Anchor component="button" type="button" size="sm" onClick={() => setKeyShown(true)}>
                  Sign in with an API key
                </Anchor>
              )}
              {!isOther && hasOther && isKeyShown && <Divider label="or" />}
              {!isOther && (isKeyShown || !hasOther) && (
                <KeyForm onSignedIn={enter} hint={!link.isError} isOnly={!hasOther} />
              )}
            </>
          )}
        </Stack>
      </Paper>
    </Center>
  )
}

/** The token of a link. */
const readToken = () => new URLSearchParams(window.location.hash.slice(1)).get('token')

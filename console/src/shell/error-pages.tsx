import { Anchor, Container, Stack } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { Page } from '../components/Page.tsx'
import { EmptyState, ErrorMessage } from '../components/states.tsx'
import { isCodeNotLoaded, isReachable } from '../lib/errors.ts'

/** Replaces a page that failed to load or to render. The frame around it stays. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = async () => {
    // A browser may keep the failed import until the console is loaded again, which also loads an updated console.
    if (isCodeNotLoaded(error) && (await isReachable())) return window.location.reload()
    reset()
    await router.invalidate()
  }
  return (
    <Container size="sm" py="xl">
      <ErrorMessage title="This page failed to load" error={error} retry={retry} />
    </Container>
  )
}

export function PageNotFound() {
  return (
    <Page title="Not found">
      <EmptyState icon={MapPinOff} title="Page not found">
        <Stack gap="xs">
          Check the URL. The page may have been moved or deleted.
          <Anchor component={Link} to="/">
            Go to Today
          </Anchor>
        </Stack>
      </EmptyState>
    </Page>
  )
}

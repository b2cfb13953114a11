import { Anchor, Container, Stack } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { Page } from '../components/Page.tsx'
import { EmptyState, ErrorMessage } from '../components/states.tsx'

/** Replaces a page that failed to render. The rest of the console keeps working. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container size="sm" py="xl">
      <ErrorMessage
        title="This page failed to load"
        error={error}
        retry={() => {
          reset()
          router.invalidate()
        }}
      />
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

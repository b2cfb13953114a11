import { Anchor, Container, Stack } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { MapPinOff } from 'lucide-react'
import { Page } from '../components/Page.tsx'
import { EmptyState, ErrorMessage } from '../components/states.tsx'

/** Stands in for a page that failed. The rest of the console still works. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container size="sm" py="xl">
      <ErrorMessage
        title="This page could not be shown"
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
      <EmptyState icon={MapPinOff} title="There is no such page">
        <Stack gap="xs">
          The address may be mistyped, or what it named was deleted.
          <Anchor component={Link} to="/">
            Go to Today
          </Anchor>
        </Stack>
      </EmptyState>
    </Page>
  )
}

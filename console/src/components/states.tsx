import { Alert, Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { CircleAlert, Eye, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorMessage } from '../lib/errors.ts'

/** Placeholder lines while data is loading, announced to screen readers once. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <Stack gap="sm" aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <Skeleton key={at} height={18} width={`${90 - ((at * 17) % 40)}%`} />
      ))}
    </Stack>
  )
}

/** An error, announced to screen readers. */
export function ErrorAlert({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Alert color="red" variant="light" title={title} icon={<CircleAlert size={18} aria-hidden />} role="alert">
      {children}
    </Alert>
  )
}

/** Explains why actions are hidden for a read-only key. */
export function ReadOnlyNotice({ children }: { children: ReactNode }) {
  return (
    <Alert variant="light" color="gray" icon={<Eye size={18} aria-hidden />} title="Read-only access">
      {children}
    </Alert>
  )
}

type ErrorMessageProps = { error: unknown; retry?: () => void; title?: string }

/** The message of an error with a Try again button. */
export function ErrorMessage({ error, retry, title = 'Failed to load' }: ErrorMessageProps) {
  return (
    <ErrorAlert title={title}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">{errorMessage(error)}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Group>
    </ErrorAlert>
  )
}

/** An error below the fields of a form. */
export function ErrorText({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {children}
    </Text>
  )
}

type EmptyStateProps = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode }

/** An empty list or page, with the next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Center py={64}>
      <Stack align="center" gap="xs" maw={460} ta="center">
        <Icon size={32} strokeWidth={1.5} aria-hidden color="var(--mantine-color-dimmed)" />
        <Title order={2}>{title}</Title>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
        {action}
      </Stack>
    </Center>
  )
}

import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ErrorText } from './states.tsx'

type Props = {
  title: string
  /** What the button that does it says. */
  action: string
  onClose: () => void
  onSubmit: () => void
  isPending: boolean
  isDisabled?: boolean
  /** What went wrong that is about none of the fields. */
  error?: string | null | undefined
  size?: 'md' | 'lg'
  children: ReactNode
}

/** Fields in a dialog, and below them what went wrong, Cancel and the button that does it. */
export function FormDialog(props: Props) {
  const { title, action, onClose, onSubmit, isPending, isDisabled = false, error, size = 'md', children } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {children}
          {error && <ErrorText>{error}</ErrorText>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={isDisabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

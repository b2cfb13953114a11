import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { ErrorText } from './states.tsx'

type Props = {
  title: string
  /** The label of the submit button. */
  action: string
  onClose: () => void
  onSubmit: () => void
  isPending: boolean
  isDisabled?: boolean
  /** An error that belongs to no field. */
  error?: string | null | undefined
  size?: 'xs' | 'md' | 'lg'
  children: ReactNode
}

/** A form in a dialog with an error line, a Cancel button and a submit button. */
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

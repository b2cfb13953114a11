import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorMessage } from '../lib/errors.ts'
import { ErrorText } from './states.tsx'

type Props = {
  title: string
  /** The label of the confirm button. */
  action: string
  onClose: () => void
  onConfirm: () => Promise<unknown>
  /** The consequences of the action. */
  children: ReactNode
}

/** Asks for confirmation of a destructive action. Closes on success, shows the error on failure. */
export function ConfirmDialog({ title, action, onClose, onConfirm, children }: Props) {
  const act = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        {act.isError && <ErrorText>{errorMessage(act.error)}</ErrorText>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red.8" loading={act.isPending} onClick={() => act.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

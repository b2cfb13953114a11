import { Button, Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { errorMessage } from '../lib/errors.ts'

const CLOSE = { 'aria-label': 'Close' }

// Not a random id: browsers make these over https and on this machine alone.
let lastId = 0

/** Says in a corner that something was done, with a way back where there is one. */
export function showSuccess(message: string, undo?: () => unknown): void {
  const id = `told-${++lastId}`
  notifications.show({
    id,
    closeButtonProps: CLOSE,
    autoClose: undo ? 10_000 : 4_000,
    message: undo ? (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            Promise.resolve(undo()).catch((error) => showError('It could not be undone', error))
          }}
        >
          Undo
        </Button>
      </Group>
    ) : (
      message
    ),
  })
}

/** Says what could not be done and why; it stays until it was read. */
export function showError(what: string, error: unknown): void {
  notifications.show({
    color: 'red',
    title: what,
    message: errorMessage(error),
    autoClose: 12_000,
    role: 'alert',
    closeButtonProps: CLOSE,
  })
}

/** Where they appear. */
export default function ToastContainer() {
  // Where there is little room, what is done next lies at the bottom; they are shown below the header.
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return isNarrow ? (
    <Notifications position="top-center" mt={44} limit={4} />
  ) : (
    <Notifications position="bottom-right" limit={4} />
  )
}

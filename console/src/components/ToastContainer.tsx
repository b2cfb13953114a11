import { Anchor, Button, Group, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'
import { ApiError } from '../api/client.ts'
import { errorMessage } from '../lib/errors.ts'

const CLOSE = { 'aria-label': 'Close' }

// A counter, because crypto.randomUUID requires https.
let lastId = 0
/** The last message with an Undo button. The next one replaces it: several would delay an error, which waits for its turn. */
let undoable: { id: string; about: readonly string[] } | null = null

/** Shows a success message, with an Undo button if the action can be undone. */
export function showSuccess(message: string, undo: (() => unknown) | undefined, about: readonly string[]): void {
  const id = `toast-${++lastId}`
  if (undo && undoable) notifications.hide(undoable.id)
  hideUndo(about)
  if (undo) undoable = { id, about }
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
          aria-label={`Undo: ${message}`}
          onClick={() => {
            notifications.hide(id)
            Promise.resolve(undo()).catch((error) => showError('Undo failed', error))
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

/** Hides the message with an Undo button if it is about one of these records. */
export function hideUndo(about: readonly string[]): void {
  if (!undoable?.about.some((id) => about.includes(id))) return
  notifications.hide(undoable.id)
  undoable = null
}

/** Shows an error with its reason. */
export function showError(title: string, error: unknown): void {
  notifications.show({
    color: 'red',
    title,
    message: isNotConnected(error) ? <ConnectCrm>{errorMessage(error)}</ConnectCrm> : errorMessage(error),
    autoClose: 12_000,
    role: 'alert',
    closeButtonProps: CLOSE,
  })
}

const isNotConnected = (error: unknown): boolean => error instanceof ApiError && error.code === 'crm_not_connected'

/** A plain link, because toasts are outside of the router. */
function ConnectCrm({ children }: { children: string }) {
  return (
    <>
      {children}{' '}
      <Anchor size="sm" href="/settings/connections">
        Open Settings → Connections
      </Anchor>
    </>
  )
}

/** The container of all toasts. */
export default function ToastContainer() {
  // On narrow screens the actions are at the bottom, so toasts appear below the header.
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  return isNarrow ? (
    <Notifications position="top-center" mt={44} limit={4} />
  ) : (
    <Notifications position="bottom-right" limit={4} />
  )
}

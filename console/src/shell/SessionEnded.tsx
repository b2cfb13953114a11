import { Modal } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { whenSessionIsLost } from '../api/client.ts'
import { KeyForm } from '../pages/sign-in/KeyForm.tsx'
import { state, useShared } from '../state.ts'

const isEnded = state(false)
whenSessionIsLost(() => isEnded.set(true))

/** Over the page, so that nothing that was typed there is lost. */
export function SessionEnded() {
  const queryClient = useQueryClient()
  const opened = useShared(isEnded)
  return (
    <Modal
      opened={opened}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
    >
      <KeyForm
        onSignedIn={() => {
          isEnded.set(false)
          queryClient.invalidateQueries()
        }}
      />
    </Modal>
  )
}

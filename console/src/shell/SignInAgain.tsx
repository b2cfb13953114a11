import { Modal } from '@mantine/core'
import { KeyForm } from '../pages/sign-in/KeyForm.tsx'

/** Cannot be dismissed: without a session every request fails. */
export default function SignInAgain({ onSignedIn }: { onSignedIn: () => void }) {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      // Above any open dialog of the page.
      zIndex={1000}
    >
      <KeyForm onSignedIn={onSignedIn} />
    </Modal>
  )
}

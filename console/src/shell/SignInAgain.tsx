import { Modal } from '@mantine/core'
import { KeyForm } from '../pages/sign-in/KeyForm.tsx'

/** Cannot be put away: without a session nothing on the page works. */
export default function SignInAgain({ onSignedIn }: { onSignedIn: () => void }) {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      // Above a dialog that is open on the page.
      zIndex={1000}
    >
      <KeyForm onSignedIn={onSignedIn} />
    </Modal>
  )
}

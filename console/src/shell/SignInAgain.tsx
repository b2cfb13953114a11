import { Button, Divider, Group, Modal, Stack, Text } from '@mantine/core'
import { queries } from '../api/client.ts'
import { KeyForm } from '../pages/sign-in/KeyForm.tsx'

/** Cannot be dismissed: without a session every request fails. */
export default function SignInAgain({ onSignedIn }: { onSignedIn: () => void }) {
  const options = queries.useQuery('get', '/v1/sign-in-options', {}, { retry: false })
  const { providers = [], email = false } = options.data?.data ?? {}
  const hasOther = providers.length > 0 || email
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
      <Stack gap="md">
        {hasOther && (
          <>
            <Text size="sm">Sign in in a new tab, then continue here. Your unsaved changes stay on this page.</Text>
            <Group gap="sm">
              <Button component="a" href="/sign-in" target="_blank">
                Open sign-in page
              </Button>
              <Button variant="default" onClick={onSignedIn}>
                Continue
              </Button>
            </Group>
            <Divider label="or" />
          </>
        )}
        <KeyForm onSignedIn={onSignedIn} isOnly={!hasOther} />
      </Stack>
    </Modal>
  )
}

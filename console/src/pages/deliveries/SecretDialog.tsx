import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyField } from '../../components/CopyField.tsx'

type Props = { name: string; secret: string; onClose: () => void }

/** The secret by which a receiver knows that a delivery is ours, to take along. */
export function SecretDialog({ name, secret, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={`Signing secret of ${name}`} size="lg">
      <Stack gap="md">
        <Text size="sm">
          Put it where the receiver can read it: it proves that a delivery comes from here, as Standard Webhooks
          describe. Whoever has it can send in Bellwether’s name.
        </Text>
        <CopyField label="Signing secret" value={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

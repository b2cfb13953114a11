import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { CopyField } from '../../components/CopyField.tsx'

type Props = { name: string; secret: string; onClose: () => void }

/** Shows the secret that the receiver uses to verify signatures. */
export function SecretDialog({ name, secret, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={`Signing secret for ${name}`} size="lg">
      <Stack gap="md">
        <Text size="sm">
          Use it to verify webhook signatures (Standard Webhooks). Keep it secret: anyone with it can forge deliveries.
        </Text>
        <CopyField label="Signing secret" value={secret} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

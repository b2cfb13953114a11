import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** Creates a one-time sign-in link for a member. */
export function SignInLinkDialog({ member, onClose }: { member: Schemas['Member']; onClose: () => void }) {
  const { mutate, ...link } = useMutation({
    mutationFn: async () => (await api.POST('/v1/sign-in-links', { body: { member_id: member.id } })).data?.data,
  })
  useEffect(() => mutate(), [mutate])
  return (
    <Modal opened onClose={onClose} title={`Sign-in link for ${member.name}`} size="lg">
      {link.isError ? (
        <ErrorMessage title="Link not created" error={link.error} retry={() => mutate()} />
      ) : link.data ? (
        <Stack gap="md">
          <Text size="sm">
            Send this link to {member.name} only: anyone who opens it can sign in as {member.name}. It works once and
            expires at {clock.format(new Date(link.data.expires_at))}.
          </Text>
          <CopyField label="Link" value={link.data.url} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => mutate()}>
              New link
            </Button>
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <Loading lines={3} />
      )}
    </Modal>
  )
}

import { ActionIcon, Box, Button, Flex, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Plus, ScrollText, Send, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/Confirm.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { TestResult } from '../../components/TestResult.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { AddDestination } from './AddDestination.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { useDeliveriesSearch } from './use-deliveries-search.ts'

type Destination = Schemas['WebhookDestination']

const KEY = queries.queryOptions('get', '/v1/webhook-destinations').queryKey

/** The webhook destinations for accounts and people. */
export default function Destinations() {
  const { search, change } = useDeliveriesSearch()
  const { admin } = useRights()
  const destinations = queries.useQuery('get', '/v1/webhook-destinations')
  const add = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => change({ add: true })}>
      Add destination
    </Button>
  )
  return (
    <Stack gap="sm">
      {destinations.isPending ? (
        <Loading />
      ) : destinations.isError ? (
        <ErrorMessage error={destinations.error} retry={destinations.refetch} />
      ) : destinations.data.data.length === 0 ? (
        <EmptyState icon={Webhook} title="No destinations yet" action={admin && add}>
          A destination is a webhook URL that receives accounts and people when you push them.{' '}
          {!admin && 'Ask an admin to add one.'}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed" maw={620}>
              Push accounts and people from their pages. Each record is sent as a signed POST request.
            </Text>
            {admin && add}
          </Group>
          {destinations.data.data.map((destination) => (
            <Card key={destination.id} destination={destination} />
          ))}
        </>
      )}
      {admin && search.add && <AddDestination onClose={() => change({ add: undefined })} />}
    </Stack>
  )
}

function Card({ destination }: { destination: Destination }) {
  const { id, name, url_masked, created_at } = destination
  const { show } = useDeliveriesSearch()
  const { admin, shared } = useRights()
  const queryClient = useQueryClient()
  const [dialog, setDialog] = useState<'rotate' | 'remove' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const params = { path: { id } }
  const test = useMutation({
    mutationFn: () => api.POST('/v1/webhook-destinations/{id}/test', { params }),
    onError: (error) => toastError('Test not sent', error),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['get', '/v1/webhook-destinations/{id}/deliveries'] }),
  })
  return (
    <Paper withBorder p="md" component="section" aria-label={name}>
      <Flex justify="space-between" wrap={{ base: 'wrap', xs: 'nowrap' }} align="flex-start" gap="sm">
        <div style={{ minWidth: 0 }}>
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <Text size="sm" c="dimmed" truncate title={url_masked}>
            {url_masked}
          </Text>
          <Text size="xs" c="dimmed" mt={2}>
            Added <RelativeTime at={created_at} />
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          {shared && (
            <Button
              variant="default"
              size="xs"
              leftSection={<Send size={14} aria-hidden />}
              loading={test.isPending}
              onClick={() => test.mutate()}
              aria-label={`Send test to ${name}`}
            >
              Send test
            </Button>
          )}
          <Menu position="bottom-end" width={210}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size="md" aria-label={`More actions for ${name}`}>
                <Ellipsis size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<ScrollText size={15} aria-hidden />}
                onClick={() => show('log', { destination: id })}
              >
                Delivery log
              </Menu.Item>
              {admin && (
                <>
                  <Menu.Item leftSection={<KeyRound size={15} aria-hidden />} onClick={() => setDialog('rotate')}>
                    Rotate signing secret
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<Trash2 size={15} aria-hidden />}
                    onClick={() => setDialog('remove')}
                    c="var(--mantine-color-error)"
                  >
                    Remove
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Flex>
      {test.data?.data && (
        <Box mt="sm">
          <TestResult {...test.data.data.data} />
        </Box>
      )}
      {dialog === 'rotate' && (
        <ConfirmDialog
          title={`Rotate the signing secret of ${name}?`}
          action="Rotate secret"
          onClose={() => setDialog(null)}
          onConfirm={async () => {
            const { data } = await api.POST('/v1/webhook-destinations/{id}/rotate-secret', { params, body: {} })
            setSecret(data?.data.secret ?? null)
            await queryClient.invalidateQueries({ queryKey: KEY })
          }}
        >
          Deliveries are signed with both secrets for 24 hours. After that the old secret stops working.
        </ConfirmDialog>
      )}
      {dialog === 'remove' && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove"
          onClose={() => setDialog(null)}
          onConfirm={async () => {
            await api.DELETE('/v1/webhook-destinations/{id}', { params })
            await queryClient.invalidateQueries({ queryKey: KEY })
            toastSuccess(`${name} removed`)
          }}
        >
          Running pushes are canceled. The URL, delivery log and signing secret are deleted.
        </ConfirmDialog>
      )}
      {secret && <SecretDialog name={name} secret={secret} onClose={() => setSecret(null)} />}
    </Paper>
  )
}

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api, queries } from '../../api/client.ts'
import { fieldErrors } from '../../components/field-errors.ts'
import { messageOf } from '../../components/states.tsx'
import { SecretShown } from './SecretShown.tsx'

/** A new destination, and then its secret. */
export function AddDestination({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const add = useMutation({
    mutationFn: () => api.POST('/v1/webhook-destinations', { body: { name: name.trim(), url: url.trim() } }),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: queries.queryOptions('get', '/v1/webhook-destinations').queryKey }),
  })
  const added = add.data?.data?.data
  if (added?.secret) return <SecretShown name={added.name} secret={added.secret} onClose={onClose} />

  const errors = errorsOf(add.error)
  return (
    <Modal opened onClose={onClose} title="Add a destination">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="How your team knows it."
            placeholder="Data warehouse"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors.name}
            data-autofocus
          />
          <TextInput
            label="Web address"
            description="Where your system takes records, over https. It is kept secret and not shown again."
            placeholder="https://hooks.example.com/bellwether"
            type="url"
            required
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={errors.url}
          />
          {errors.rest && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {errors.rest}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending} disabled={!name.trim() || !url.trim()}>
              Add
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Beside the field it is about; below all of them where it is about none. */
function errorsOf(error: unknown): { name?: string; url?: string; rest?: string } {
  if (!error) return {}
  if (error instanceof ApiError && error.code === 'name_taken') return { name: error.message }
  if (error instanceof ApiError && error.code === 'url_not_allowed') return { url: error.message }
  const { name, url } = fieldErrors(error)
  if (!name && !url) return { rest: messageOf(error) }
  return { ...(name ? { name } : {}), ...(url ? { url } : {}) }
}

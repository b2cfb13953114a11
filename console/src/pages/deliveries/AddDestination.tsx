import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, api, queries } from '../../api/client.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { SecretDialog } from './SecretDialog.tsx'

/** Adds a destination, then shows its signing secret. */
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
  if (added?.secret) return <SecretDialog name={added.name} secret={added.secret} onClose={onClose} />

  const errors = errorsOf(add.error)
  return (
    <FormDialog
      title="Add destination"
      action="Add"
      onClose={onClose}
      onSubmit={add.mutate}
      isPending={add.isPending}
      isDisabled={!name.trim() || !url.trim()}
      error={errors.rest}
    >
      <TextInput
        label="Name"
        description="Shown to your team."
        placeholder="Data warehouse"
        required
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.name}
        data-autofocus
      />
      <TextInput
        label="URL"
        description="The https endpoint that receives records. Stored encrypted and not shown again."
        placeholder="https://hooks.example.com/bellwether"
        type="url"
        required
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={errors.url}
      />
    </FormDialog>
  )
}

/** Assigns the error to its field, or to the form. */
function errorsOf(error: unknown): { name?: string; url?: string; rest?: string } {
  if (!error) return {}
  if (error instanceof ApiError && error.code === 'name_taken') return { name: error.message }
  if (error instanceof ApiError && error.code === 'url_not_allowed') return { url: error.message }
  const { name, url } = fieldErrors(error)
  if (!name && !url) return { rest: errorMessage(error) }
  return { ...(name ? { name } : {}), ...(url ? { url } : {}) }
}

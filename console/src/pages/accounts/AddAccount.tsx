import { Checkbox, TagsInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useActivations } from '../../api/activations.ts'
import { api } from '../../api/client.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'

/** Adds a company by its domain. `known`: its name, where that is known. */
export function AddAccount({ known = '', onClose }: { known?: string | undefined; onClose: () => void }) {
  const [domain, setDomain] = useState('')
  const [name, setName] = useState(known)
  const [tags, setTags] = useState<string[]>([])
  const [isActive, setActive] = useState(false)
  const navigate = useNavigate()
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim() || domain.trim(), domain: domain.trim() || null, tags }
      const { data } = await api.POST('/v1/accounts', { body })
      const account = data?.data
      if (!account || Array.isArray(account)) throw new Error('Unexpected response from the server.')
      if (isActive && account.created) {
        await api.POST('/v1/accounts/{id}/activate', { params: { path: { id: account.id } }, body: {} })
      }
      return account
    },
    onSuccess: ({ id, name, created }) => {
      client.invalidateQueries({ queryKey: ['get', '/v1/accounts'] })
      toastSuccess(created ? `${name} added` : `${name} already exists`)
      navigate({ to: '/accounts/$id', params: { id } })
    },
  })
  const { left, usedUp } = useActivations()
  const errors = fieldErrors(add.error)
  return (
    <FormDialog
      title="Add account"
      action="Add"
      onClose={onClose}
      onSubmit={add.mutate}
      isPending={add.isPending}
      isDisabled={!domain.trim() && !name.trim()}
      error={add.isError && !errors.domain && !errors.name ? errorMessage(add.error) : null}
    >
      <TextInput
        label="Domain or website"
        placeholder="acme.com"
        value={domain}
        onChange={(event) => setDomain(event.currentTarget.value)}
        error={errors.domain}
        data-autofocus
      />
      <TextInput
        label="Name"
        placeholder={domain.trim() || 'Acme'}
        description="Optional. Derived from the domain if empty."
        value={name}
        maxLength={300}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.name}
      />
      <TagsInput label="Tags" value={tags} onChange={setTags} maxTags={100} />
      <Checkbox
        label="Activate now"
        description={usedUp ?? (left === null ? 'Starts research and monitoring' : 'Uses 1 activation')}
        disabled={usedUp !== undefined}
        checked={isActive}
        onChange={(event) => setActive(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}

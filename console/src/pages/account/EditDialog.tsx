import { Anchor, NumberInput, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { FormDialog } from '../../components/FormDialog.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'
import { type AccountRecord, useRefreshAccount } from './use-account.ts'

type Change = Schemas['UpdateAccount']
type Overridable = 'industry' | 'employees' | 'location' | 'country' | 'network_url' | 'short_description'

/** Edits company details. Edited values take precedence over researched ones. */
export function EditDialog({ account, onClose }: { account: AccountRecord; onClose: () => void }) {
  const refresh = useRefreshAccount()
  const { id, name, domain, industry, employees, location, country, network_url, short_description } = account
  const [fields, setFields] = useState<Change>({
    ...{ name, industry, employees, location, country, network_url, short_description },
    ...(domain === null ? {} : { domain }),
  })
  const save = useMutation({
    mutationFn: (body: Change) => api.PATCH('/v1/accounts/{id}', { params: { path: { id } }, body }),
    onSuccess: async () => {
      await refresh()
      toastSuccess('Details saved')
      onClose()
    },
  })
  const set = (change: Change) => setFields((before) => ({ ...before, ...change }))
  const reset = useMutation({
    mutationFn: (field: Overridable) =>
      api.PATCH('/v1/accounts/{id}', { params: { path: { id } }, body: { [field]: null } }),
    onSuccess: async ({ data }, field) => {
      if (data) set({ [field]: data.data[field] })
      await refresh()
    },
    onError: (error) => toastError('Reset failed', error),
  })
  const resetOf = (field: Overridable, label: string) =>
    account.overridden.includes(field) && (
      <Anchor
        component="button"
        type="button"
        size="xs"
        aria-label={`Reset ${label} to researched value`}
        onClick={() => reset.mutate(field)}
      >
        Reset to researched value
      </Anchor>
    )
  const errors = fieldErrors(save.error)
  const words = (field: 'industry' | 'location' | 'country' | 'network_url', label: string) => (
    <TextInput
      label={label}
      description={resetOf(field, label)}
      value={fields[field] ?? ''}
      error={errors[field]}
      onChange={(event) => set({ [field]: event.currentTarget.value || null })}
    />
  )
  return (
    <FormDialog
      title={`Edit ${name}`}
      size="lg"
      action="Save"
      onClose={onClose}
      onSubmit={() => save.mutate(changed(account, fields))}
      isPending={save.isPending}
      error={save.isError && Object.keys(errors).length === 0 ? errorMessage(save.error) : null}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Name"
          required
          data-autofocus
          value={fields.name ?? ''}
          error={errors.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          label="Domain"
          value={fields.domain ?? ''}
          error={errors.domain}
          onChange={(event) => set({ domain: event.currentTarget.value })}
        />
        {words('industry', 'Industry')}
        <NumberInput
          label="Employees"
          description={resetOf('employees', 'Employees')}
          min={0}
          max={100_000_000}
          allowDecimal={false}
          thousandSeparator
          value={fields.employees ?? ''}
          error={errors.employees}
          onChange={(value) => set({ employees: typeof value === 'number' ? value : null })}
        />
        {words('location', 'City or region')}
        {words('country', 'Country')}
      </SimpleGrid>
      {words('network_url', 'Profile URL')}
      <Textarea
        label="Description"
        description={resetOf('short_description', 'Description')}
        autosize
        minRows={2}
        value={fields.short_description ?? ''}
        error={errors.short_description}
        onChange={(event) => set({ short_description: event.currentTarget.value || null })}
      />
    </FormDialog>
  )
}

/** Only changed fields, so that concurrent edits of other fields are kept. */
function changed(account: AccountRecord, fields: Change): Change {
  const before: Change = { ...account, domain: account.domain ?? '' }
  return Object.fromEntries(
    Object.entries(fields).filter(([field, value]) => value !== before[field as keyof Change]),
  ) as Change
}

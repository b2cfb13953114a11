import {
  Button,
  Collapse,
  Group,
  Modal,
  MultiSelect,
  NativeSelect,
  Radio,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { CopyField } from '../../components/CopyField.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { errorMessage, fieldErrors } from '../../lib/errors.ts'

const DAY = 86_400_000
const EXPIRY_OPTIONS = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
]

type Scope = Schemas['ApiKey']['scope']

export const SCOPE_LABELS: Record<Scope, string> = { read: 'Read', work: 'Work', admin: 'Admin' }
const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  read: 'Can’t make changes or see secrets',
  work: 'Reads and makes changes, without the rights of an admin',
  admin: 'Everything the member can do',
}

/** Creates an API key, then shows it once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const me = useMe()
  const { members } = useMembers()
  const [name, setName] = useState('')
  const [memberId, setMemberId] = useState(me.member.id)
  const [scope, setScope] = useState<Scope>('work')
  const [isRestricted, setRestricted] = useState(false)
  const [networks, setNetworks] = useState<string[]>([])
  const [operations, setOperations] = useState<string[]>([])
  const accounts = queries.useQuery('get', '/v1/service-accounts').data?.data ?? []
  const known = useOperations(isRestricted)
  const [days, setDays] = useState('')
  const create = useMutation({
    mutationFn: async () => {
      const expires_at = days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null
      const limits = {
        ...(networks.length > 0 && { allowed_ips: networks }),
        ...(operations.length > 0 && { operations }),
      }
      const body = { name, member_id: memberId, scope, expires_at, ...limits }
      const { data } = await api.POST('/v1/api-keys', { body })
      await Promise.all(
        (['/v1/api-keys', '/v1/service-accounts'] as const).map((path) =>
          queryClient.invalidateQueries({ queryKey: queries.queryOptions('get', path).queryKey }),
        ),
      )
      return data?.data
    },
  })
  const errors = fieldErrors(create.error)

  if (create.data) {
    return (
      <Modal opened onClose={onClose} title={`API key ${create.data.name}`} size="lg" closeOnClickOutside={false}>
        <Stack gap="md">
          <Text size="sm">Copy this key now. You won’t be able to see it again.</Text>
          <CopyField label="API key" value={create.data.key} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  return (
    <FormDialog
      title="Create API key"
      action="Create key"
      onClose={onClose}
      onSubmit={create.mutate}
      isPending={create.isPending}
      error={create.isError && Object.keys(errors).length === 0 ? errorMessage(create.error) : null}
    >
      <TextInput
        label="Name"
        description="e.g. CRM sync"
        required
        data-autofocus
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={errors.name}
      />
      <Select
        label="Acts as"
        description="A key can do at most what this member can do"
        searchable
        allowDeselect={false}
        data={[
          {
            group: 'Members',
            items: members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
          },
          { group: 'Service accounts', items: accounts.map(({ id, name }) => ({ value: id, label: name })) },
        ]}
        value={memberId}
        onChange={(value) => value && setMemberId(value)}
        error={errors.member_id}
      />
      <Radio.Group label="Access" value={scope} onChange={(value) => setScope(value as Scope)}>
        <Stack gap={6} mt={6}>
          {(Object.keys(SCOPE_LABELS) as Scope[]).map((value) => (
            <Radio key={value} value={value} label={SCOPE_LABELS[value]} description={SCOPE_DESCRIPTIONS[value]} />
          ))}
        </Stack>
      </Radio.Group>
      <NativeSelect
        label="Expires"
        data={EXPIRY_OPTIONS}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
        error={errors.expires_at}
      />
      {!isRestricted && (
        <Button variant="subtle" size="compact-sm" style={{ alignSelf: 'start' }} onClick={() => setRestricted(true)}>
          Add restrictions
        </Button>
      )}
      <Collapse expanded={isRestricted}>
        <Stack gap="md">
          <TagsInput
            label="Only from these addresses"
            description="IP addresses or networks, e.g. 203.0.113.0/24"
            value={networks}
            onChange={setNetworks}
            maxTags={100}
            error={errorUnder(errors, 'allowed_ips')}
          />
          <MultiSelect
            label="Only these operations"
            description="As named in the API reference. Such a key can’t sign in."
            searchable
            limit={50}
            data={known}
            value={operations}
            onChange={setOperations}
            maxValues={200}
            error={errorUnder(errors, 'operations')}
          />
        </Stack>
      </Collapse>
    </FormDialog>
  )
}

/** The error of a list or of one of its values. */
const errorUnder = (errors: Record<string, string>, field: string): string | undefined =>
  Object.entries(errors).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1]

/** The operations of the API, from its description. */
function useOperations(enabled: boolean): string[] {
  const { data } = useQuery({
    queryKey: ['openapi operations'],
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal })
      const { paths } = (await response.json()) as { paths: Record<string, Record<string, { operationId?: string }>> }
      return Object.values(paths)
        .flatMap((methods) => Object.values(methods).flatMap(({ operationId }) => operationId ?? []))
        .sort()
    },
  })
  return data ?? []
}

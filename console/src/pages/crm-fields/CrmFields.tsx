import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, Lock } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useProviders } from '../../api/providers.ts'
import { Page } from '../../components/Page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { type CrmProvider, choicesOf, type FieldChoices, toMapping } from './choices.ts'
import { FieldsTable } from './FieldsTable.tsx'
import { PushPreview } from './PushPreview.tsx'

const route = getRouteApi('/app/settings/crm-fields/$provider')

/** Which field of a CRM each value is written to, with a preview of a push. */
export function CrmFields() {
  const provider = route.useParams().provider as CrmProvider
  const { admin } = useRights()
  const { labelOf } = useProviders()
  const label = labelOf(provider)
  return (
    <Page
      title={`${label} fields`}
      lead={
        <Anchor component={Link} to="/settings/connections" size="sm">
          <Group gap={4} component="span">
            <ArrowLeft size={14} aria-hidden /> Connections
          </Group>
        </Anchor>
      }
    >
      {admin ? (
        <Mapping provider={provider} label={label} />
      ) : (
        <EmptyState icon={Lock} title="Admins only">
          Ask an admin of your workspace for access.
        </EmptyState>
      )}
    </Page>
  )
}

function Mapping({ provider, label }: { provider: CrmProvider; label: string }) {
  const path = { params: { path: { provider } } }
  const mapping = queries.useQuery('get', '/v1/crm/mapping/{provider}', path)
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState<FieldChoices | null>(null)
  const save = useMutation({
    mutationFn: (choices: FieldChoices) => api.PUT('/v1/crm/mapping/{provider}', { ...path, body: toMapping(choices) }),
    onSuccess: async ({ data }) => {
      if (data) queryClient.setQueryData(queries.queryOptions('get', '/v1/crm/mapping/{provider}', path).queryKey, data)
      setDraft(null)
      toastSuccess('Fields saved')
    },
    onError: (error) => toastError('Fields not saved', error),
  })
  if (mapping.isPending) return <Loading lines={12} />
  if (mapping.isError) return <ErrorMessage error={mapping.error} retry={mapping.refetch} />
  const { data } = mapping.data
  const choices = draft ?? choicesOf(data)
  const choose = (object: 'companies' | 'contacts') => (field: string, target: string | null | undefined) => {
    const { [field]: _, ...others } = choices[object]
    setDraft({ ...choices, [object]: target === undefined ? others : { ...others, [field]: target } })
  }
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed" maw={720}>
        Choose where a push writes each value in {label}. A field that people fill too is written only while it is empty
        or still has the value that was pushed. Fields that records are found by cannot be changed.
      </Text>
      <FieldsTable
        title="Companies"
        label={label}
        mapped={data.companies}
        choices={choices.companies}
        choose={choose('companies')}
      />
      <FieldsTable
        title="Contacts"
        label={label}
        mapped={data.contacts}
        choices={choices.contacts}
        choose={choose('contacts')}
      />
      {draft && (
        <Alert variant="light" title="Unsaved changes">
          <Group gap="xs">
            <Button size="xs" loading={save.isPending} onClick={() => save.mutate(draft)}>
              Save
            </Button>
            <Button size="xs" variant="default" onClick={() => setDraft(null)}>
              Discard
            </Button>
            <Text size="sm">The preview below uses them.</Text>
          </Group>
        </Alert>
      )}
      <PushPreview provider={provider} label={label} choices={draft} />
    </Stack>
  )
}

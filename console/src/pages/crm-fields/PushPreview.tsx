import { Button, Group, Paper, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { StateBadge } from '../../components/StateBadge.tsx'
import { ErrorMessage } from '../../components/states.tsx'
import { type CrmProvider, type FieldChoices, toMapping } from './choices.ts'
import { fieldName } from './FieldsTable.tsx'

type Previewed = Schemas['PreviewedRecord']
type Asked = { object: 'companies' | 'contacts'; choices: FieldChoices | null }

const ACTIONS: Record<Previewed['action'], { label: string; color: string }> = {
  create: { label: 'New', color: 'bell' },
  update: { label: 'Changed', color: 'blue' },
  nothing: { label: 'Unchanged', color: 'gray' },
  skip: { label: 'Skipped', color: 'gray' },
}

/** What a push would do with ten records, with unsaved choices or the saved ones. */
export function PushPreview({
  provider,
  label,
  choices,
}: {
  provider: CrmProvider
  label: string
  choices: FieldChoices | null
}) {
  const [object, setObject] = useState<Asked['object']>('companies')
  const preview = useMutation({
    mutationFn: async ({ object, choices }: Asked) => {
      const body = { object, ...(choices && { mapping: toMapping(choices) }) }
      const { data } = await api.POST('/v1/crm/mapping/{provider}/dry-run', { params: { path: { provider } }, body })
      return data?.data ?? []
    },
  })
  // A preview is of the choices it was made with, and is not shown for others.
  const isCurrent = preview.variables?.object === object && preview.variables.choices === choices
  const records = isCurrent ? preview.data : undefined
  return (
    <Stack gap="sm" component="section" aria-labelledby="preview">
      <div>
        <Title order={2} id="preview">
          Preview
        </Title>
        <Text size="sm" c="dimmed">
          What a push would change in {label}, for ten records. Nothing is written.
        </Text>
      </div>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label="Records to preview"
          data={[
            { value: 'companies', label: 'Companies' },
            { value: 'contacts', label: 'Contacts' },
          ]}
          value={object}
          onChange={(value) => setObject(value === 'contacts' ? 'contacts' : 'companies')}
        />
        <Button
          size="xs"
          variant="default"
          loading={isCurrent && preview.isPending}
          onClick={() => preview.mutate({ object, choices })}
        >
          Preview 10 {object}
        </Button>
      </Group>
      {isCurrent && preview.isError && <ErrorMessage error={preview.error} title="No preview" />}
      {records?.length === 0 && (
        <Text size="sm">{object === 'companies' ? 'There are no accounts yet.' : 'No person has an email yet.'}</Text>
      )}
      {records?.map((record) => (
        <Preview key={record.id} record={record} />
      ))}
    </Stack>
  )
}

function Preview({ record: { name, action, message, fields } }: { record: Previewed }) {
  const shown = fields.filter(({ action }) => action !== 'same')
  return (
    <Paper withBorder p="sm" component="article" aria-label={name}>
      <Group gap="xs">
        <Text fw={550}>{name}</Text>
        <StateBadge color={ACTIONS[action].color}>{ACTIONS[action].label}</StateBadge>
        {message && (
          <Text size="sm" c="dimmed">
            {message}
          </Text>
        )}
      </Group>
      {shown.length > 0 && (
        <Table verticalSpacing={4} fz="sm" mt={4} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={{ base: '30%', sm: '20%' }}>Value</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ field, target, action, before, after, reason }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row" fw={450} style={{ overflowWrap: 'anywhere' }}>
                  {fieldName(field)}
                  <Text size="xs" c="dimmed">
                    {target}
                  </Text>
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <Value text={before} />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {reason !== null ? (
                    <Text size="sm" c="dimmed">
                      {action === 'kept' ? 'Kept.' : 'Not written.'} {reason}
                    </Text>
                  ) : (
                    <Value text={after} />
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  )
}

function Value({ text }: { text: string | null }) {
  if (text === null)
    return (
      <Text size="sm" c="dimmed">
        Empty
      </Text>
    )
  return (
    <Text size="sm" lineClamp={3} title={text}>
      {text}
    </Text>
  )
}

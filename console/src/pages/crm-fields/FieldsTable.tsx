import { Select, Stack, Table, Text, Title } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'

type Mapped = Schemas['CrmMapping']['companies']
type Field = Mapped['fields'][number]

type Props = {
  title: string
  label: string
  mapped: Mapped
  choices: Record<string, string | null>
  /** undefined: the default. */
  choose: (field: string, target: string | null | undefined) => void
}

const NOT_WRITTEN = ' off'

const NAMES: Record<string, string> = { profile_url: 'Profile page', domain: 'Website', country: 'Country' }

/** The display name of a field of the service. */
export const fieldName = (field: string): string =>
  NAMES[field] ?? field.charAt(0).toUpperCase() + field.slice(1).replaceAll('_', ' ')

/** The fields of an object with a choice for each. */
export function FieldsTable({ title, label, mapped: { fields, available }, choices, choose }: Props) {
  const labels = new Map(available.map(({ name, label }) => [name, label]))
  const optionsOf = ({ type, max_length, default_target, target, is_missing }: Field) => {
    const fits = available.filter(
      (one) => one.type === type && (one.max_length === null || max_length === null || one.max_length >= max_length),
    )
    const missing = is_missing && target !== null ? [target] : []
    const first = default_target === null ? missing : [default_target, ...missing]
    const names = [...new Set([...first, ...fits.map(({ name }) => name)])]
    const noteOn = (name: string) =>
      name === default_target ? ' (default)' : missing.includes(name) ? ` (no longer in ${label})` : ''
    const option = (name: string) => ({ value: name, label: `${labels.get(name) ?? name}${noteOn(name)}` })
    return [{ value: NOT_WRITTEN, label: 'Not written' }, ...names.map(option)]
  }
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      <Table verticalSpacing={6} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Value</Table.Th>
            <Table.Th>Written to</Table.Th>
            <Table.Th visibleFrom="sm">If it is filled in {label}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => {
            const target = field.field in choices ? (choices[field.field] ?? null) : field.default_target
            const isShared = field.is_shared_by_default || target !== field.default_target
            const isMissing = field.is_missing && target === field.target
            return (
              <Table.Tr key={field.field}>
                <Table.Th scope="row" fw={550}>
                  {fieldName(field.field)}
                </Table.Th>
                <Table.Td>
                  {field.is_fixed ? (
                    <Text size="sm">{labels.get(target ?? '') ?? target}</Text>
                  ) : (
                    <Select
                      size="xs"
                      aria-label={`${fieldName(field.field)} of ${title.toLowerCase()}`}
                      data={optionsOf(field)}
                      value={target ?? NOT_WRITTEN}
                      allowDeselect={false}
                      searchable
                      error={isMissing && `Not written: ${label} no longer has this field. Choose another one.`}
                      onChange={(chosen) =>
                        choose(
                          field.field,
                          chosen === field.default_target ? undefined : chosen === NOT_WRITTEN ? null : chosen,
                        )
                      }
                    />
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Text size="sm" c="dimmed">
                    {target === null || isMissing ? '' : isShared ? 'Kept as it is' : 'Only pushes fill it'}
                  </Text>
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}

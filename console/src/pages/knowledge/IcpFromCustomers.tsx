import { Button, CloseButton, Group, Paper, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { queries, type Schemas } from '../../api/client.ts'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { formatNumber } from '../../lib/format.ts'

type Draft = Schemas['IcpFromCustomers']

type Props = {
  /** Whether the section has no text yet; otherwise using the draft replaces it. */
  isEmpty: boolean
  onUse: (draft: { title: string; content_md: string }) => void
}

/** Shows what the best customers in the CRM have in common, and offers it as the text of the section. */
export function IcpFromCustomers({ isEmpty, onUse }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, refetch } = queries.useQuery('get', '/v1/knowledge-base/icp-draft', {}, { enabled: isOpen })
  const draft = data?.data
  if (!isOpen) {
    return (
      <Group>
        <Button size="xs" variant="light" onClick={() => setOpen(true)}>
          From your best customers
        </Button>
      </Group>
    )
  }
  if (error) return <ErrorMessage error={error} retry={refetch} />
  if (!draft) return <Loading lines={4} />
  const { content_md } = draft
  return (
    <Paper withBorder p="sm" component="section" aria-label="Your best customers">
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text fw={600}>Your best customers</Text>
        <CloseButton size="sm" aria-label="Close" onClick={() => setOpen(false)} />
      </Group>
      <Stack gap="xs">
        <Text size="sm">{draft.note}</Text>
        {content_md !== null && (
          <>
            <Counts draft={draft} />
            <Group>
              <Button
                size="xs"
                onClick={() => {
                  onUse({ title: draft.title, content_md })
                  setOpen(false)
                }}
              >
                {isEmpty ? 'Use as text' : 'Replace the text'}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  )
}

const SHOWN = 6

function Counts({ draft: { sizes, industries, countries, technologies } }: { draft: Draft }) {
  const lists = { Employees: sizes, Industries: industries, Countries: countries, Technologies: technologies }
  return (
    <Stack gap={2} component="dl" m={0}>
      {Object.entries(lists).map(
        ([name, values]) =>
          values.length > 0 && (
            <Text key={name} size="sm" component="div">
              <Text span size="sm" fw={600} component="dt" style={{ display: 'inline' }}>
                {name}:
              </Text>{' '}
              <Text span size="sm" component="dd" m={0} style={{ display: 'inline' }}>
                {values
                  .slice(0, SHOWN)
                  .map(({ name, count }) => `${name} (${formatNumber(count)})`)
                  .join(', ')}
                {values.length > SHOWN && ', …'}
              </Text>
            </Text>
          ),
      )}
    </Stack>
  )
}

import { Group, Stack, Table, Text } from '@mantine/core'
import { queries, type Schemas } from '../../api/client.ts'
import { OfflineAlert, Preflight } from '../../components/Preflight.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { SettingsSection } from './Section.tsx'

type Source = Schemas['Source']

const KINDS: Record<Source['kind'], string> = {
  website: 'Websites',
  job_board: 'Job boards',
  filings: 'Filings',
  awards: 'Contracts and grants',
  layoff_notices: 'Layoff notices',
  news: 'News',
  software: 'Software',
  firmographics: 'Company facts',
  registers: 'Company registers',
  people: 'People',
  email_verification: 'Email addresses',
  language_model: 'Language model',
  reader: 'Classifier',
}

const STATES: Record<Source['state'], { label: string; color: string }> = {
  works: { label: 'Working', color: 'bell' },
  failing: { label: 'Failing', color: 'red' },
  unknown: { label: 'Not used yet', color: 'blue' },
  off: { label: 'Off', color: 'gray' },
}

/** Failing sources first. */
const ORDER: Source['state'][] = ['failing', 'works', 'unknown', 'off']

/** The data sources with status and errors. */
export default function Sources() {
  const sources = queries.useQuery('get', '/v1/sources', {}, { refetchInterval: 60_000 })
  return (
    <SettingsSection title="Sources" lead="Data sources for research. A failing source does not stop the others.">
      <OfflineAlert />
      <Preflight />
      {sources.isPending ? (
        <Loading lines={10} />
      ) : sources.isError ? (
        <ErrorMessage error={sources.error} retry={sources.refetch} />
      ) : (
        <List sources={sources.data.data.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))} />
      )}
    </SettingsSection>
  )
}

function List({ sources }: { sources: Source[] }) {
  return (
    <Table verticalSpacing="xs" layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Source</Table.Th>
          <Table.Th w={140}>Status</Table.Th>
          <Table.Th visibleFrom="sm" w={150}>
            Last success
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sources.map((source) => (
          <Table.Tr key={source.name}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Group gap={6}>
                <Text size="sm" fw={550}>
                  {source.name}
                </Text>
                <Text size="xs" c="dimmed">
                  {KINDS[source.kind]}
                </Text>
              </Group>
              <Text size="sm" c="dimmed">
                {source.about} {source.state !== 'failing' && source.message}
              </Text>
              {source.state === 'failing' && (
                <Text size="sm" c="var(--mantine-color-error)">
                  {source.message}
                </Text>
              )}
            </Table.Td>
            <Table.Td>
              <Stack gap={2} align="flex-start">
                <StateBadge color={STATES[source.state].color}>{STATES[source.state].label}</StateBadge>
                {source.state === 'failing' && source.since && (
                  <Text size="xs" c="dimmed">
                    since <RelativeTime at={source.since} />
                  </Text>
                )}
              </Stack>
            </Table.Td>
            <Table.Td visibleFrom="sm">
              <Text size="sm" c="dimmed">
                {source.last_ok_at ? <RelativeTime at={source.last_ok_at} /> : '–'}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

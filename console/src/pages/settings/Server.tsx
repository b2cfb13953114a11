import { Code, Group, Paper, Table, Text } from '@mantine/core'
import { Lock } from 'lucide-react'
import { queries } from '../../api/client.ts'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { SettingsSection } from './Section.tsx'

/** The settings that the environment of the server gives. */
export default function Server() {
  const settings = queries.useQuery('get', '/v1/settings/server')
  return (
    <SettingsSection
      title="Server"
      isWholeTab
      lead="Locked: these settings come from the environment of the server and apply to all workspaces. To change one, edit the environment and restart."
    >
      {settings.isPending ? (
        <Loading />
      ) : settings.isError ? (
        <ErrorMessage error={settings.error} retry={settings.refetch} />
      ) : settings.data.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          The environment sets nothing: all settings have their defaults.
        </Text>
      ) : (
        <Paper withBorder>
          <Table verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Setting</Table.Th>
                <Table.Th w="40%">Value</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {settings.data.data.map(({ name, description, value, is_secret }) => (
                <Table.Tr key={name}>
                  <Table.Td>
                    <Group gap={6} wrap="nowrap">
                      <Lock size={13} aria-label="Locked" />
                      <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                        {name}
                      </Text>
                    </Group>
                    <Text size="xs" c="dimmed" visibleFrom="sm">
                      {description}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    {is_secret ? (
                      <Text size="sm" c="dimmed">
                        Set, hidden
                      </Text>
                    ) : (
                      <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
    </SettingsSection>
  )
}

import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { ErrorMessage } from '../../components/states.tsx'
import { Tiers } from './Tiers.tsx'

type Request = Schemas['UnderstoodRequest']
type Props = { hasQuery: boolean; interpretation: Request | undefined; error: unknown; retry: () => void }

/** How the query is interpreted, before the search runs. */
export function QueryPreview({ hasQuery, interpretation, error, retry }: Props) {
  return (
    <Stack gap="sm" component="section" aria-label="Search preview">
      <Title order={2}>Search preview</Title>
      {!hasQuery && (
        <Text size="sm" c="dimmed">
          Describe a role, level, department or location, and who to exclude. Matching tiers appear here.
        </Text>
      )}
      {hasQuery && Boolean(error) && <ErrorMessage error={error} retry={retry} />}
      {hasQuery && interpretation && !error && (
        <>
          {interpretation.message ? (
            <Text size="sm" role="status">
              {interpretation.message}
            </Text>
          ) : (
            <Tiers cascade={interpretation.cascade} />
          )}
          <Conditions interpretation={interpretation} />
          {interpretation.notice && (
            <Text size="xs" c="dimmed">
              {interpretation.notice}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}

function Conditions({ interpretation: { names, places, credentials, without } }: { interpretation: Request }) {
  const all: [string, string[]][] = [
    ['Location', places],
    ['Name', names],
    ['Credential', credentials],
    ['Exclude', without],
  ]
  return (
    <Stack gap={4}>
      {all
        .filter(([, words]) => words.length > 0)
        .map(([label, words]) => (
          <Group key={label} gap={6}>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            {words.slice(0, 8).map((word) => (
              <Badge key={word} variant="light" color="gray" radius="sm" tt="none" fw={500}>
                {word}
              </Badge>
            ))}
          </Group>
        ))}
      {places.length > 0 && (
        <Text size="xs" c="dimmed">
          Includes people with unknown location.
        </Text>
      )}
    </Stack>
  )
}

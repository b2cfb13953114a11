import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { ErrorMessage } from '../../components/states.tsx'
import { Tiers } from './Tiers.tsx'

type Request = Schemas['UnderstoodRequest']
type Props = { isAsked: boolean; understood: Request | undefined; error: unknown; retry: () => void }

/** What a request means to the service, before anybody is looked for. */
export function QueryPreview({ isAsked, understood, error, retry }: Props) {
  return (
    <Stack gap="sm" component="section" aria-label="What is understood">
      <Title order={2}>What is understood</Title>
      {!isAsked && (
        <Text size="sm" c="dimmed">
          Describe somebody as you would to a colleague: a role, a level, a department, a place, whom you do not mean.
          The tiers in which they are looked for show here.
        </Text>
      )}
      {isAsked && Boolean(error) && <ErrorMessage error={error} retry={retry} />}
      {isAsked && understood && !error && (
        <>
          {understood.message ? (
            <Text size="sm" role="status">
              {understood.message}
            </Text>
          ) : (
            <Tiers cascade={understood.cascade} />
          )}
          <Conditions understood={understood} />
          {understood.notice && (
            <Text size="xs" c="dimmed">
              {understood.notice}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}

function Conditions({ understood: { names, places, credentials, without } }: { understood: Request }) {
  const all: [string, string[]][] = [
    ['Only in', places],
    ['Only named', names],
    ['Only with', credentials],
    ['Without', without],
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
          People whose place is not known are shown, too.
        </Text>
      )}
    </Stack>
  )
}

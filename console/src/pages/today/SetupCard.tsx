import { CloseButton, Group, Paper, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { countDone, STEP_TITLES, setupQuery, useUpdateSetup } from '../../api/setup.ts'
import { PageButton } from '../../components/links.tsx'

/** The next step of the setup, until it is done or dismissed. */
export function SetupCard() {
  const { data } = useQuery({ ...setupQuery, staleTime: 60_000 })
  const update = useUpdateSetup()
  const setup = data?.data
  if (!setup?.next || setup.is_dismissed) return null
  const done = countDone(setup)
  const total = setup.steps.length
  return (
    <Paper withBorder p="md" component="section" aria-label="Set up Bellwether">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Text size="sm" fw={650}>
          Set up Bellwether: {done} of {total} done
        </Text>
        <CloseButton
          size="sm"
          aria-label="Dismiss setup"
          disabled={update.isPending}
          onClick={() => update.mutate({ is_dismissed: true })}
        />
      </Group>
      <Progress value={(100 * done) / total} size="xs" mt={6} mb="sm" aria-label="Steps done" />
      <PageButton to="/start" search={{ step: setup.next }} size="xs" variant="light" fullWidth>
        Next: {STEP_TITLES[setup.next]}
      </PageButton>
    </Paper>
  )
}

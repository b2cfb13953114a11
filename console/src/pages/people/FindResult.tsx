import { Badge, Collapse, Group, Paper, Progress, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ChevronDown, SearchX, TriangleAlert } from 'lucide-react'
import { ApiError, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { type Person, tierName } from './labels.ts'
import { PeopleTable } from './PeopleTable.tsx'
import { SelectionBar, usePeopleSelection } from './SelectionBar.tsx'
import { Tiers } from './Tiers.tsx'

type FindResponse = Schemas['FoundPeople']
type PeopleSearchRecord = Schemas['PeopleSearch']

type Props = { id: string; isAsking: boolean; answer: FindResponse | undefined }

/** A search while it runs and after it: how far it is, whom it has found in which tier, what could not be done. */
export function FindResult({ id, isAsking, answer }: Props) {
  const { data, error, refetch } = queries.useQuery(
    'get',
    '/v1/people/searches/{id}',
    { params: { path: { id } } },
    {
      retry: false,
      refetchInterval: ({ state }) => (isAsking || state.data?.data.state === 'running' ? 1_000 : false),
    },
  )
  const isMissing = error instanceof ApiError && error.status === 404
  const found = data?.data
  if (isAsking && !found) return <Running done={0} of={null} />
  if (isMissing) {
    return (
      <EmptyState icon={SearchX} title="This search is not there">
        It is a colleague’s, or was made long ago. Ask again: who is known already is found at once.
      </EmptyState>
    )
  }
  if (error) return <ErrorMessage error={error} retry={refetch} />
  if (!found) return <Loading lines={6} />
  return <SearchResult found={found} answer={answer} />
}

function SearchResult({ found, answer }: { found: PeopleSearchRecord; answer: FindResponse | undefined }) {
  const { write } = useRights()
  const { selected, select, clear } = usePeopleSelection()
  const preview = queries.useQuery(
    'post',
    '/v1/people/find/preview',
    { body: { query: found.query } },
    { enabled: answer === undefined && write, staleTime: Number.POSITIVE_INFINITY },
  )
  const cascade = answer?.cascade ?? preview.data?.data.cascade ?? []
  const isRunning = found.state === 'running'
  const withEmail = found.contacts.filter(({ email }) => email !== null).length
  const inTier = (tier: number) => found.contacts.filter(({ icp_tier }) => icp_tier === tier).length
  const labels = new Map(cascade.map(({ tier, label }) => [tier, tierName(label)]))
  const mark = ({ icp_tier }: Person) =>
    icp_tier !== null && (
      <Badge size="sm" variant={icp_tier === 1 ? 'light' : 'default'} radius="sm" tt="none" fw={500}>
        {labels.get(icp_tier) ?? `Tier ${icp_tier}`}
      </Badge>
    )
  return (
    <Stack gap="md" component="section" aria-label="Found people">
      <div>
        <Title order={2}>
          {isRunning ? 'Looking for' : `${pluralize(found.contacts.length, 'person', 'people')} found for`} “
          {found.query}”
        </Title>
        <Text size="sm" c="dimmed">
          {found.state === 'interrupted'
            ? `The search was interrupted after ${formatNumber(found.accounts_done)} of ${pluralize(found.accounts, 'account')}. What it had found is kept.`
            : `${isRunning ? 'Searching' : 'Searched'} ${pluralize(found.accounts, 'account')}, `}
          {found.state !== 'interrupted' && <RelativeTime at={found.created_at} />}
          {found.contacts.length > 0 && `, ${formatNumber(withEmail)} with a verified email`}
        </Text>
      </div>
      {isRunning && <Running done={found.accounts_done} of={found.accounts} />}
      {cascade.length > 0 && <Tiers cascade={cascade} found={inTier} />}
      <Problems problems={found.problems} />
      {selected.size > 0 && <SelectionBar selected={selected} list={undefined} onClear={clear} />}
      {found.contacts.length > 0 && (
        <PeopleTable people={found.contacts} label="Found people" selected={selected} onSelect={select} mark={mark} />
      )}
      {!isRunning && found.contacts.length === 0 && (
        <EmptyState icon={SearchX} title="Nobody was found">
          {answer?.message ?? 'Nobody with such a role is known or could be found at these accounts.'} Try another role,
          or other accounts.
        </EmptyState>
      )}
    </Stack>
  )
}

function Running({ done, of }: { done: number; of: number | null }) {
  return (
    <Stack gap={6}>
      <Text size="sm" role="status">
        {of === null ? 'The search begins…' : `${formatNumber(done)} of ${pluralize(of, 'account')} done`}
      </Text>
      <Progress value={of ? Math.max(3, (100 * done) / of) : 3} animated aria-label="How far the search is" />
    </Stack>
  )
}

/** What could not be done, each reason once. */
function Problems({ problems }: { problems: PeopleSearchRecord['problems'] }) {
  const [isOpen, { toggle }] = useDisclosure()
  if (problems.length === 0) return null
  const reasons = Map.groupBy(problems, ({ message }) => message)
  return (
    <Paper withBorder p="sm">
      <UnstyledButton onClick={toggle} aria-expanded={isOpen}>
        <Group gap={8}>
          <TriangleAlert size={16} aria-hidden color="var(--mantine-color-orange-6)" />
          <Text size="sm">Not everything could be searched: {pluralize(reasons.size, 'reason')}</Text>
          <ChevronDown size={14} aria-hidden style={{ transform: isOpen ? 'rotate(180deg)' : undefined }} />
        </Group>
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <Stack gap={4} mt="xs">
          {[...reasons].map(([message, at]) => (
            <Text key={message} size="sm" c="dimmed">
              {message} {at.length > 1 && `(${pluralize(at.length, 'account')})`}
            </Text>
          ))}
        </Stack>
      </Collapse>
    </Paper>
  )
}

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

type Props = { id: string; isSearching: boolean; response: FindResponse | undefined }

/** The progress and the result of a search: people by tier, and problems. */
export function FindResult({ id, isSearching, response }: Props) {
  const { data, error, refetch } = queries.useQuery(
    'get',
    '/v1/people/searches/{id}',
    { params: { path: { id } } },
    {
      retry: false,
      refetchInterval: ({ state }) => (isSearching || state.data?.data.state === 'running' ? 1_000 : false),
    },
  )
  const isMissing = error instanceof ApiError && error.status === 404
  const found = data?.data
  if (isSearching && !found) return <Running done={0} of={null} />
  if (isMissing) {
    return (
      <EmptyState icon={SearchX} title="Search not found">
        It belongs to another member or has expired. Run the search again.
      </EmptyState>
    )
  }
  if (error) return <ErrorMessage error={error} retry={refetch} />
  if (!found) return <Loading lines={6} />
  return <SearchResult found={found} response={response} />
}

function SearchResult({ found, response }: { found: PeopleSearchRecord; response: FindResponse | undefined }) {
  const { write } = useRights()
  const { selected, select, clear } = usePeopleSelection()
  const preview = queries.useQuery(
    'post',
    '/v1/people/find/preview',
    { body: { query: found.query } },
    { enabled: response === undefined && write, staleTime: Number.POSITIVE_INFINITY },
  )
  const cascade = response?.cascade ?? preview.data?.data.cascade ?? []
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
    <Stack gap="md" component="section" aria-label="Search results">
      <div>
        <Title order={2}>
          {isRunning ? 'Searching for' : `${pluralize(found.contacts.length, 'person', 'people')} found for`} “
          {found.query}”
        </Title>
        <Text size="sm" c="dimmed">
          {found.state === 'interrupted'
            ? `Search interrupted after ${formatNumber(found.accounts_done)} of ${pluralize(found.accounts, 'account')}`
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
        <PeopleTable people={found.contacts} label="Search results" selected={selected} onSelect={select} mark={mark} />
      )}
      {!isRunning && found.contacts.length === 0 && (
        <EmptyState icon={SearchX} title="No people found">
          {response?.message ?? 'No one at these accounts matches your search.'} Try another role or other accounts.
        </EmptyState>
      )}
    </Stack>
  )
}

function Running({ done, of }: { done: number; of: number | null }) {
  return (
    <Stack gap={6}>
      <Text size="sm" role="status">
        {of === null ? 'Starting search…' : `${formatNumber(done)} of ${pluralize(of, 'account')} searched`}
      </Text>
      <Progress value={of ? Math.max(3, (100 * done) / of) : 3} animated aria-label="Search progress" />
    </Stack>
  )
}

/** Problems of the search, grouped by reason. */
function Problems({ problems }: { problems: PeopleSearchRecord['problems'] }) {
  const [isOpen, { toggle }] = useDisclosure()
  if (problems.length === 0) return null
  const reasons = Map.groupBy(problems, ({ message }) => message)
  return (
    <Paper withBorder p="sm">
      <UnstyledButton onClick={toggle} aria-expanded={isOpen}>
        <Group gap={8}>
          <TriangleAlert size={16} aria-hidden color="var(--mantine-color-orange-6)" />
          <Text size="sm">Search incomplete: {pluralize(reasons.size, 'problem')}</Text>
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

import { Alert, Anchor, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, RotateCcw } from 'lucide-react'
import { useEffect } from 'react'
import { queries, type Schemas } from '../../api/client.ts'
import { AccountStatusBadge } from '../../components/AccountBadges.tsx'
import { ErrorAlert, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeDay, RelativeTime } from '../../components/time.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { Company, ScoreBar } from '../accounts/columns.tsx'
import classes from './discover.module.css'
import { type DiscoverSearch, MODES, RECENCIES } from './search.ts'

type FullRun = Schemas['FullRun']
const POLL_MS = 2_000
const MAX_SHOWN = 50

type Props = { id: string; change: (changes: Partial<DiscoverSearch>) => void }

/** The progress and the results of a discovery run, with failed sources. */
export function DiscoveryRun({ id, change }: Props) {
  const client = useQueryClient()
  const run = queries.useQuery(
    'get',
    '/v1/runs/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.data.status === 'running' ? POLL_MS : false) },
  )
  const status = run.data?.data.status
  const matched = run.data?.data.stats.matched
  // biome-ignore lint/correctness/useExhaustiveDependencies: results are refetched when there are more matches or the run has ended
  useEffect(() => {
    client.invalidateQueries({ queryKey: ['get', '/v1/accounts'] })
    if (status !== 'running')
      client.invalidateQueries({ queryKey: ['get', '/v1/runs', { params: { query: { asked: true } } }] })
  }, [matched, status, client])
  if (run.isPending) return <Loading lines={5} />
  if (run.isError) return <ErrorMessage error={run.error} retry={run.refetch} title="Failed to load this run" />
  const { data } = run.data
  return (
    <Stack gap="md" component="section" aria-label="Results">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{data.name}</Title>
          <Text size="sm" c="dimmed">
            {data.status === 'running' ? 'Started' : data.status === 'done' ? 'Finished' : 'Failed'}{' '}
            <RelativeTime at={data.finished_at ?? data.started_at} />
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          leftSection={<RotateCcw size={14} aria-hidden />}
          onClick={() => change({ ...formOf(data), run: id })}
        >
          Use these filters
        </Button>
      </Group>
      <Status run={data} />
      <Problems run={data} />
      <Found id={id} isRunning={data.status === 'running'} />
    </Stack>
  )
}

function Status({ run: { status, stats, failure } }: { run: FullRun }) {
  const { candidates, matched, pending = 0, existing = 0, failed = 0, unresolved = 0 } = stats
  const checked = candidates - pending
  if (status === 'running') {
    return (
      <Stack gap={6} role="status">
        <Progress value={candidates > 0 ? (checked / candidates) * 100 : 5} animated aria-label="Discovery progress" />
        <Text size="sm">
          {candidates === 0
            ? 'Collecting companies…'
            : `${formatNumber(checked)} of ${pluralize(candidates, 'company', 'companies')} checked, ${pluralize(matched, 'match', 'matches')} so far`}
        </Text>
      </Stack>
    )
  }
  if (status === 'failed') {
    return <ErrorAlert title="Run failed">{failure}</ErrorAlert>
  }
  const companies = (number: number) => pluralize(number, 'company', 'companies')
  const unmatched = candidates - matched - failed
  const parts = [
    unmatched > 0 ? `${formatNumber(unmatched)} without a match` : '',
    failed > 0 ? `${formatNumber(failed)} failed` : '',
  ].filter(Boolean)
  // Found, but not checked.
  const rest = [
    existing > 0 ? pluralize(existing, 'existing account') : '',
    unresolved > 0 ? `${formatNumber(unresolved)} without a known website` : '',
  ].filter(Boolean)
  return (
    <Text size="sm" role="status">
      {rest.length > 0 && `${companies(candidates + existing + unresolved)} found (${rest.join(', ')}). `}
      {rest.length > 0 ? `${formatNumber(candidates)} checked` : `${companies(candidates)} checked`}
      {candidates > 0 && (
        <>
          : <b>{pluralize(matched, 'match', 'matches')}</b>
          {parts.length > 0 ? `, ${parts.join(', ')}` : ''}
        </>
      )}
      .
    </Text>
  )
}

/** Failed sources, because missing results may be unknown rather than absent. */
function Problems({ run: { stats } }: { run: FullRun }) {
  const failed = [...(stats.sources ?? []), ...(stats.lead_sources ?? [])].filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return null
  return (
    <Alert color="yellow" variant="light" icon={<CircleAlert size={18} aria-hidden />} title="Some sources failed">
      {failed.map(({ name, reason }) => (
        <Text key={name} size="sm">
          <b>{name}</b>: {reason}
        </Text>
      ))}
    </Alert>
  )
}

function Found({ id, isRunning }: { id: string; isRunning: boolean }) {
  const found = queries.useQuery('get', '/v1/accounts', {
    params: { query: { run_id: id, per_page: MAX_SHOWN, latest_finding: true } },
  })
  if (found.isPending) return <Loading lines={3} />
  if (found.isError) return <ErrorMessage error={found.error} retry={found.refetch} />
  const { data, pagination } = found.data
  if (data.length === 0) {
    return isRunning ? null : (
      <Text size="sm" c="dimmed">
        No matches. Try more signals, a longer time range or fewer filters.
      </Text>
    )
  }
  return (
    <Stack gap="xs">
      <ul className={classes.results} aria-label="Matching companies">
        {data.map((account) => (
          <li key={account.id}>
            <div className={classes.found}>
              <Company account={account} />
              {account.latest_finding && (
                <p className={classes.what}>
                  {account.latest_finding.headline}{' '}
                  <span className={classes.when}>
                    <RelativeDay on={account.latest_finding.detected_at} />
                  </span>
                </p>
              )}
            </div>
            <Group gap="sm" wrap="nowrap">
              <AccountStatusBadge status={account.status} />
              <ScoreBar score={account.score} isHot={account.is_hot} />
            </Group>
          </li>
        ))}
      </ul>
      <Group gap="md">
        <Anchor size="sm" renderRoot={(props) => <Link to="/accounts" search={{ run: id }} {...props} />}>
          {pagination.total > data.length
            ? `View all ${formatNumber(pagination.total)} in Accounts`
            : 'View in Accounts'}
        </Anchor>
        <Anchor component={Link} to="/suggested" size="sm">
          Review in Suggested
        </Anchor>
      </Group>
    </Stack>
  )
}

/** The form values of the run. */
function formOf({ spec, mode, name }: FullRun): Partial<DiscoverSearch> {
  const rest = spec ?? {}
  const { any, must, without, places, industries } = runFilters(spec)
  const chosen = (values: string[]) => (values.length > 0 ? values : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  return {
    any: chosen(any),
    must: chosen(must),
    without: chosen(without),
    places: chosen(places),
    industries: chosen(industries),
    min: number(rest.employee_min),
    max: number(rest.employee_max),
    recency: RECENCIES.find((one) => one === rest.recency),
    mode: MODES.find((one) => one === mode),
    name: name ?? undefined,
  }
}

/** The filters of a run by form field. */
type RunFilters = { any: string[]; must: string[]; without: string[]; places: string[]; industries: string[] }

function runFilters(spec: Record<string, unknown> | null): RunFilters {
  const { signals = {}, geographies, industries } = (spec ?? {}) as Record<string, unknown>
  const { any_of, must_have, exclude } = signals as Record<string, unknown>
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return {
    any: texts(any_of),
    must: texts(must_have),
    without: texts(exclude),
    places: texts(geographies),
    industries: texts(industries),
  }
}

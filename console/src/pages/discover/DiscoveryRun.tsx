import { Alert, Anchor, Button, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert, RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useActivations } from '../../api/activations.ts'
import { api, queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { AccountStatusBadge } from '../../components/AccountBadges.tsx'
import { Paginator } from '../../components/Paginator.tsx'
import { sourceName } from '../../components/RunProgress.tsx'
import { useSignals } from '../../components/signals.tsx'
import { ErrorAlert, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeDay, RelativeTime } from '../../components/time.tsx'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { formatNumber, pluralize } from '../../lib/format.ts'
import { Company, ScoreBar } from '../accounts/columns.tsx'
import classes from './discover.module.css'
import { type DiscoverSearch, MODES, RECENCIES } from './search.ts'

type FullRun = Schemas['FullRun']
const POLL_MS = 2_000
const MAX_SHOWN = 50
const UNRESOLVED_PER_PAGE = 25

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
      {(data.stats.unresolved ?? 0) > 0 && <Unresolved id={id} />}
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

/** Companies that a source names without a known website, with what was tried. */
function Unresolved({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const { write } = useRights()
  const { nameOf } = useSignals()
  const found = queries.useQuery('get', '/v1/runs/{id}/unresolved', {
    params: { path: { id }, query: { page, per_page: UNRESOLVED_PER_PAGE } },
  })
  if (found.isPending) return <Loading lines={3} />
  if (found.isError) return <ErrorMessage error={found.error} retry={found.refetch} />
  const { data, pagination } = found.data
  return (
    <Stack gap="xs">
      <Title order={3}>Companies without a website</Title>
      <Text size="sm" c="dimmed">
        Named in news or public records. Their website was not found, so they were not researched.
      </Text>
      <ul className={classes.results} aria-label="Companies without a website">
        {data.map(({ name, signal_id, source, url, attempts }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: redaction may make names equal
          <li key={at}>
            <div className={classes.found}>
              <Text size="sm" fw={550}>
                {name}
              </Text>
              <Text size="sm">
                {nameOf(signal_id)}, in{' '}
                <Anchor size="sm" href={url} target="_blank" rel="noreferrer">
                  {sourceName(source)}
                </Anchor>
              </Text>
              <details className={classes.tried}>
                <summary>What was tried</summary>
                <ul>
                  {attempts.map((attempt, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: redaction may make attempts equal
                    <li key={at}>{attempt}</li>
                  ))}
                </ul>
              </details>
            </div>
            {write && (
              <Button
                size="xs"
                variant="default"
                renderRoot={(props) => <Link to="/accounts" search={{ add: true, name }} {...props} />}
              >
                Add account
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Paginator pagination={pagination} onChange={setPage} items="companies" />
    </Stack>
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
              {account.unqualified_reason && (
                <Text size="sm" c="dimmed">
                  {account.unqualified_reason}
                </Text>
              )}
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
              {account.status === 'unqualified' && <Activate account={account} />}
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

/** Activates an account although it does not fit the ideal customer. */
function Activate({ account: { id, name, owner_id } }: { account: Schemas['ListedAccount'] }) {
  const client = useQueryClient()
  const { activates } = useRights()
  const { usedUp } = useActivations()
  const activate = useMutation({
    mutationFn: () => api.POST('/v1/accounts/{id}/activate', { params: { path: { id } }, body: {} }),
    onSuccess: () => {
      client.invalidateQueries({ queryKey: ['get', '/v1/accounts'] })
      toastSuccess(`${name} activated`)
    },
    onError: (error) => toastError(`Could not activate ${name}`, error),
  })
  if (!activates(owner_id)) return null
  return (
    <Button
      size="xs"
      variant="default"
      loading={activate.isPending}
      disabled={usedUp !== undefined}
      onClick={() => activate.mutate()}
    >
      Activate
    </Button>
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

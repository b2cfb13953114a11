import { Badge, Group, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { queries, type Schemas } from '../api/client.ts'
import { pluralize } from '../lib/format.ts'
import { useSignals } from './signals.tsx'
import { ErrorAlert, ErrorMessage, Loading } from './states.tsx'

type FullRun = Schemas['FullRun']
type Source = NonNullable<FullRun['stats']['sources']>[number]

const POLL_MS = 1_500

/** A run, polled until it ends. */
export function useRun(id: string, onEnd?: (run: FullRun) => void) {
  const run = queries.useQuery(
    'get',
    '/v1/runs/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (isRunning(state.data?.data) ? POLL_MS : false) },
  )
  const wasRunning = useRef(false)
  const latest = run.data?.data
  useEffect(() => {
    if (!latest) return
    if (wasRunning.current && latest.status !== 'running') onEnd?.(latest)
    wasRunning.current = latest.status === 'running'
  }, [latest, onEnd])
  return run
}

/** The progress and the result of a scan. Failed sources are listed with their reason. */
export function RunProgress({ id, onEnd }: { id: string; onEnd?: (run: FullRun) => void }) {
  const client = useQueryClient()
  const run = useRun(id, (ended) => {
    client.invalidateQueries({ queryKey: ['get', '/v1/runs'] })
    onEnd?.(ended)
  })
  if (run.isPending) return <Loading lines={2} />
  if (run.isError) return <ErrorMessage error={run.error} retry={run.refetch} />
  const { data } = run.data
  return (
    <Stack gap="sm">
      {data.status === 'running' ? <RunningScan run={data} /> : <ScanSummary run={data} />}
      <Sources sources={data.stats.sources ?? []} />
      {data.status !== 'running' && <Signals jobs={data.jobs} />}
    </Stack>
  )
}

/** A scan first reads the sources, then analyzes the documents. */
function RunningScan({ run }: { run: FullRun }) {
  const { documents, sources } = run.stats
  const isReading = sources === undefined
  const step = isReading
    ? 'Step 1 of 2: Reading website, news, filings and job boards…'
    : `Step 2 of 2: Checking ${pluralize(documents ?? 0, 'document')} for ${pluralize(run.jobs.length, 'signal')}…`
  return (
    <Stack gap={6} role="status">
      <Text size="sm">{step}</Text>
      <Progress.Root size="sm">
        <Progress.Section value={50} animated={isReading} withAria={false} />
        {!isReading && <Progress.Section value={50} animated withAria={false} />}
      </Progress.Root>
    </Stack>
  )
}

function ScanSummary({ run }: { run: FullRun }) {
  const { documents, detections, candidates, accounts } = run.stats
  if (run.status === 'failed') {
    return <ErrorAlert title="Scan failed">{run.failure}</ErrorAlert>
  }
  const isScan = run.account_id !== null
  return (
    <Text size="sm" role="status">
      {isScan
        ? `${pluralize(documents ?? 0, 'document')} scanned, ${detections ? pluralize(detections, 'new finding') : 'no new findings'}.`
        : `${pluralize(candidates, 'company', 'companies')} checked, ${pluralize(accounts, 'account')} suggested.`}
    </Text>
  )
}

const SOURCE_ICONS = {
  items: { Icon: CircleCheck, color: 'var(--mantine-color-bell-text)' },
  nothing: { Icon: CircleDashed, color: 'var(--mantine-color-dimmed)' },
  failed: { Icon: CircleX, color: 'var(--mantine-color-red-text)' },
} as const

function Sources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null
  return (
    <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Sources">
      {sources.map(({ name, outcome, items, reason }) => {
        const { Icon, color } = SOURCE_ICONS[outcome]
        return (
          <Group key={name} component="li" gap={6} wrap="nowrap" align="flex-start">
            <Icon size={15} color={color} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
            <Text size="sm">
              <Text span size="sm" fw={550}>
                {sourceName(name)}
              </Text>{' '}
              {outcome === 'failed'
                ? `failed: ${reason}`
                : outcome === 'nothing'
                  ? 'no new items'
                  : pluralize(items, 'item')}
              {outcome !== 'failed' && reason ? ` (${reason})` : ''}
            </Text>
          </Group>
        )
      })}
    </Stack>
  )
}

const SIGNAL_STATES = {
  found: { color: 'bell', label: 'Found' },
  absent: { color: 'gray', label: 'Not found' },
  failed: { color: 'red', label: 'Failed' },
  pending: { color: 'gray', label: 'Not checked' },
} as const

function Signals({ jobs }: { jobs: FullRun['jobs'] }) {
  const { nameOf } = useSignals()
  const groups = (['found', 'failed', 'pending', 'absent'] as const)
    .map((state) => ({ state, ids: jobs.filter((job) => job.state === state).map(({ signal_id }) => signal_id) }))
    .filter(({ ids }) => ids.length > 0)
  if (groups.length === 0) return null
  return (
    <Stack gap={4}>
      {groups.map(({ state, ids }) => (
        <Group key={state} gap={6} align="flex-start" wrap="nowrap">
          <Badge variant="light" color={SIGNAL_STATES[state].color} tt="none" fw={550} style={{ flexShrink: 0 }}>
            {SIGNAL_STATES[state].label}
          </Badge>
          <Text size="sm" c={state === 'absent' ? 'dimmed' : undefined}>
            {ids.map(nameOf).join(', ')}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

const SOURCE_NAMES: Record<string, string> = {
  ...{ website: 'Website', 'job-boards': 'Job boards', sec: 'SEC filings', 'hacker-news': 'Hacker News' },
  ...{ wikidata: 'Wikidata', gdelt: 'GDELT news', dns: 'DNS records' },
  ...{ github: 'GitHub', 'status-pages': 'Status pages' },
}

/** The display name of a source. */
export function sourceName(name: string): string {
  return SOURCE_NAMES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')
}

const isRunning = (run: FullRun | undefined): boolean => run === undefined || run.status === 'running'

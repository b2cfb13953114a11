import { Button, Center, Group, Stack, Switch, Text, ThemeIcon, Title } from '@mantine/core'
import { CircleAlert, Eye, FileDiff, FilePlus2, History, Plus, Power, Radar, ScanSearch } from 'lucide-react'
import { Fragment } from 'react'
import { queries, type Schemas } from '../../api/client.ts'
import { useRights } from '../../api/me.ts'
import { useMembers } from '../../api/members.ts'
import { hostOf, SafeLink } from '../../components/links.tsx'
import { useSignals } from '../../components/signals.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { findingHeadline } from '../../lib/format.ts'
import { activityEntry, type Entry, withoutRepeats } from './activity-entry.ts'
import { LogActivity } from './LogActivity.tsx'
import { type AccountRecord, type Finding, useAccountRuns, useAccountSearch } from './use-account.ts'

const PER_PAGE = 50
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

const PAGING = {
  pageParamName: 'page',
  initialPageParam: 1,
  getNextPageParam: ({ pagination }: { pagination: Schemas['Pagination'] }) =>
    pagination.has_more ? pagination.page + 1 : undefined,
}

/** The history of the account, newest first: what the team did, page changes, findings and scans. */
export function Timeline({ account, findings }: { account: AccountRecord; findings: readonly Finding[] }) {
  const [{ all }, go] = useAccountSearch()
  const { owns } = useRights()
  const { nameOf } = useSignals()
  const runs = useAccountRuns(account.id)
  const events = queries.useInfiniteQuery(
    'get',
    '/v1/accounts/{id}/monitor-events',
    { params: { path: { id: account.id }, query: { per_page: PER_PAGE, ...(all ? { all } : {}) } } },
    PAGING,
  )
  const { nameOf: memberName } = useMembers()
  const activities = queries.useInfiniteQuery(
    'get',
    '/v1/accounts/{id}/activities',
    { params: { path: { id: account.id }, query: { per_page: PER_PAGE } } },
    PAGING,
  )
  if (events.isPending || activities.isPending || runs.isPending) return <Loading />
  if (events.isError) return <ErrorMessage error={events.error} retry={events.refetch} />
  if (activities.isError) return <ErrorMessage error={activities.error} retry={activities.refetch} />

  const checks = events.data.pages.flatMap(({ data }) => data).map(checkEntry)
  const done = withoutRepeats(activities.data.pages.flatMap(({ data }) => data)).map((activity) =>
    activityEntry(activity, memberName),
  )
  // Entries older than the last loaded one of a list with more pages are shown when its next page is loaded.
  const oldest = (list: { hasNextPage: boolean }, loaded: readonly Entry[]) =>
    list.hasNextPage ? (loaded.at(-1)?.at ?? '') : ''
  const since = [oldest(events, checks), oldest(activities, done)].sort().at(-1) ?? ''
  const isLoadingMore = events.isFetchingNextPage || activities.isFetchingNextPage
  const loadMore = () => [events, activities].filter((list) => list.hasNextPage).map((list) => list.fetchNextPage())
  const others: Entry[] = [
    ...findings.map((finding) => ({
      id: finding.id,
      at: finding.created_at,
      icon: Radar,
      color: 'bell',
      title: findingHeadline(finding, nameOf(finding.signal_id)),
      text: nameOf(finding.signal_id),
    })),
    ...(runs.data?.data ?? []).filter(({ status }) => status !== 'running').map(runEntry),
    { id: 'added', at: account.created_at, icon: Plus, color: 'gray', title: 'Added' },
    ...(account.activated_at
      ? [{ id: 'activated', at: account.activated_at, icon: Power, color: 'bell', title: 'Activated' }]
      : []),
  ]
  const entries = [...checks, ...done, ...others]
    .filter(({ at }) => at >= since)
    .sort((a, b) => b.at.localeCompare(a.at))
  const days = Map.groupBy(entries, ({ at }) => day.format(new Date(at)))
  return (
    <Stack gap="md">
      {owns(account.owner_id) && <LogActivity account={account} />}
      <Switch
        label="Show checks with no news"
        checked={all ?? false}
        onChange={(event) => go({ all: event.currentTarget.checked || undefined }, { replace: true })}
      />
      {entries.length === 0 && (
        <EmptyState icon={History} title="No activity yet">
          Activate this account to track changes here.
        </EmptyState>
      )}
      {[...days].map(([date, ofDay]) => (
        <Fragment key={date}>
          <Title order={3} c="dimmed" fz="sm">
            {date}
          </Title>
          <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
            {ofDay.map((entry) => (
              <TimelineEntry key={entry.id} {...entry} />
            ))}
          </Stack>
        </Fragment>
      ))}
      {(events.hasNextPage || activities.hasNextPage) && (
        <Center>
          <Button variant="default" loading={isLoadingMore} onClick={loadMore}>
            Load more
          </Button>
        </Center>
      )}
    </Stack>
  )
}

function TimelineEntry({ at, icon: Icon, color, title, text }: Entry) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant="light" color={color} size={28} radius="xl">
        <Icon size={15} aria-hidden />
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
          <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            <RelativeTime at={at} />
          </Text>
        </Group>
        {text && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        )}
      </div>
    </Group>
  )
}

const CHECKS = {
  new: { icon: FilePlus2, color: 'blue', label: 'New page' },
  changed: { icon: FileDiff, color: 'blue', label: 'Page changed' },
  unchanged: { icon: Eye, color: 'gray', label: 'No changes' },
  failed: { icon: CircleAlert, color: 'red', label: 'Page not readable' },
} as const

function checkEntry({
  id,
  url,
  urls,
  status,
  reason,
  count,
  last_seen_at,
  is_ongoing,
  created_at,
}: Schemas['MonitorEvent']): Entry {
  const { icon, color, label } = CHECKS[status]
  const title = (
    <>
      {label}: <SafeLink to={url}>{shortAddress(url)}</SafeLink>
    </>
  )
  if (count === 1) return { id, at: created_at, icon, color, title, text: reason }
  const text = (
    <>
      {reason} {count} times{urls.length > 1 ? ` on ${urls.length} pages` : ''}, last <RelativeTime at={last_seen_at} />
      . {is_ongoing ? 'Ongoing.' : 'Resolved.'}
    </>
  )
  return { id, at: created_at, icon, color, title, text }
}

function runEntry({ id, status, stats, failure, created_at, finished_at }: Schemas['Run']): Entry {
  const at = finished_at ?? created_at
  if (status === 'failed') {
    return { id, at, icon: CircleAlert, color: 'red', title: 'Scan failed', text: failure }
  }
  const text = stats.matched > 0 ? 'Signals found.' : 'No signals found.'
  return { id, at, icon: ScanSearch, color: 'gray', title: 'Scan completed', text }
}

/** `northwind.example/news` */
function shortAddress(url: string): string {
  const host = hostOf(url)
  if (host === null) return url
  const path = URL.parse(url)?.pathname ?? '/'
  return path === '/' ? host : `${host}${path}`
}

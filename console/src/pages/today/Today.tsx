import { Button, Stack } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { queries } from '../../api/client.ts'
import { Page } from '../../components/Page.tsx'
import { ErrorMessage, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { pluralize } from '../../lib/format.ts'
import { AttentionPanel } from './AttentionPanel.tsx'
import { EmptyFeed } from './EmptyFeed.tsx'
import classes from './Feed.module.css'
import { Feed } from './Feed.tsx'
import { FeedFilters } from './FeedFilters.tsx'
import { feedQuery } from './feed-query.ts'
import { useLastVisit } from './last-visit.ts'
import { type FeedQueryFilters, type FeedSearch, feedFilters } from './search.ts'
import { WeeksChart } from './WeeksChart.tsx'

/** The interval of the check for new findings. */
const POLL_MS = 60_000

const route = getRouteApi('/app/')

/** The latest findings across all accounts. */
export function Today() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filters = useMemo(() => feedFilters(search), [search])
  const isFiltered = Object.keys(filters).length > 0
  const change = (part: Partial<FeedSearch>) =>
    navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const clear = () => navigate({ search: {} })

  const feed = useInfiniteQuery(feedQuery(filters))
  const entries = useMemo(() => feed.data?.pages.flatMap(({ data }) => data) ?? [], [feed.data])
  const total = feed.data?.pages[0]?.pagination.total ?? 0
  const newest = entries[0]?.created_at
  // With filters only a part is visible, so the feed does not count as seen.
  const seenAt = useLastVisit(isFiltered ? undefined : newest)
  const tags = useMemo(() => [...new Set(entries.flatMap(({ account }) => account.tags))].sort(), [entries])
  const isEmpty = feed.isSuccess && entries.length === 0
  const isFeedEmpty = isEmpty && !isFiltered

  return (
    <Page title="Today" lead={<Lead seenAt={seenAt} filters={filters} />} wide>
      {!isFeedEmpty && <FeedFilters search={search} onChange={change} tags={tags} />}
      <div className={isFeedEmpty ? undefined : classes.columns}>
        <Stack gap="md">
          {newest && <NewFindingsButton since={newest} filters={filters} />}
          {feed.isPending && <Loading lines={12} />}
          {feed.isError && entries.length === 0 && <ErrorMessage error={feed.error} retry={feed.refetch} />}
          {isEmpty && <EmptyFeed clear={isFiltered ? clear : null} />}
          {entries.length > 0 && (
            <Feed
              entries={entries}
              seenAt={seenAt}
              total={total}
              isLoadingMore={feed.isFetchingNextPage}
              loadMore={feed.hasNextPage ? () => feed.fetchNextPage() : null}
            />
          )}
          {feed.isError && entries.length > 0 && (
            <ErrorMessage error={feed.error} retry={() => feed.fetchNextPage()} title="Failed to load more" />
          )}
        </Stack>
        <div className={classes.rail}>
          <AttentionPanel />
          {!isFeedEmpty && (
            <WeeksChart
              filters={filters}
              chosen={search.signal?.split(',') ?? []}
              onChoose={(signals) => change({ signal: signals.join(',') || undefined })}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

/** The number of new findings since the last visit. */
function Lead({ seenAt, filters }: { seenAt: string | null; filters: FeedQueryFilters }) {
  const query = { ...filters, per_page: 1, ...(seenAt && { since: seenAt }) }
  const { data } = queries.useQuery('get', '/v1/detections', { params: { query } }, { enabled: seenAt !== null })
  if (seenAt === null) return 'Latest signals at your accounts'
  if (!data) return 'Loading…'
  const { total } = data.pagination
  return (
    <>
      {total === 0 ? 'No new findings' : pluralize(total, 'new finding')} since your last visit{' '}
      <RelativeTime at={seenAt} />
    </>
  )
}

/** Offers findings that appeared while the page was open. */
function NewFindingsButton({ since, filters }: { since: string; filters: FeedQueryFilters }) {
  const cache = useQueryClient()
  const { data } = queries.useQuery(
    'get',
    '/v1/detections',
    { params: { query: { ...filters, since, per_page: 1 } } },
    // Refetches when the window regains the focus.
    { refetchInterval: POLL_MS, staleTime: 0 },
  )
  const total = data?.pagination.total ?? 0
  if (total === 0) return null
  const show = async () => {
    window.scrollTo({ top: 0 })
    await cache.resetQueries({ queryKey: ['get', '/v1/detections'] })
    await cache.invalidateQueries({ queryKey: ['get', '/v1/detections/by-week'] })
  }
  return (
    <Button variant="light" leftSection={<RefreshCw size={15} aria-hidden />} onClick={show} fullWidth>
      Show {pluralize(total, 'new finding')}
    </Button>
  )
}

import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FilterX, RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { queries } from '../../api/client.ts'
import { FirstSteps } from '../../components/FirstSteps.tsx'
import { Page } from '../../components/Page.tsx'
import { EmptyState, ErrorMessage, Loading } from '../../components/states.tsx'
import { WithRail } from '../../components/WithRail.tsx'
import { pluralize } from '../../lib/format.ts'
import { Feed } from './Feed.tsx'
import { FeedFilters } from './FeedFilters.tsx'
import { feedQuery } from './feed-query.ts'
import { type FeedQueryFilters, type FeedSearch, feedFilters } from './search.ts'
import { WeeksChart } from './WeeksChart.tsx'

/** The interval of the check for new findings. */
const POLL_MS = 60_000

const route = getRouteApi('/app/findings')

/** The latest findings across all accounts. */
export function FindingsPage() {
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
  const tags = useMemo(() => [...new Set(entries.flatMap(({ account }) => account.tags))].sort(), [entries])
  const isEmpty = feed.isSuccess && entries.length === 0

  if (isEmpty && !isFiltered) {
    return (
      <Page title="Findings">
        <FirstSteps />
      </Page>
    )
  }
  return (
    <Page title="Findings" lead="Latest signals across all accounts" wide>
      <FeedFilters search={search} onChange={change} tags={tags} />
      <WithRail
        rail={
          <WeeksChart
            filters={filters}
            chosen={search.signal?.split(',') ?? []}
            onChoose={(signals) => change({ signal: signals.join(',') || undefined })}
          />
        }
      >
        {newest && <NewFindingsButton since={newest} filters={filters} />}
        {feed.isPending && <Loading lines={12} />}
        {feed.isError && entries.length === 0 && <ErrorMessage error={feed.error} retry={feed.refetch} />}
        {isEmpty && (
          <EmptyState icon={FilterX} title="No results" action={<Button onClick={clear}>Clear filters</Button>}>
            No findings match these filters.
          </EmptyState>
        )}
        {entries.length > 0 && (
          <Feed
            entries={entries}
            total={total}
            isLoadingMore={feed.isFetchingNextPage}
            loadMore={feed.hasNextPage ? () => feed.fetchNextPage() : null}
          />
        )}
        {feed.isError && entries.length > 0 && (
          <ErrorMessage error={feed.error} retry={() => feed.fetchNextPage()} title="Failed to load more" />
        )}
      </WithRail>
    </Page>
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

import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { FeedQueryFilters } from './search.ts'

const PER_PAGE = 25

/** The feed as an infinite query. The router prefetches it while the page component loads. */
export const feedQuery = (filters: FeedQueryFilters) =>
  infiniteQueryOptions({
    queryKey: ['get', '/v1/detections', { feed: filters }],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, per_page: PER_PAGE, page: pageParam }
      const { data } = await api.GET('/v1/detections', { params: { query }, signal })
      if (!data) throw new Error('Unexpected response from the server.')
      return data
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
    // Loaded pages are not refetched, so that the list does not jump; a button offers new findings.
    refetchOnWindowFocus: false,
    staleTime: 300_000,
  })

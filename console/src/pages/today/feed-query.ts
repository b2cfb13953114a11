import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { FeedQueryFilters } from './search.ts'

const PER_PAGE = 25

/** The feed page by page. The router asks for it while the page itself is still on its way. */
export const feedQuery = (filters: FeedQueryFilters) =>
  infiniteQueryOptions({
    queryKey: ['get', '/v1/detections', { feed: filters }],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, per_page: PER_PAGE, page: pageParam }
      const { data } = await api.GET('/v1/detections', { params: { query }, signal })
      if (!data) throw new Error('The service answered with nothing.')
      return data
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
    // Pages that were scrolled past are not read again behind somebody's back: what is new is offered instead.
    refetchOnWindowFocus: false,
    staleTime: 300_000,
  })

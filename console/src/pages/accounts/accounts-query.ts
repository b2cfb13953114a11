import { queries } from '../../api/client.ts'
import type { accountFilters } from './search.ts'

const PER_PAGE = 50

/** A page of the filtered accounts. The router prefetches it while the page component loads. */
export const accountsQuery = (filters: ReturnType<typeof accountFilters>, page: number) =>
  queries.queryOptions('get', '/v1/accounts', { params: { query: { ...filters, page, per_page: PER_PAGE } } })

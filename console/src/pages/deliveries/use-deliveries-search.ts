import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { readDeliveriesSearch } from './search.ts'

const route = getRouteApi('/app/deliveries/{-$tab}')

type Search = ReturnType<typeof readDeliveriesSearch>

/** The tab and search parameters: `change` keeps the other parameters, `show` opens another tab. */
export function useDeliveriesSearch() {
  const { tab } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  return {
    tab,
    search,
    change: (changes: Search) =>
      navigate({ to: '/deliveries/{-$tab}', params: { tab }, search: { ...search, ...changes } }),
    show: (tab: string, search: Search = {}) => navigate({ to: '/deliveries/{-$tab}', params: { tab }, search }),
  }
}

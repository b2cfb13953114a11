import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { readDeliveriesSearch } from './search.ts'

const route = getRouteApi('/app/deliveries/{-$tab}')

type Search = ReturnType<typeof readDeliveriesSearch>

/** What the address of the page says, and how it is changed: `change` keeps the rest of it, `show` opens another tab. */
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

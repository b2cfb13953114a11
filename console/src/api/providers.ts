import { queries } from './client.ts'

/** The CRMs and chat tools that can be connected, with their display names. */
export function useProviders() {
  const { data, ...rest } = queries.useQuery('get', '/v1/connections/providers', {}, { staleTime: 60 * 60_000 })
  const providers = data?.data ?? []
  return {
    ...rest,
    providers,
    labelOf: (id: string): string => providers.find(({ provider }) => provider === id)?.label ?? '…',
  }
}

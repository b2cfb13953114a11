import { useMutation } from '@tanstack/react-query'
import { toastError } from '../components/toast.tsx'
import { api, queries, type Schemas } from './client.ts'

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

/** Opens the page of a CRM on which an admin consents to the connection. */
export function useAuthorize() {
  return useMutation({
    mutationFn: ({ provider }: Schemas['ConnectionProvider']) =>
      api.POST('/v1/connections/authorize', { body: { provider: provider as 'crm_one' | 'crm_two' } }),
    onError: (error, { label }) => toastError(`Could not connect to ${label}`, error),
    onSuccess: ({ data }) => {
      if (data) window.location.assign(data.data.authorization_url)
    },
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { toastError, toastSuccess } from '../../components/toast.tsx'
import { pluralize } from '../../lib/format.ts'
import type { AccountSearch } from './search.ts'

export type AccountRecord = Schemas['Account']
export type Finding = Schemas['SignalDetection']

const route = getRouteApi('/app/accounts/$id')

/** The id of the account in the URL. */
export const useAccountId = (): string => route.useParams().id

/** The search parameters, and a setter that keeps the other parameters. */
export function useAccountSearch(): [
  AccountSearch,
  (change: Partial<AccountSearch>, options?: { replace?: boolean }) => void,
] {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = useCallback(
    (change: Partial<AccountSearch>, { replace = false } = {}) => {
      navigate({ search: (before) => ({ ...before, ...change }), replace, resetScroll: false })
    },
    [navigate],
  )
  return [search, go]
}

const accountParams = (id: string) => ({ params: { path: { id } } })

export const useAccount = (id: string) => queries.useQuery('get', '/v1/accounts/{id}', accountParams(id))
export const useScore = (id: string) => queries.useQuery('get', '/v1/accounts/{id}/score', accountParams(id))

export const useHiringCurve = (id: string) => queries.useQuery('get', '/v1/accounts/{id}/hiring', accountParams(id))

/** The findings, latest event first, and the signals that were checked and not found. */
export function useFindings(id: string) {
  return queries.useQuery('get', '/v1/accounts/{id}/signals', accountParams(id))
}

const PEOPLE_PAGE = 25

export function useAccountPeople(id: string, page = 1, per_page = PEOPLE_PAGE) {
  const query = { account_id: id, page, per_page }
  return queries.useQuery('get', '/v1/people', { params: { query } }, { placeholderData: (before) => before })
}

const POLL_MS = 3_000

/** The latest scans, polled while one is running. */
export function useAccountRuns(id: string) {
  const query = { account_id: id, per_page: 25 }
  return queries.useQuery(
    'get',
    '/v1/runs',
    { params: { query } },
    {
      refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'running') ? POLL_MS : false),
    },
  )
}

/** Invalidates all queries that depend on an account. */
export function useRefreshAccount(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => /^\/v1\/(accounts|runs|people|detections)\b/.test(String(queryKey[1])),
      }),
    [client],
  )
}

type Change = Schemas['UpdateAccount']

/** Updates fields of an account optimistically. */
export function useUpdateAccount(id: string) {
  const client = useQueryClient()
  const refresh = useRefreshAccount()
  const { queryKey } = queries.queryOptions('get', '/v1/accounts/{id}', accountParams(id))
  return useMutation({
    mutationFn: (body: Change) => api.PATCH('/v1/accounts/{id}', { ...accountParams(id), body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<{ data: AccountRecord }>(queryKey)
      if (before) client.setQueryData(queryKey, { data: { ...before.data, ...change } })
      return { before }
    },
    onError: (error, _change, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before)
      toastError('Change not saved', error)
    },
    onSettled: refresh,
  })
}

/** The actions on an account, each with its toast. */
export function useAccountActions({ id, name }: Pick<AccountRecord, 'id' | 'name'>) {
  const refresh = useRefreshAccount()
  const step = <T>(failure: string, call: () => Promise<T>, done?: (response: T) => void) => ({
    mutationFn: call,
    onSuccess: async (response: T) => {
      await refresh()
      done?.(response)
    },
    onError: (error: Error) => {
      toastError(failure, error)
      // Another member may have changed the account, so the current state is loaded.
      return refresh()
    },
  })
  const call = {
    activate: () => api.POST('/v1/accounts/{id}/activate', { ...accountParams(id), body: {} }),
    deactivate: () => api.POST('/v1/accounts/{id}/deactivate', accountParams(id)),
    reject: () => api.POST('/v1/accounts/{id}/reject', accountParams(id)),
    suggest: () => api.PATCH('/v1/accounts/{id}', { ...accountParams(id), body: { status: 'suggested' } }),
    scan: () => api.POST('/v1/accounts/{id}/scan', accountParams(id)),
    enrich: () => api.POST('/v1/accounts/{id}/enrich', accountParams(id)),
  }
  const undo = (back: () => Promise<unknown>) => () => back().finally(refresh)
  const activate = useMutation(
    step(`Could not activate ${name}`, call.activate, ({ data }) =>
      toastSuccess([`${name} activated.`, ...(data?.data.limitations ?? [])].join(' ')),
    ),
  )
  const deactivate = useMutation(
    step(`Could not deactivate ${name}`, call.deactivate, () =>
      toastSuccess(`${name} deactivated`, undo(call.activate)),
    ),
  )
  const reject = useMutation(
    step(`Could not reject ${name}`, call.reject, () => toastSuccess(`${name} rejected`, undo(call.suggest))),
  )
  const suggestAgain = useMutation(
    step(`Could not update ${name}`, call.suggest, () => toastSuccess(`${name} moved to Suggested`)),
  )
  const scan = useMutation(step(`Could not scan ${name}`, call.scan))
  return { activate, deactivate, reject, suggestAgain, scan, call, refresh }
}

/** Loads the people of an account and reports how many were found and which sources failed. */
export function useSyncPeople({ id }: Pick<AccountRecord, 'id'>) {
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: () => api.POST('/v1/people/sync', { body: { account_id: id } }),
    onSuccess: async ({ data }) => {
      await refresh()
      if (data) reportSync(data.data)
    },
    onError: (error) => toastError('Could not load people', error),
  })
}

function reportSync({ synced, sources }: Schemas['SyncedPeople']): void {
  const failed = sources.filter(({ outcome }) => outcome === 'failed')
  toastSuccess(synced > 0 ? `${pluralize(synced, 'person', 'people')} loaded` : 'No people found')
  if (failed.length === 0) return
  const reasons = failed.map(({ name, reason }) => `${name}: ${reason}`).join(' ')
  toastError(`${pluralize(failed.length, 'source')} failed`, new Error(reasons))
}

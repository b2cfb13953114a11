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

/** The account that is open, by its address. */
export const useAccountId = (): string => route.useParams().id

/** What the address says, and how to say something else; the rest of it stays. */
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

/** What was found, the latest event first, and what was looked for and not found. */
export function useFindings(id: string) {
  return queries.useQuery('get', '/v1/accounts/{id}/signals', accountParams(id))
}

const PEOPLE_PAGE = 25

export function useAccountPeople(id: string, page = 1, per_page = PEOPLE_PAGE) {
  const query = { account_id: id, page, per_page }
  return queries.useQuery('get', '/v1/people', { params: { query } }, { placeholderData: (before) => before })
}

const POLL_MS = 3_000

/** The latest scans; asked for again while one is running. */
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

/** Asks anew for everything that depends on an account. */
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

/** Changes fields of an account. The page shows it at once, and takes it back when the service refuses. */
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
      toastError('The change was not saved', error)
    },
    onSettled: refresh,
  })
}

/** What can be done with a whole account, each with what is said afterwards. */
export function useAccountActions({ id, name }: Pick<AccountRecord, 'id' | 'name'>) {
  const refresh = useRefreshAccount()
  const step = <T>(what: string, call: () => Promise<T>, done?: (answer: T) => void) => ({
    mutationFn: call,
    onSuccess: async (answer: T) => {
      await refresh()
      done?.(answer)
    },
    onError: (error: Error) => {
      toastError(what, error)
      // It may be another's doing that it is refused: what stands now is shown.
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
    step(`${name} could not be activated`, call.activate, ({ data }) =>
      toastSuccess([`${name} is active and being researched.`, ...(data?.data.limitations ?? [])].join(' ')),
    ),
  )
  const deactivate = useMutation(
    step(`${name} could not be deactivated`, call.deactivate, () =>
      toastSuccess(`${name} is no longer watched`, undo(call.activate)),
    ),
  )
  const reject = useMutation(
    step(`${name} could not be rejected`, call.reject, () => toastSuccess(`${name} is rejected`, undo(call.suggest))),
  )
  const takeBack = useMutation(
    step('It could not be taken back', call.suggest, () => toastSuccess(`${name} is suggested again`)),
  )
  const scan = useMutation(step(`${name} could not be scanned`, call.scan))
  return { activate, deactivate, reject, takeBack, scan, call, refresh }
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
    onError: (error) => toastError('The people could not be loaded', error),
  })
}

function reportSync({ synced, sources }: Schemas['SyncedPeople']): void {
  const failed = sources.filter(({ outcome }) => outcome === 'failed')
  toastSuccess(
    synced > 0 ? `${pluralize(synced, 'person', 'people')} known there` : 'No source names anybody who works there',
  )
  if (failed.length === 0) return
  const reasons = failed.map(({ name, reason }) => `${name}: ${reason}`).join(' ')
  toastError(`${pluralize(failed.length, 'source')} of people could not be read`, new Error(reasons))
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { toastError, toastSuccess } from '../../components/toast.tsx'
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

export const useAccountCrm = (id: string) => queries.useQuery('get', '/v1/accounts/{id}/crm', accountParams(id))

export const useHiringCurve = (id: string) => queries.useQuery('get', '/v1/accounts/{id}/hiring', accountParams(id))

export const useCompanyStructure = (id: string) =>
  queries.useQuery('get', '/v1/accounts/{id}/relations', accountParams(id))

/** The findings, latest event first, and the signals that were checked and not found. */
export function useFindings(id: string) {
  return queries.useQuery('get', '/v1/accounts/{id}/signals', accountParams(id))
}

const PEOPLE_PAGE = 25

export function useAccountPeople(id: string, page = 1, per_page = PEOPLE_PAGE) {
  const query = { account_id: id, page, per_page }
  return queries.useQuery('get', '/v1/people', { params: { query } }, { placeholderData: (before) => before })
}

type ItemState = Schemas['WorkItem']['state']

function useItemIn(account_id: string, state: ItemState, enabled: boolean) {
  const query = { account_id, state, view: 'all', per_page: 1 } as const
  return queries.useQuery('get', '/v1/work-items', { params: { query } }, { enabled })
}

/** The work item of the account: the open one, otherwise the snoozed one, otherwise the last one that was done. */
export function useWorkItem(id: string) {
  const open = useItemIn(id, 'open', true)
  const snoozed = useItemIn(id, 'snoozed', open.data?.data.length === 0)
  const done = useItemIn(id, 'done', snoozed.data?.data.length === 0)
  const item = open.data?.data[0] ?? snoozed.data?.data[0] ?? done.data?.data[0]
  const isFailed = open.isError || snoozed.isError || done.isError
  return { item, isPending: !item && !isFailed && done.isPending }
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
        predicate: ({ queryKey }) =>
          /^\/v1\/(accounts|runs|people|detections|work-items|subscription)\b/.test(String(queryKey[1])),
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
      toastSuccess([`${name} activated.`, ...(data?.data.limitations ?? [])].join(' '), undefined, [id]),
    ),
  )
  const deactivate = useMutation(
    step(`Could not deactivate ${name}`, call.deactivate, () =>
      toastSuccess(`${name} deactivated`, undo(call.activate), [id]),
    ),
  )
  const reject = useMutation(
    step(`Could not reject ${name}`, call.reject, () => toastSuccess(`${name} rejected`, undo(call.suggest), [id])),
  )
  const suggestAgain = useMutation(
    step(`Could not update ${name}`, call.suggest, ({ data }) =>
      // An imported account returns to the imported ones.
      toastSuccess(`${name} moved to ${data?.data.status === 'new' ? 'New' : 'Suggested'}`, undefined, [id]),
    ),
  )
  const scan = useMutation(step(`Could not scan ${name}`, call.scan))
  return { activate, deactivate, reject, suggestAgain, scan, call, refresh }
}

import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, queries, type Schemas } from '../../api/client.ts'
import { endUndo, toastError, toastSuccess } from '../../components/toast.tsx'

type Account = Schemas['ListedAccount']
export type Decision = 'activate' | 'reject'
export type Triage = ReturnType<typeof useTriage>

const BATCH = 50
/** More suggestions are loaded when fewer than this are left. */
const REFILL_BELOW = 10

const detailsOf = (id: string) => queries.queryOptions('get', '/v1/accounts/{id}', { params: { path: { id } } })
const findingsOf = (id: string) =>
  queries.queryOptions('get', '/v1/accounts/{id}/signals', { params: { path: { id }, query: { present: true } } })
const scoreOf = (id: string) => queries.queryOptions('get', '/v1/accounts/{id}/score', { params: { path: { id } } })

/** Steps through the suggestions. A decision is optimistic: the next suggestion shows immediately, and a failed one returns. */
export function useTriage(
  sort: 'score' | 'last_signal_at' | 'created_at',
  id: string | undefined,
  show: (id: string | undefined) => void,
) {
  const client = useQueryClient()
  const list = queries.useQuery(
    'get',
    '/v1/accounts',
    { params: { query: { status: 'suggested', sort, per_page: BATCH, latest_finding: true } } },
    { placeholderData: keepPreviousData },
  )
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const done = useRef<{ account: Account; decision: Decision }[]>([])
  const found = list.data?.data ?? []
  const waiting = found.filter((account) => !decided.has(account.id))
  const gone = found.length - waiting.length
  const total = Math.max(0, (list.data?.pagination.total ?? 0) - gone)
  const at = Math.max(
    0,
    waiting.findIndex((account) => account.id === id),
  )
  const current = waiting[at]
  const next = waiting[at + 1]

  const hasMore = list.data?.pagination.has_more ?? false
  useEffect(() => {
    if (hasMore && waiting.length < REFILL_BELOW) list.refetch()
  }, [hasMore, waiting.length, list.refetch])
  useEffect(() => {
    if (!next) return
    client.prefetchQuery(detailsOf(next.id))
    client.prefetchQuery(findingsOf(next.id))
    client.prefetchQuery(scoreOf(next.id))
  }, [next, client])

  const mark = (accountId: string, isDecided: boolean) =>
    setDecided((before) => {
      const after = new Set(before)
      isDecided ? after.add(accountId) : after.delete(accountId)
      return after
    })
  const send = async (accountId: string, action: Decision | 'deactivate' | 'suggest') => {
    const { data } = await api.POST('/v1/accounts/bulk', { body: { ids: [accountId], action } })
    const refused = data?.data.results[0]
    if (refused) throw new Error(refused.message)
    client.invalidateQueries({
      queryKey: ['get', '/v1/accounts', { params: { query: { status: 'suggested', per_page: 1 } } }],
    })
    client.invalidateQueries({ queryKey: ['get', '/v1/subscription'] })
  }

  /** Undoes the last decision, or the decision on an account. */
  const undo = async (accountId = done.current.at(-1)?.account.id): Promise<void> => {
    const last = done.current.find(({ account }) => account.id === accountId)
    if (!last) return
    done.current = done.current.filter((one) => one !== last)
    endUndo([last.account.id])
    const { account, decision } = last
    await send(account.id, decision === 'activate' ? 'deactivate' : 'suggest')
    mark(account.id, false)
    await list.refetch()
    show(account.id)
  }

  const decide = (decision: Decision): void => {
    if (!current) return
    const account = current
    mark(account.id, true)
    done.current.push({ account, decision })
    show((next ?? waiting[at - 1])?.id)
    send(account.id, decision).then(
      () =>
        toastSuccess(`${account.name} ${decision === 'activate' ? 'activated' : 'rejected'}`, () => undo(account.id), [
          account.id,
        ]),
      (error) => {
        done.current = done.current.filter((one) => one.account.id !== account.id)
        mark(account.id, false)
        show(account.id)
        client.invalidateQueries({ queryKey: ['get', '/v1/subscription'] })
        toastError(`Could not ${decision} ${account.name}`, error)
      },
    )
  }

  return {
    list,
    waiting,
    total,
    at,
    current,
    decide,
    undo: () => undo().catch((error) => toastError('Undo failed', error)),
    move: (by: number) => {
      const to = waiting[at + by]
      if (to) show(to.id)
    },
  }
}

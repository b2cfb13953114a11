import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'

export type WorkItem = Schemas['WorkItem']
export type WorkItemEvent = WorkItem['events'][number]
export type WorkItemPerson = NonNullable<WorkItem['person']>

/** The views of the queue that Today offers. */
export const QUEUE_VIEWS = ['queue', 'mine', 'unowned', 'all'] as const
export type QueueView = (typeof QUEUE_VIEWS)[number]
export const QUEUE_STATES = ['open', 'snoozed', 'done'] as const
export type QueueState = (typeof QUEUE_STATES)[number]

/** Every query about work items starts with this key. */
export const WORK_ITEMS_KEY = ['get', '/v1/work-items'] as const

const PER_PAGE = 25

/** A view of the queue as an infinite query. The router prefetches it while the page component loads. */
export const queueQuery = ({ view, state }: { view: QueueView; state: QueueState }) =>
  infiniteQueryOptions({
    queryKey: [...WORK_ITEMS_KEY, { queue: { view, state } }],
    queryFn: async ({ pageParam, signal }) => {
      const query = { view, state, per_page: PER_PAGE, page: pageParam }
      const { data } = await api.GET('/v1/work-items', { params: { query }, signal })
      if (!data) throw new Error('Unexpected response from the server.')
      return data
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination.has_more ? pagination.page + 1 : undefined),
  })

const byId = (id: string) => ({ params: { path: { id } } })
const itemOf = (answer: { data?: { data: WorkItem } | undefined }): WorkItem => {
  if (!answer.data) throw new Error('Unexpected response from the server.')
  return answer.data.data
}

export type Outcome = Schemas['CloseWorkItem']['outcome']

export const closeItem = async (id: string, outcome: Outcome): Promise<WorkItem> =>
  itemOf(await api.POST('/v1/work-items/{id}/done', { ...byId(id), body: { outcome } }))

/** `until` is a day in the browser's time zone. */
export const snoozeItem = async (id: string, until: string): Promise<WorkItem> =>
  itemOf(await api.POST('/v1/work-items/{id}/snooze', { ...byId(id), body: { until } }))

export const reopenItem = async (id: string): Promise<WorkItem> =>
  itemOf(await api.POST('/v1/work-items/{id}/reopen', byId(id)))

/** Writes the account, the person and a task to the connected CRMs, and closes the item if all have them. */
export async function pushItem(id: string): Promise<Schemas['PushedWorkItem']> {
  const { data } = await api.POST('/v1/work-items/{id}/push', { ...byId(id), body: {} })
  if (!data) throw new Error('Unexpected response from the server.')
  return data.data
}

/** Adds a line to the timeline of an account. A copied or mailed draft and a call close its open item. */
export const logActivity = async (accountId: string, body: Schemas['LogActivity']): Promise<void> => {
  await api.POST('/v1/accounts/{id}/activities', { ...byId(accountId), body })
}

/** Shows a finding again that was marked wrong. */
export const clearVerdict = async (accountId: string, detectionId: string): Promise<void> => {
  const params = { path: { id: accountId, detection_id: detectionId } }
  await api.PUT('/v1/accounts/{id}/signals/{detection_id}/feedback', { params, body: { verdict: null } })
}

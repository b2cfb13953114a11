import { api } from './client.ts'
import type { WorkItem } from './work-items.ts'

export type Crm = 'crm_one' | 'crm_two'
export type PushedWorkItem = {
  work_item: WorkItem
  results: { provider: Crm; ok: boolean; error: string | null }[]
}

/** The operation, until the generated types contain it. */
type PushOperation = (
  path: '/v1/work-items/{id}/push',
  init: { params: { path: { id: string } }; body: { provider?: Crm } },
) => Promise<{ data?: { data: PushedWorkItem } }>

/** Creates or updates the account, the person and a task in the connected CRMs. Throws ApiError, also crm_not_connected. */
export async function pushWorkItem(id: string, provider?: Crm): Promise<PushedWorkItem> {
  const post = api.POST as unknown as PushOperation
  const { data } = await post('/v1/work-items/{id}/push', {
    params: { path: { id } },
    body: provider ? { provider } : {},
  })
  if (!data) throw new Error('Unexpected response from the server.')
  return data.data
}

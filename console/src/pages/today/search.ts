import { QUEUE_STATES, QUEUE_VIEWS, type QueueState, type QueueView } from '../../api/work-items.ts'
import { enumParam } from '../../lib/search-params.ts'

/** The search parameters of the page. Defaults: the queue, open items. */
export type TodaySearch = { view?: QueueView | undefined; state?: QueueState | undefined }

export function readTodaySearch(raw: Record<string, unknown>): TodaySearch {
  return { view: enumParam(raw, 'view', QUEUE_VIEWS), state: enumParam(raw, 'state', QUEUE_STATES) }
}

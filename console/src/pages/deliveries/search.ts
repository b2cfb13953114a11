import type { Schemas } from '../../api/client.ts'
import { booleanParam, enumParam, integerParam, textParam } from '../../lib/search-params.ts'

type Search = {
  /** The Add destination dialog is open. */
  add?: boolean | undefined
  /** The destination of the log. */
  destination?: string | undefined
  /** Failed attempts only. */
  failed?: boolean | undefined
  /** The open attempt. */
  delivery?: string | undefined
  /** The open push. */
  run?: string | undefined
  status?: 'running' | 'completed' | 'failed' | undefined
  state?: 'pending' | 'sent' | 'failed' | 'dropped' | undefined
  channel?: Schemas['Alert']['channel'] | undefined
  type?: Schemas['Alert']['type'] | undefined
  page?: number | undefined
}

/** The search parameters of the page. */
export function readDeliveriesSearch(raw: Record<string, unknown>): Search {
  return {
    add: booleanParam(raw, 'add'),
    destination: textParam(raw, 'destination', 40),
    failed: booleanParam(raw, 'failed'),
    delivery: textParam(raw, 'delivery', 40),
    run: textParam(raw, 'run', 40),
    status: enumParam(raw, 'status', ['running', 'completed', 'failed']),
    state: enumParam(raw, 'state', ['pending', 'sent', 'failed', 'dropped']),
    channel: enumParam(raw, 'channel', ['email', 'chat_dm', 'chat', 'teams', 'webhook']),
    type: enumParam(raw, 'type', [
      ...(['signal.detected', 'account.suggested', 'people.job_changed'] as const),
      ...(['work_item.done', 'digest'] as const),
    ]),
    page: integerParam(raw, 'page'),
  }
}

import { booleanParam, enumParam, integerParam, textParam } from '../../lib/search-params.ts'

type Search = {
  /** A destination is being added. */
  add?: boolean | undefined
  /** Whose log is shown. */
  destination?: string | undefined
  /** Only attempts that failed. */
  failed?: boolean | undefined
  /** The attempt that is open. */
  delivery?: string | undefined
  /** The push that is open. */
  run?: string | undefined
  status?: 'running' | 'completed' | 'failed' | undefined
  state?: 'pending' | 'sent' | 'failed' | 'dropped' | undefined
  channel?: 'webhook' | 'chat' | undefined
  type?: 'signal.detected' | 'account.suggested' | 'people.job_changed' | undefined
  page?: number | undefined
}

/** What the address of this page holds beside its path. */
export function readDeliveriesSearch(raw: Record<string, unknown>): Search {
  return {
    add: booleanParam(raw, 'add'),
    destination: textParam(raw, 'destination', 40),
    failed: booleanParam(raw, 'failed'),
    delivery: textParam(raw, 'delivery', 40),
    run: textParam(raw, 'run', 40),
    status: enumParam(raw, 'status', ['running', 'completed', 'failed']),
    state: enumParam(raw, 'state', ['pending', 'sent', 'failed', 'dropped']),
    channel: enumParam(raw, 'channel', ['webhook', 'chat']),
    type: enumParam(raw, 'type', ['signal.detected', 'account.suggested', 'people.job_changed']),
    page: integerParam(raw, 'page'),
  }
}

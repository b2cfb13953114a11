import { flag, oneOf, text, whole } from '../../lib/search-params.ts'

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
export function readSearch(raw: Record<string, unknown>): Search {
  return {
    add: flag(raw, 'add'),
    destination: text(raw, 'destination', 40),
    failed: flag(raw, 'failed'),
    delivery: text(raw, 'delivery', 40),
    run: text(raw, 'run', 40),
    status: oneOf(raw, 'status', ['running', 'completed', 'failed']),
    state: oneOf(raw, 'state', ['pending', 'sent', 'failed', 'dropped']),
    channel: oneOf(raw, 'channel', ['webhook', 'chat']),
    type: oneOf(raw, 'type', ['signal.detected', 'account.suggested', 'people.job_changed']),
    page: whole(raw, 'page'),
  }
}

import type { LeasedQueue } from '../../db/leases.ts'
import type { PushChannel } from '../../db/schema.ts'
import type { Deps } from '../../deps/deps.ts'
import type { ClaimedRow, PushRunWork, PushTarget } from '../../resources/push-runs/work-store.ts'

/** The result of one attempt to deliver a row: a row of a push run, or an alert on one channel. */
export type Attempt<Row> = {
  row: Row
  /**
   * sent: the receiver acknowledged the row. retry: another attempt may succeed. failed: the receiver refused it. skipped:
   * there is nothing to send. deferred: the row was not attempted and is due again after `retryAfter`.
   */
  result: 'sent' | 'retry' | 'failed' | 'skipped' | 'deferred'
  /** The HTTP status of the receiver; null without a response. */
  status: number | null
  message: string | null
  /** Seconds the receiver requests to wait before the next attempt. */
  retryAfter: number | null
}

/** The state of a row after an attempt. */
export type RowState = {
  state: 'sent' | 'failed' | 'pending' | 'skipped'
  /** Seconds until the next attempt of a row that stays pending. */
  retry_in: number
  /** Whether the attempt counts toward the limit of attempts. */
  counts: boolean
}

/** Rows that wait for delivery and the way to deliver them; the worker claims, sends and records them. */
export type DeliveryTask<Row, A extends Attempt<Row>> = {
  /** `claim` returns the rows with their current content. */
  queue: LeasedQueue<Row>
  /** Calls of `send` at the same time. */
  concurrency: number
  /** Rows for each call of `send`; 1 unless set. */
  batch?: number
  /** Rows claimed at once; as many as `batch` unless set. */
  claimed?: number
  /** Makes one attempt for each row. A row without an attempt is released unchanged. */
  send: (rows: Row[]) => Promise<A[]>
  /** Stores the results. Rows that another worker has claimed since are left unchanged. */
  record: (leaseId: string, results: (A & RowState)[]) => Promise<void>
  /** Whether the receiver takes no more rows. */
  isOver?: () => boolean
}

/** The reason why a push run cannot continue, or the seconds it has to wait at least. */
export type PushProgress = { ended: string | null; waitSeconds?: number }

export type PushTask<Row, A extends Attempt<Row>> = DeliveryTask<Row, A> & { progress: () => PushProgress }

/** A kind of receiver for the rows of push runs. */
export type Channel<Row extends ClaimedRow, A extends Attempt<Row>> = {
  name: PushChannel
  /** Jobs that work on one run, so that several worker processes share it. */
  jobsPerRun: number
  /** Throws when the target of a run no longer exists. */
  checkTarget: (deps: Pick<Deps, 'db' | 'secrets'>, workspaceId: string, target: PushTarget) => Promise<void>
  /** Opens the target of a run; `ended` is the reason why nothing can be sent to it. */
  open: (deps: Deps, run: PushRunWork, shutdown: AbortSignal) => Promise<PushTask<Row, A> | { ended: string }>
}

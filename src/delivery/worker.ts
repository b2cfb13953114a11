import type { AlertChannel } from '../db/alert-tables.ts'
import type { Deps } from '../deps/deps.ts'
import { BatchWriter } from '../jobs/batch-writer.ts'
import { createLease, processLeasedRows } from '../jobs/leased-work.ts'
import { withJitter } from '../outbound/response-headers.ts'
import {
  type ClaimedRow,
  endInlinePush,
  failPushRun,
  findPushRun,
  finishOrWait,
  type PushRunKey,
  touchPushRun,
} from '../resources/push-runs/work-store.ts'
import { openAlert } from './alerts/channel.ts'
import { type AlertKey, secondsUntilDue } from './alerts/store.ts'
import type { Attempt, Channel, DeliveryTask, RowState } from './channel/types.ts'

/** Other workers may claim the rows of a killed worker after this. */
const LEASE_SECONDS = 15
/** Results are written in batches and soon: a result that is not written yet is sent again after a kill. */
const FLUSH_ROWS = 200
const FLUSH_MS = 100

const INTERRUPTED = 'The service stopped during the push. It may have arrived; push it again.'

/**
 * Pushes the rows of a run that are due, until none is due or `deadline` aborts. Rows that are being sent then are
 * finished; those of an inline push only until `shutdown` aborts. Returns the seconds until the next row is due, or null
 * when the run is over.
 */
export async function deliverPushRun<Row extends ClaimedRow, A extends Attempt<Row>>(
  deps: Deps,
  channel: Channel<Row, A>,
  key: PushRunKey,
  deadline: AbortSignal,
  shutdown: AbortSignal,
): Promise<number | null> {
  const { db } = deps
  const { workspace_id, run_id } = key
  const run = await findPushRun(db, key)
  if (run?.status !== 'running') return null
  // The process of an inline push was killed, and its caller did not request a push in the background.
  if (run.is_overdue) {
    await endInlinePush(db, workspace_id, run_id, INTERRUPTED)
    return null
  }
  const task = await channel.open(deps, run, shutdown)
  if (!('ended' in task)) await deliverDueRows(deps, task, deadline)
  const { ended, waitSeconds = 0 } = 'ended' in task ? { ended: task.ended } : task.progress()
  if (ended) {
    await failPushRun(db, workspace_id, run_id, ended)
    return null
  }
  const wait = await finishOrWait(db, workspace_id, run_id)
  if (wait === null) return null
  await touchPushRun(db, workspace_id, run_id)
  return Math.max(wait, waitSeconds)
}

/** Delivers an alert on one channel if it is due. Returns the seconds until its next attempt, or null when it is over. */
export async function deliverAlert(
  deps: Deps,
  channel: AlertChannel,
  key: AlertKey,
  deadline: AbortSignal,
  shutdown: AbortSignal,
): Promise<number | null> {
  await deliverDueRows(deps, openAlert(deps, channel, key, shutdown), deadline)
  return secondsUntilDue(deps.db, key, channel)
}

/** Claims rows under a lease, sends them and records the results, until no row is due or `deadline` aborts. */
async function deliverDueRows<Row extends { attempts: number }, A extends Attempt<Row>>(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  task: DeliveryTask<Row, A>,
  deadline: AbortSignal,
): Promise<void> {
  const { queue, send, record, concurrency, batch, claimed, isOver } = task
  const lease = createLease(LEASE_SECONDS)
  const writer = new BatchWriter<A & RowState>((results) => record(lease.id, results), {
    size: FLUSH_ROWS,
    everyMs: FLUSH_MS,
  })
  await processLeasedRows({
    queue,
    lease,
    lanes: concurrency,
    batch,
    claimed,
    isOver,
    deadline,
    log,
    async work(rows) {
      for (const attempt of await send(rows))
        await writer.add({ ...attempt, ...stateAfter(attempt, attempt.row.attempts, config.PUSH_RETRY_SECONDS) })
    },
    finish: () => writer.end(),
  })
}

/**
 * The state of a row after an attempt; `attempts` were made before it. A response may request a shorter pause than
 * the usual one. Without a response the pause is never shorter, because a short outage would use up all attempts.
 */
export function stateAfter(
  { result, retryAfter, status }: Pick<Attempt<unknown>, 'result' | 'retryAfter' | 'status'>,
  attempts: number,
  pauses: readonly number[],
): RowState {
  if (result === 'deferred') return { state: 'pending', retry_in: retryAfter ?? 0, counts: false }
  if (result !== 'retry') return { state: result, retry_in: 0, counts: true }
  const pause = pauses[attempts]
  if (pause === undefined) return { state: 'failed', retry_in: 0, counts: true }
  const usual = withJitter(pause)
  const retry_in = status === null ? Math.max(usual, retryAfter ?? 0) : (retryAfter ?? usual)
  return { state: 'pending', retry_in, counts: true }
}

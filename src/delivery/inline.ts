import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { isId } from '../ids.ts'
import { deadlineAfter } from '../jobs/leased-work.ts'
import type { Viewer } from '../member.ts'
import type { HandedOver, SkippedRecord } from '../resources/push-runs/schema.ts'
import {
  CAME_BEFORE,
  type NewPushRun,
  NO_ID,
  NOT_THERE,
  type PushedRow,
  readPushedRows,
} from '../resources/push-runs/store.ts'
import type { RunPayload } from './push-job.ts'
import { type Channel, startRun } from './run.ts'

/** The run's own job starts so many seconds after the caller has been answered. */
const HAND_OVER_SECONDS = 1
/** What a CRM is asked is cut off after so long. */
const LONGEST_MS = 5 * 60_000

/** What became of an inline push by the time its caller is answered. */
export type InlinePush = {
  run_id: string
  pushed: number
  failed: number
  skipped: number
  skipped_records: SkippedRecord[]
  rows: PushedRow[]
  /** What goes on in the background; absent when nothing does. */
  handedOver: HandedOver | null
}

/**
 * Pushes a few records while the caller waits, for PUSH_INLINE_SECONDS at most. It is a run like any other, worked on here
 * first: what is in hand when the time is up is finished here, the rest is left to the run's job, which waits from the
 * start, so that nothing is lost when this process ends meanwhile.
 */
export async function pushInline(
  deps: Deps,
  viewer: Viewer,
  channel: Channel,
  run: Omit<NewPushRun, 'channel'>,
): Promise<InlinePush> {
  const { workspace_id } = viewer
  const seconds = deps.config.PUSH_INLINE_SECONDS
  const { run_id, total } = await startRun(deps, viewer, channel, run, { startAfter: seconds + HAND_OVER_SECONDS })
  const limit = AbortSignal.timeout(seconds * 1000)
  const work = deps.background
    .run((stopping) => workUntil(deps, channel, { workspace_id, run_id }, seconds, limit, stopping))
    .catch((err: unknown) =>
      // The job tries again; what was sent is counted.
      deps.log.error({ err, run_id }, 'a push broke and is left to its job'),
    )
  await Promise.race([work, once(limit, 'abort')])
  const rows = await readPushedRows(deps.db, workspace_id, run_id)
  const inState = (state: PushedRow['state']) => rows.filter((row) => row.state === state)
  const pending = inState('pending')
  const skipped_records = [
    ...inState('skipped').map(({ id, message }) => ({ id, message: message ?? NOT_THERE })),
    ...run.surplus.map((id) => ({ id, message: isId(id) ? CAME_BEFORE : NO_ID })),
  ]
  const reason = pending.find(({ message }) => message)?.message ?? 'There was no answer in time.'
  return {
    run_id,
    pushed: inState('sent').length,
    failed: inState('failed').length,
    skipped: skipped_records.length,
    skipped_records,
    rows,
    handedOver: pending.length > 0 ? { run_id, total, status: 'running', pending: pending.length, reason } : null,
  }
}

/** Works on the run until it is over, the time is up, or the next attempt comes after that. */
async function workUntil(
  deps: Deps,
  { job }: Channel,
  payload: RunPayload,
  seconds: number,
  limit: AbortSignal,
  stopping: AbortSignal,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  const shutdown = deadlineAfter(LONGEST_MS, stopping)
  for (;;) {
    const wait = await job.work(deps, payload, limit, shutdown)
    if (wait === null || limit.aborted || performance.now() + wait * 1000 >= end) return
    await sleep(wait * 1000)
  }
}

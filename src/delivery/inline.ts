import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../deps/deps.ts'
import type { SkippedRecord } from '../resources/push-runs/schema.ts'
import {
  CAME_BEFORE,
  type NewPushRun,
  NO_ID,
  NOT_THERE,
  type PushedRow,
  readPushedRows,
} from '../resources/push-runs/store.ts'
import { endInlinePush } from '../resources/push-runs/work-store.ts'
import { isId } from '../shared/ids.ts'
import type { Viewer } from '../shared/member.ts'
import type { RunPayload } from './push-job.ts'
import { type Channel, startRun } from './run.ts'

/** Time to write down what is cut off. The caller is answered after it in any case. */
const GRACE_SECONDS = 1
/** The run's job ends a push whose process was killed: later than the process itself would have. */
const ENDED_BY_JOB_SECONDS = 3

const NOT_SENT = 'It was not sent: the time for this call was up. Push it again, or push in the background.'
const NO_REASON = 'It could not be delivered.'

/** The outcome of an inline push. */
export type InlinePush = {
  run_id: string
  pushed: number
  failed: number
  skipped: number
  skipped_records: SkippedRecord[]
  rows: PushedRow[]
}

/**
 * Pushes a few records while the caller waits, for PUSH_INLINE_SECONDS at most, and ends with the call: attempts that are
 * under way then are cut off, and what is not delivered has failed. It is stored as a run, so that it is listed and can be
 * retried; its job ends it when this process is killed meanwhile, and sends nothing.
 */
export async function pushInline(
  deps: Deps,
  viewer: Viewer,
  channel: Channel,
  run: Omit<NewPushRun, 'channel'>,
): Promise<InlinePush> {
  const { db, background, config, log } = deps
  const { workspace_id } = viewer
  const until = performance.now() + config.PUSH_INLINE_SECONDS * 1000
  const endsAfter = config.PUSH_INLINE_SECONDS + ENDED_BY_JOB_SECONDS
  const { run_id } = await startRun(deps, viewer, channel, { ...run, endsAfter }, { startAfter: endsAfter + 1 })
  const work = background
    .run((stopping) => workUntil(deps, channel, { workspace_id, run_id }, until, stopping))
    // What was sent is recorded, and the rest is reported as failed.
    .catch((err: unknown) => log.error({ err, run_id }, 'an inline push ended with an error'))
  await Promise.race([work, once(timeoutAt(until + GRACE_SECONDS * 1000), 'abort')])
  await endInlinePush(db, workspace_id, run_id, NOT_SENT)
  const rows = await readPushedRows(db, workspace_id, run_id)
  const inState = (state: PushedRow['state']) => rows.filter((row) => row.state === state)
  const skipped_records = [
    ...inState('skipped').map(({ id, message }) => ({ id, message: message ?? NOT_THERE })),
    ...run.surplus.map((id) => ({ id, message: isId(id) ? CAME_BEFORE : NO_ID })),
  ]
  return {
    run_id,
    pushed: inState('sent').length,
    failed: rows.filter(isFailed).length,
    skipped: skipped_records.length,
    skipped_records,
    rows,
  }
}

/** Whether a row counts as failed. One is pending only where somebody retried the run during the call. */
export const isFailed = ({ state }: PushedRow): boolean => state === 'failed' || state === 'pending'

export const failureReason = ({ message }: PushedRow): string => message ?? NO_REASON

/** Works on the run until it is over, the time is up, or the next attempt comes after that. */
async function workUntil(
  deps: Deps,
  { job }: Channel,
  payload: RunPayload,
  until: number,
  stopping: AbortSignal,
): Promise<void> {
  const end = AbortSignal.any([timeoutAt(until), stopping])
  while (!end.aborted) {
    const wait = await job.work(deps, payload, end, end)
    if (wait === null || performance.now() + wait * 1000 >= until) return
    await sleep(wait * 1000)
  }
}

function timeoutAt(time: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(time - performance.now())))
}

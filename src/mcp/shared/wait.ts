import { type Bellwether, type Schemas, WorkFailed } from '@bellwether/client'
import { Type } from 'typebox'
import { describeError, isTransient, ToolError } from './errors.ts'
import type { ToolContext } from './tool.ts'

/** Most clients time out a call after a minute. */
const DEFAULT_SECONDS = 45
const MAX_SECONDS = 300
const POLL_MS = 1_000

export const waitSecondsArgument = Type.Integer({
  minimum: 0,
  maximum: MAX_SECONDS,
  default: DEFAULT_SECONDS,
  description: `Seconds to wait for the end, 0 to ${MAX_SECONDS}; ${DEFAULT_SECONDS} by default. The work continues anyway; check_run returns its state later.`,
})

type Run = Schemas['FullRun']
type PushRun = Schemas['PushRun']

/** Waits for a scan or a discovery and returns its state when it has ended or the time is up. */
export function followRun(client: Bellwether, id: string, seconds: number, context: ToolContext): Promise<Run> {
  const read = () => client.get('/v1/runs/{id}', { path: { id } })
  return follow<Run>(id, seconds, context, {
    report: reportRun,
    read,
    wait: (options) => client.waitForRun(id, options),
  })
}

/** Like followRun, for a push in the background. */
export function followPush(client: Bellwether, id: string, seconds: number, context: ToolContext): Promise<PushRun> {
  const read = () => client.get('/v1/push-runs/{id}', { path: { id } })
  return follow<PushRun>(id, seconds, context, {
    report: reportPush,
    read,
    wait: (options) => client.waitForPush(id, options),
  })
}

type Report<T> = (record: T, progress: ToolContext['progress']) => void
type Options<T> = { signal: AbortSignal; intervalMs: number; onProgress: (record: T) => void }
type Followed<T> = { report: Report<T>; read: () => Promise<T>; wait: (options: Options<T>) => Promise<T> }

async function follow<T>(
  id: string,
  seconds: number,
  { signal, progress }: ToolContext,
  { report, read, wait }: Followed<T>,
): Promise<T> {
  let seen: T | undefined
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(), seconds * 1000)
  try {
    return await wait({
      signal: AbortSignal.any([signal, timeUp.signal]),
      intervalMs: POLL_MS,
      onProgress(record) {
        seen = record
        report(record, progress)
      },
    })
  } catch (error) {
    if (error instanceof WorkFailed) return error.record as T
    if (timeUp.signal.aborted && !signal.aborted) return seen ?? read()
    if (!isTransient(error)) throw error
    if (seen !== undefined) return seen
    throw new ToolError(`${describeError(error)}\nIt continues meanwhile: call check_run with run_id ${id}.`)
  } finally {
    clearTimeout(timer)
  }
}

/** Progress of a run: signals checked by a scan, or companies checked by a discovery. */
export function runProgress({ jobs, stats }: Run): { done: number; total: number } {
  if (jobs.length > 0) return { done: jobs.filter(({ state }) => state !== 'pending').length, total: jobs.length }
  return { done: stats.candidates - (stats.pending ?? 0), total: stats.candidates }
}

const reportRun: Report<Run> = (run, progress) => {
  const { done, total } = runProgress(run)
  const what = run.jobs.length > 0 ? 'signals checked' : 'companies checked'
  progress(done, total, `${done} of ${total} ${what}`)
}

const reportPush: Report<PushRun> = ({ sent, failed, skipped, total }, progress) => {
  const done = sent + failed + skipped
  progress(done, total, `${done} of ${total} records`)
}

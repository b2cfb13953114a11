import { type Bellwether, type Schemas, WorkFailed } from '@bellwether/client'
import { Type } from 'typebox'
import { describeError, isTransient, ToolError } from './errors.ts'
import type { ToolContext } from './tool.ts'

/** Most clients give up on a call after a minute. */
const USUAL_SECONDS = 45
const MOST_SECONDS = 300
const LOOK_MS = 1_000

export const waitSecondsArgument = Type.Integer({
  minimum: 0,
  maximum: MOST_SECONDS,
  default: USUAL_SECONDS,
  description: `How long to wait for the end, 0 to ${MOST_SECONDS}, ${USUAL_SECONDS} unless given. It goes on anyway; check_run asks again.`,
})

type Run = Schemas['FullRun']
type PushRun = Schemas['PushRun']

/** A scan or a discovery as it is when it has ended or the time is up. */
export function followRun(client: Bellwether, id: string, seconds: number, context: ToolContext): Promise<Run> {
  const read = () => client.get('/v1/runs/{id}', { path: { id } })
  return follow<Run>(id, seconds, context, { tell: tellRun, read, wait: (options) => client.waitForRun(id, options) })
}

/** A push in the background, the same way. */
export function followPush(client: Bellwether, id: string, seconds: number, context: ToolContext): Promise<PushRun> {
  const read = () => client.get('/v1/push-runs/{id}', { path: { id } })
  return follow<PushRun>(id, seconds, context, {
    tell: tellPush,
    read,
    wait: (options) => client.waitForPush(id, options),
  })
}

type Tell<T> = (record: T, progress: ToolContext['progress']) => void
type Options<T> = { signal: AbortSignal; intervalMs: number; onProgress: (record: T) => void }
type Followed<T> = { tell: Tell<T>; read: () => Promise<T>; wait: (options: Options<T>) => Promise<T> }

async function follow<T>(
  id: string,
  seconds: number,
  { signal, progress }: ToolContext,
  { tell, read, wait }: Followed<T>,
): Promise<T> {
  let seen: T | undefined
  const timeUp = new AbortController()
  const timer = setTimeout(() => timeUp.abort(), seconds * 1000)
  try {
    return await wait({
      signal: AbortSignal.any([signal, timeUp.signal]),
      intervalMs: LOOK_MS,
      onProgress(record) {
        seen = record
        tell(record, progress)
      },
    })
  } catch (error) {
    if (error instanceof WorkFailed) return error.record as T
    if (timeUp.signal.aborted && !signal.aborted) return seen ?? read()
    if (!isTransient(error)) throw error
    if (seen !== undefined) return seen
    throw new ToolError(`${describeError(error)}\nIt goes on meanwhile: ask for it with check_run and run_id ${id}.`)
  } finally {
    clearTimeout(timer)
  }
}

/** How far a run is: signals looked for, or companies looked into. */
export function runProgress({ jobs, stats }: Run): { done: number; total: number } {
  if (jobs.length > 0) return { done: jobs.filter(({ state }) => state !== 'pending').length, total: jobs.length }
  return { done: stats.candidates - (stats.pending ?? 0), total: stats.candidates }
}

const tellRun: Tell<Run> = (run, progress) => {
  const { done, total } = runProgress(run)
  const what = run.jobs.length > 0 ? 'signals looked for' : 'companies looked into'
  progress(done, total, `${done} of ${total} ${what}`)
}

const tellPush: Tell<PushRun> = ({ sent, failed, skipped, total }, progress) => {
  const done = sent + failed + skipped
  progress(done, total, `${done} of ${total} records`)
}

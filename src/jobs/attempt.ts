import { countLosses, resetLosses } from '../db/worker-heartbeats.ts'
import type { Deps } from '../deps/deps.ts'
import type { Job } from './define.ts'

/** A job that lost this many workers may be what kills them: it is not retried. */
const MAX_LOSSES = 2

/** One attempt at a job. */
export type JobAttempt = {
  id: string
  payload: object
  signal: AbortSignal
  /** 0 for the first. */
  number: number
  /** How the previous attempt ended: its worker was lost, the job was abandoned after two losses, or neither. */
  before: 'lost' | 'abandoned' | 'ended'
}

/** How the queue ends the attempt. A thrown error makes it retry. */
type Settlement = { status: 'completed' | 'failed' | 'deadletter'; output?: unknown }

/** Runs a job, or abandons it when it has lost its worker twice. Queries the losses only after a lost attempt. */
export async function runAttempt<P extends object>(deps: Deps, job: Job<P>, attempt: JobAttempt): Promise<Settlement> {
  const { id, signal, number } = attempt
  const payload = attempt.payload as P
  const log = deps.log.child({ job: job.name, job_id: id })
  const parts = { ...deps, log }
  if (attempt.before === 'abandoned') return abandon(parts, job, payload)
  if (attempt.before === 'lost') {
    const losses = await countLosses(deps.db, id, deps.config.WORKER_LOST_SECONDS)
    if (losses >= MAX_LOSSES) return abandon(parts, job, payload)
    log.warn({ losses }, 'the worker of this job was lost; running the job again')
  }
  const progressed = () => resetLosses(deps.db, id)
  try {
    await job.run(parts, payload, { signal, attempt: number, progressed })
    return { status: 'completed' }
  } catch (error) {
    log.warn({ err: error, attempt: number }, 'job failed')
    if (number < job.retries || signal.aborted) throw error
    return { status: 'deadletter', output: error }
  }
}

async function abandon<P extends object>(deps: Deps, job: Job<P>, payload: P): Promise<Settlement> {
  try {
    await job.onLost?.(deps, payload)
  } catch (err) {
    deps.log.warn({ err }, 'the onLost handler of an abandoned job failed; it is retried')
    return { status: 'failed', output: { lost: true } }
  }
  deps.log.error({ payload }, 'job abandoned: its worker was lost twice')
  return { status: 'deadletter', output: { message: 'its worker was lost twice' } }
}

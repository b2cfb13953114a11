import { countLosses, forgetLosses } from '../db/lost-workers.ts'
import type { Deps } from '../deps/deps.ts'
import type { Job } from './define.ts'

/** A job that lost its worker so often may be what ends workers: it is not handed on again. */
const MOST_LOSSES = 2

/** One claim of a job. */
export type JobAttempt = {
  id: string
  payload: object
  signal: AbortSignal
  /** 0 for the first. */
  number: number
  /** How the one before ended: its worker gave no sign any more, the job is given up for that, or neither. */
  before: 'lost' | 'given up' | 'ended'
}

/** What the queue is to do with the job. Thrown errors let it try again. */
type Settlement = { status: 'completed' | 'failed' | 'deadletter'; output?: unknown }

/** Works on a job, or ends it when it has lost its worker twice. A job that never did costs no query here. */
export async function runAttempt<P extends object>(deps: Deps, job: Job<P>, attempt: JobAttempt): Promise<Settlement> {
  const { id, signal, number } = attempt
  const payload = attempt.payload as P
  const log = deps.log.child({ job: job.name, job_id: id })
  const parts = { ...deps, log }
  if (attempt.before === 'given up') return giveUp(parts, job, payload)
  if (attempt.before === 'lost') {
    const losses = await countLosses(deps.db, id, deps.config.WORKER_LOST_SECONDS)
    if (losses >= MOST_LOSSES) return giveUp(parts, job, payload)
    log.warn({ losses }, 'the worker of this job gave no sign any more: it is run again')
  }
  const progressed = () => forgetLosses(deps.db, id)
  try {
    await job.run(parts, payload, { signal, attempt: number, progressed })
    return { status: 'completed' }
  } catch (error) {
    log.warn({ err: error, attempt: number }, 'job failed')
    if (number < job.retries || signal.aborted) throw error
    return { status: 'deadletter', output: error }
  }
}

async function giveUp<P extends object>(deps: Deps, job: Job<P>, payload: P): Promise<Settlement> {
  try {
    await job.onLost?.(deps, payload)
  } catch (err) {
    deps.log.warn({ err }, 'a job that is given up could not say so yet')
    return { status: 'failed', output: { lost: true } }
  }
  deps.log.error({ payload }, 'job given up: its worker was lost twice')
  return { status: 'deadletter', output: { message: 'its worker was lost twice' } }
}

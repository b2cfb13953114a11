import type { Deps } from '../deps/deps.ts'

export type Job<P extends object> = {
  /** Unique; also the name of its queue. */
  name: string
  /** Does the work. Must be idempotent: a job runs at least once. */
  run: (deps: Deps, payload: P, context: JobContext) => Promise<void>
  /**
   * Marks the job's subject as failed when the job is abandoned after losing its worker twice. A job whose rows a periodic
   * sweep picks up again needs none. Must be idempotent.
   */
  onLost?: (deps: Deps, payload: P) => Promise<void>
  /** Number of retries. */
  retries: number
  /** Seconds before the first retry; doubles with each further one. */
  retryDelay: number
  /** Seconds after which a run counts as lost and is given to another worker. */
  timeout: number
  /** Concurrent runs of this job in one process; WORKER_CONCURRENCY unless set. */
  concurrency?: number
  /** Also runs once when a worker starts. */
  atStart?: boolean
  /** Cron expression (UTC) for a scheduled job. */
  schedule?: string
}

export type JobContext = {
  /** Aborted when the process must stop: the job is then given to another worker. */
  signal: AbortSignal
  /** 0 for the first run. */
  attempt: number
  /** To be called when part of the work is committed: resets the count of lost workers. */
  progressed: () => Promise<void>
}

/** Shown as the reason of failure when a job is abandoned. */
export const LOST_WORKER_MESSAGE =
  'The process that worked on this died or stopped responding twice before it was done, so it is not tried a third time.'

type Declaration<P extends object> = Pick<Job<P>, 'name' | 'run'> & Partial<Job<P>>

/** Declares a job. It runs once it is listed in src/app/jobs.ts. */
export function defineJob<P extends object>(declaration: Declaration<P>): Job<P> {
  return { retries: 5, retryDelay: 2, timeout: 900, ...declaration }
}

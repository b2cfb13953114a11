import type { Deps } from '../deps/deps.ts'

export type Job<P extends object> = {
  /** Unique over the service; the name of its queue. */
  name: string
  /** Does the work. It is idempotent: a job runs at least once. */
  run: (deps: Deps, payload: P, context: JobContext) => Promise<void>
  /**
   * Says of what the job was about that it came to nothing, when the job ends because it lost its worker twice. A job
   * whose work lies in rows that a sweep takes up again needs none. Idempotent, too.
   */
  onLost?: (deps: Deps, payload: P) => Promise<void>
  /** Attempts after the first. */
  retries: number
  /** Seconds before the first retry; doubles with each further one. */
  retryDelay: number
  /** Seconds a run may take before it counts as lost and is given to another worker. */
  timeout: number
  /** Runs of this job at once in one process; WORKER_CONCURRENCY unless set. */
  concurrency?: number
  /** Runs once when a worker starts, beside its schedule. */
  atStart?: boolean
  /** Cron expression (UTC) for a job that runs by itself. */
  schedule?: string
}

export type JobContext = {
  /** Aborted when the process must stop: end soon, the job is given back. */
  signal: AbortSignal
  /** 0 for the first run. */
  attempt: number
  /** To be called when something of the work is done for good: workers lost before that do not count any more. */
  progressed: () => Promise<void>
}

/** For a person who asks what became of the work. */
export const LOST =
  'The process that worked on this died or stopped responding twice before it was done, so it is not tried a third time.'

type Declaration<P extends object> = Pick<Job<P>, 'name' | 'run'> & Partial<Job<P>>

/** Declares a job. It is picked up by listing it in `all-jobs.ts`. */
export function defineJob<P extends object>(declaration: Declaration<P>): Job<P> {
  return { retries: 5, retryDelay: 2, timeout: 900, ...declaration }
}

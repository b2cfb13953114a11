import type { Config } from '../config/config.ts'
import type { Purge } from '../db/purge.ts'
import { defineJob, type Job } from './define.ts'
import { deadlineAfter } from './leased-work.ts'

/** Time limit per table; the remaining rows are left to a new job. */
const STEP_MS = 60_000

/**
 * Declares an hourly job that deletes expired rows: hourly, so that deletes are spread over the day and new rows reuse their
 * space. It enqueues itself again until no expired row is left.
 */
export function definePurge(
  name: string,
  minute: number,
  steps: (config: Config) => Record<string, Purge>,
): Job<object> {
  const job = defineJob<object>({
    name,
    schedule: `${minute} * * * *`,
    concurrency: 1,
    async run({ db, jobs, config, log }, _payload, { signal, progressed }) {
      let isDone = true
      const errors: unknown[] = []
      for (const [what, purge] of Object.entries(steps(config))) {
        try {
          const purged = await purge(db, deadlineAfter(STEP_MS, signal))
          if (purged.count > 0) log.info({ what, count: purged.count }, 'expired rows deleted')
          if (!purged.isDone) isDone = false
        } catch (error) {
          // A failure must not stop the purge of the other tables.
          errors.push(error)
        }
        await progressed()
      }
      signal.throwIfAborted()
      if (errors.length > 0)
        throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'steps of a purge failed')
      if (!isDone) await jobs.enqueue(db, job, {})
    },
  })
  return job
}

import type { Config } from '../config/config.ts'
import type { Purge } from '../db/purge.ts'
import { defineJob, type Job } from './define.ts'
import { deadlineAfter } from './leased-work.ts'

/** Each table has so long, then the next has its turn, and what is left goes to a new job. */
const STEP_MS = 60_000

/**
 * Declares a job that forgets old rows, every hour: what a day brought is spread over the day, and the room of what goes is used
 * again by what comes. It goes on until nothing old is left, however much that is.
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
          if (purged.count > 0) log.info({ what, count: purged.count }, 'what was past its time was deleted')
          if (!purged.isDone) isDone = false
        } catch (error) {
          // The other tables have their turn all the same.
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

import { defineJob } from '../jobs/define.ts'
import { failForgottenRuns } from '../resources/runs/store.ts'

/** Longer than the queue needs to give the job of a killed worker to another one, retries and their pauses included. */
const FORGOTTEN_SECONDS = 15 * 60

/** Ends runs whose jobs are gone for good: a run is never left running for ever. */
export const endForgottenRuns = defineJob<{ idle?: number }>({
  name: 'end-forgotten-runs',
  schedule: '*/5 * * * *',
  async run({ db, log }, { idle = FORGOTTEN_SECONDS }) {
    const count = await failForgottenRuns(db, idle)
    if (count > 0) log.warn({ count }, 'runs that nobody worked on were ended')
  },
})

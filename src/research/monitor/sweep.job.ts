import { defineJob } from '../../jobs/define.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { sweep } from './sweep.ts'

/** A job works for so long and hands on to a new one, so that no job runs for hours. */
const DEADLINE_MS = 5 * 60_000

/** Looks at the accounts whose turn it is. Workers that run it at the same time share them. */
export const sweepMonitors = defineJob({
  name: 'sweep-monitors',
  schedule: '* * * * *',
  atStart: true,
  concurrency: 1,
  async run(deps, _payload, { signal }) {
    if (!deps.config.SOURCES.has('website')) return
    const isMore = await sweep({ ...deps, signal }, deadlineAfter(DEADLINE_MS, signal))
    if (isMore) await deps.jobs.enqueue(deps.db, sweepMonitors, {})
  },
})

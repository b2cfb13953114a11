import { defineJob } from '../../jobs/define.ts'
import { deadlineAfter } from '../../jobs/leased-work.ts'
import { matchItems } from './match.ts'
import { readStreams } from './read.ts'

/** Some registers take a minute for a page. What is matched afterwards has the rest of the job's time. */
const READ_MS = 10 * 60_000

/** Reads what the wires, filings, awards and notices tell, once for all accounts, and finds out whose it is. */
export const readAllStreams = defineJob({
  name: 'read-streams',
  schedule: '*/10 * * * *',
  concurrency: 1,
  retries: 0,
  timeout: 1_800,
  async run(deps, _payload, { signal }) {
    const { found } = await readStreams(deps, signal, { deadline: deadlineAfter(READ_MS, signal) })
    const { items, matches } = await matchItems(deps, signal)
    if (found + items > 0) deps.log.info({ found, items, matches }, 'streams were read')
  },
})

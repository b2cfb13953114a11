import { defineJob } from '../../jobs/define.ts'
import { listDueScans } from '../../resources/accounts/due-store.ts'
import { startScan } from './scan.ts'

/** So many an hour at most, so that thousands of accounts activated together do not stay together. */
const BATCH = 500

/**
 * Scans active accounts anew from time to time: job boards, filings and news are read by scans only, and the site as a
 * whole. Between scans the monitor looks at the site.
 */
export const rescanAccounts = defineJob({
  name: 'rescan-accounts',
  schedule: '25 * * * *',
  concurrency: 1,
  async run({ db, jobs, config }, _payload, { signal }) {
    for (const { workspace_id, id, name } of await listDueScans(db, config.RESCAN_DAYS, BATCH)) {
      signal.throwIfAborted()
      await db.transaction().execute((db) => startScan({ jobs, config }, db, workspace_id, { id, name }))
    }
  },
})

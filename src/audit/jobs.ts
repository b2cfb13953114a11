import { defineJob } from '../jobs/define.ts'
import { definePurge } from '../jobs/purge.ts'
import { closeAbandonedChanges, oldEntries } from './store.ts'

/** Longer than any request runs; longer changes report that they are alive. */
const ABANDONED_SECONDS = 3_600

/** Records changes of processes that died, with the outcome `unknown`. */
export const closeAbandoned = defineJob<{ idle?: number }>({
  name: 'close-abandoned-changes',
  schedule: '*/10 * * * *',
  atStart: true,
  concurrency: 1,
  async run({ db, log }, { idle = ABANDONED_SECONDS }) {
    const count = await closeAbandonedChanges(db, idle)
    if (count > 0) log.warn({ count }, 'the outcome of changes is unknown, because a process died')
  },
})

export const purgeAudit = definePurge('purge-audit', 53, ({ AUDIT_RETENTION_DAYS }) => ({
  'audit entries': oldEntries(AUDIT_RETENTION_DAYS),
}))

import { defineJob } from '../jobs/define.ts'
import { listStaleScores } from '../resources/accounts/due-store.ts'
import { lockForAssessment } from '../resources/accounts/store.ts'
import { assess } from './assess.ts'
import { type ResearchContext, readContext, upToDate } from './context.ts'

const BATCH = 500
/** A little less than a day, so that each account has its turn every day. */
const STALE_HOURS = 20

/** Lets scores fade: a signal of last month says less than one of yesterday. */
export const rescoreAccounts = defineJob<{ hours?: number }>({
  name: 'rescore-accounts',
  schedule: '10 2 * * *',
  concurrency: 1,
  async run({ db, jobs, now }, { hours = STALE_HOURS }, { signal }) {
    const stale = await listStaleScores(db, hours, BATCH)
    const contexts = new Map<string, ResearchContext>()
    for (const { workspace_id, id } of stale) {
      signal.throwIfAborted()
      const context = contexts.get(workspace_id) ?? (await readContext({ db, now }, workspace_id))
      contexts.set(workspace_id, context)
      await db.transaction().execute(async (db) => {
        const account = await lockForAssessment(db, workspace_id, id)
        if (account) await assess(db, workspace_id, account, await upToDate({ db, now }, workspace_id, context))
      })
    }
    if (stale.length === BATCH) await jobs.enqueue(db, rescoreAccounts, { hours })
  },
})

import { defineJob } from '../../jobs/define.ts'
import { lockAccounts } from '../../resources/accounts/store.ts'
import { rankAgain } from '../../resources/work-items/rank.ts'
import { addEvents, listDueDeals } from '../../resources/work-items/rank-store.ts'
import { isoDate } from '../../shared/days.ts'

/** In each workspace and run: the first reading of a CRM does not fill Today, and the rest follows on the next days. */
const MAX_OPENED = 20

/** Opens a work item for each lost deal that is due for another try, once. */
export const openDueDeals = defineJob<object>({
  name: 'open-due-deals',
  schedule: '35 4 * * *',
  concurrency: 1,
  async run({ db, now }, _payload, { signal }) {
    const due = await listDueDeals(db, isoDate(now()), MAX_OPENED)
    for (const { workspace_id, account_id, record_id } of due) {
      signal.throwIfAborted()
      await db.transaction().execute(async (db) => {
        await lockAccounts(db, workspace_id, [account_id])
        await addEvents(db, workspace_id, account_id, [{ id: record_id, kind: 'deal', same: [] }])
        await rankAgain(db, workspace_id, account_id, now())
      })
    }
  },
})

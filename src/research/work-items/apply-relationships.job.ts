import { defineJob } from '../../jobs/define.ts'
import { lockForAssessment } from '../../resources/accounts/assessment-store.ts'
import { queueRewriting, redraftAccount } from '../../resources/drafts/redraft.ts'
import { assessAccount } from '../assess.ts'
import { readContext, refreshContext } from '../context.ts'

/** Scores, ranks and drafts again after accounts changed in the CRM; the nightly scores would only do so later. */
export const applyRelationships = defineJob<{ workspace_id: string; account_ids: string[] }>({
  name: 'apply-relationships',
  async run(deps, { workspace_id, account_ids }, { signal }) {
    const context = await readContext(deps, workspace_id)
    for (const id of account_ids) {
      signal.throwIfAborted()
      await deps.db.transaction().execute(async (db) => {
        const account = await lockForAssessment(db, workspace_id, id)
        if (!account) return
        const current = await refreshContext({ ...deps, db }, workspace_id, context)
        await assessAccount(db, workspace_id, account, current)
        await queueRewriting({ ...deps, db }, workspace_id, await redraftAccount(db, workspace_id, account, current))
      })
    }
  },
})

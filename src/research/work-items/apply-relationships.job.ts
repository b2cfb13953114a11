import { defineJob } from '../../jobs/define.ts'
import { lockForAssessment } from '../../resources/accounts/store.ts'
import { readDraftContext } from '../../resources/drafts/context.ts'
import { queueRewriting, redraftAccount } from '../../resources/drafts/redraft.ts'
import { rankWorkItem } from '../../resources/work-items/rank.ts'
import { isoDate } from '../../shared/days.ts'

/** Ranks and drafts again after the relationship of accounts changed in the CRM; the nightly scores would only do so later. */
export const applyRelationships = defineJob<{ workspace_id: string; account_ids: string[] }>({
  name: 'apply-relationships',
  async run(deps, { workspace_id, account_ids }, { signal }) {
    const { context } = await readDraftContext(deps.db, workspace_id)
    const today = isoDate(deps.now())
    for (const id of account_ids) {
      signal.throwIfAborted()
      await deps.db.transaction().execute(async (db) => {
        const account = await lockForAssessment(db, workspace_id, id)
        if (!account) return
        await rankWorkItem(db, workspace_id, id, { sections: context.sections, today })
        await queueRewriting({ ...deps, db }, workspace_id, await redraftAccount(db, workspace_id, account, context))
      })
    }
  },
})

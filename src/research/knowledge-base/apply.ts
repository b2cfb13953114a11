import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { listActiveAccounts, lockForAssessment } from '../../resources/accounts/store.ts'
import { claimRevision, incrementRevision } from '../../resources/knowledge-base/store.ts'
import { assessAccount } from '../assess.ts'
import { readContext, refreshContext } from '../context.ts'
import { redraftAccount, rewriteDetectionTexts } from '../drafts.ts'

/** `revision`: the edit that asks for it. */
type Payload = { workspace_id: string; revision: number; after?: string }

/** Somebody who edits a section edits the next one, too: the accounts are gone through once for all of it. */
const QUIET_SECONDS = 3
/** Whoever never stops editing sees what comes of it all the same. */
const LONGEST_SECONDS = 20
/** A job works through so many accounts and hands on to the next. */
const ACCOUNTS = 200

/**
 * Brings what rests on the knowledge base up to date: scores, fit and drafts of active accounts. Nothing new was found, so
 * nobody is alerted.
 */
export const applyKnowledge = defineJob<Payload>({
  name: 'apply-knowledge',
  async run(deps, { workspace_id, revision, after }, { signal, attempt }) {
    const { db, jobs, config } = deps
    const isFirst = after === undefined && attempt === 0
    if (isFirst && !(await claimRevision(db, workspace_id, revision, LONGEST_SECONDS))) return
    let context = await readContext(deps, workspace_id)
    const accounts = await listActiveAccounts(db, workspace_id, after ?? null, ACCOUNTS)
    for (const { id } of accounts) {
      signal.throwIfAborted()
      await db.transaction().execute(async (db) => {
        const account = await lockForAssessment(db, workspace_id, id)
        if (account?.status !== 'active') return
        context = await refreshContext({ ...deps, db }, workspace_id, context)
        const changed = await redraftAccount(db, workspace_id, account, context)
        await assessAccount(db, workspace_id, account, context)
        if (config.LLM_BASE_URL && changed.length > 0) {
          await jobs.enqueue(db, rewriteDetectionTexts, { workspace_id, detection_ids: changed })
        }
      })
    }
    const last = accounts.at(-1)
    if (last && accounts.length === ACCOUNTS) {
      await jobs.enqueue(db, applyKnowledge, { workspace_id, revision, after: last.id })
    }
  },
})

/** Has what rests on the knowledge base follow an edit of it, once it is quiet. Call it in the transaction of the edit. */
export async function enqueueKnowledgeUpdate(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
): Promise<void> {
  const revision = await incrementRevision(db, workspaceId)
  await jobs.enqueue(db, applyKnowledge, { workspace_id: workspaceId, revision }, { startAfter: QUIET_SECONDS })
}

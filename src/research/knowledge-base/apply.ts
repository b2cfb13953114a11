import type { Deps } from '../../deps/deps.ts'
import { defineJob } from '../../jobs/define.ts'
import { lockForAssessment } from '../../resources/accounts/assessment-store.ts'
import { listActiveAccounts } from '../../resources/accounts/store.ts'
import { queueRewriting, redraftAccount } from '../../resources/drafts/redraft.ts'
import { claimRevision, incrementRevision } from '../../resources/knowledge-base/store.ts'
import { assessAccount } from '../assess.ts'
import { readContext, refreshContext } from '../context.ts'

/** `revision`: the edit that enqueued the job. */
type Payload = { workspace_id: string; revision: number; after?: string }

/** Debounces edits, which often come in series, so that the accounts are processed once. */
const QUIET_SECONDS = 3
/** Limits the delay during continuous edits. */
const LONGEST_SECONDS = 20
/** The number of accounts that a job processes before it enqueues its successor. */
const ACCOUNTS = 200

/**
 * Updates scores, fit and drafts of active accounts after an edit of the knowledge base. Sends no alerts, because
 * nothing new was found.
 */
export const applyKnowledge = defineJob<Payload>({
  name: 'apply-knowledge',
  async run(deps, { workspace_id, revision, after }, { signal, attempt }) {
    const { db, jobs } = deps
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
        await queueRewriting({ ...deps, db }, workspace_id, changed)
      })
    }
    const last = accounts.at(-1)
    if (last && accounts.length === ACCOUNTS) {
      await jobs.enqueue(db, applyKnowledge, { workspace_id, revision, after: last.id })
    }
  },
})

/**
 * Enqueues the update of all that depends on the knowledge base, after a delay. Call it in the transaction of the edit.
 */
export async function enqueueKnowledgeUpdate(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  workspaceId: string,
): Promise<void> {
  const revision = await incrementRevision(db, workspaceId)
  await jobs.enqueue(db, applyKnowledge, { workspace_id: workspaceId, revision }, { startAfter: QUIET_SECONDS })
}

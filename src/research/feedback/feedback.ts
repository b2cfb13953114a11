import { queueAlert } from '../../delivery/alert.ts'
import type { Deps } from '../../deps/deps.ts'
import { lockForAssessment } from '../../resources/accounts/assessment-store.ts'
import { getFeedback, writeVerdict } from '../../resources/detections/feedback-store.ts'
import type { Feedback, GiveFeedback } from '../../resources/detections/schema.ts'
import { deleteContradicted } from '../../resources/detections/store.ts'
import { closeEmptyItem } from '../../resources/work-items/close-empty.ts'
import { changedFields } from '../../shared/changed-fields.ts'
import { notFound } from '../../shared/errors.ts'
import type { Member } from '../../shared/member.ts'
import { assessAccount } from '../assess.ts'
import { readContext } from '../context.ts'

type Parts = Pick<Deps, 'db' | 'now' | 'jobs' | 'config'>

/**
 * Stores a member's feedback on a detection; null deletes it. A wrong detection is hidden and the account is assessed
 * again, in the same transaction. Other accounts with the signal are assessed again within a day. The account is
 * locked, so that concurrent feedback and research that finds the same event wait. Throws not_found.
 */
export function giveFeedback(
  deps: Parts,
  member: Member,
  accountId: string,
  detectionId: string,
  feedback: GiveFeedback,
): Promise<Feedback | null> {
  return deps.db.transaction().execute((db) => applyVerdict({ ...deps, db }, member, accountId, detectionId, feedback))
}

/** The same within a transaction. The work item of the account is closed as wrong with its last finding. */
export async function applyVerdict(
  deps: Parts,
  { workspace_id, id: by }: Member,
  accountId: string,
  detectionId: string,
  { verdict, reason }: GiveFeedback,
): Promise<Feedback | null> {
  const { db } = deps
  const account = await lockForAssessment(db, workspace_id, accountId)
  if (!account) throw notFound('account')
  const present = await getFeedback(db, workspace_id, accountId, detectionId)
  const said = verdict && { verdict, reason: reason?.trim() || null, by }
  // Repeating the same feedback does not change its author.
  const isSame = said
    ? present !== null && Object.keys(changedFields(present, { verdict, reason: said.reason })).length === 0
    : present === null
  if (isSame) return present
  await writeVerdict(db, workspace_id, detectionId, said)
  if (present?.verdict === 'wrong' && verdict !== 'wrong') await deleteContradicted(db, workspace_id, accountId)
  if (verdict === 'wrong') await closeItem(deps, workspace_id, accountId, by, said?.reason ?? null)
  await assessAccount(db, workspace_id, account, await readContext({ ...deps, db }, workspace_id))
  return said && getFeedback(db, workspace_id, accountId, detectionId)
}

async function closeItem(
  { db, jobs, config }: Parts,
  workspaceId: string,
  account_id: string,
  by: string,
  reason: string | null,
): Promise<void> {
  const closed = await closeEmptyItem(db, workspaceId, account_id, by, reason)
  if (closed === null) return
  const alert = { type: 'work_item.done', account_id, run_id: null, work_item_ids: [closed] } as const
  await queueAlert({ db, jobs, config }, workspaceId, alert)
}

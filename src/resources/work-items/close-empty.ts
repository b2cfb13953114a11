import type { Db } from '../../db/connect.ts'
import { recordActivity } from './activity-store.ts'
import { findCurrentItem, listItemEvents } from './rank-store.ts'
import { writeState } from './store.ts'

/** Closes the work item of an account as wrong when a member has marked its last finding as wrong. Returns its id. */
export async function closeEmptyItem(
  db: Db,
  workspaceId: string,
  accountId: string,
  memberId: string,
  note: string | null,
): Promise<string | null> {
  const item = await findCurrentItem(db, workspaceId, accountId)
  if (!item || (await listItemEvents(db, workspaceId, accountId, item.id)).length > 0) return null
  await writeState(db, workspaceId, item.id, memberId, { state: 'done', outcome: 'wrong', note })
  await recordActivity(db, workspaceId, {
    ...{ account_id: accountId, kind: 'done', member_id: memberId, work_item_id: item.id, note },
    data: { outcome: 'wrong' },
  })
  return item.id
}

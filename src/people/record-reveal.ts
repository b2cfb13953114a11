import type { Db } from '../db/connect.ts'
import { recordActivity } from '../resources/work-items/activity-store.ts'

/** Adds the reveal of an email or a phone number to the timeline of the person's account. */
export function recordReveal(
  db: Db,
  workspaceId: string,
  { id, account_id }: { id: string; account_id: string },
  memberId: string,
  target: 'email' | 'phone',
): Promise<void> {
  const line = { account_id, kind: 'revealed' as const, member_id: memberId, person_id: id, data: { target } }
  return recordActivity(db, workspaceId, line)
}

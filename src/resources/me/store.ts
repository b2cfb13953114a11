import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

export async function getMe(db: Db, workspaceId: string, memberId: string) {
  const { workspace_name, scoped_members_claim, feed_seen_at, ...member } = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select([
      'members.id',
      'members.name',
      'members.email',
      'members.role',
      'members.visibility',
      'members.time_zone',
      'members.feed_seen_at',
      'workspaces.name as workspace_name',
      'workspaces.scoped_members_claim',
    ])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.id', '=', memberId)
    .executeTakeFirstOrThrow()
  return { member, workspace: { id: workspaceId, name: workspace_name, scoped_members_claim }, feed_seen_at }
}

/** Sets the time up to which a member has seen the feed; it never moves back or into the future. */
export function markFeedSeen(db: Db, workspaceId: string, memberId: string, at: string) {
  return db
    .updateTable('members')
    .set({ feed_seen_at: sql`greatest(feed_seen_at, least(${at}::timestamptz, now()))` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', memberId)
    .returning('feed_seen_at')
    .executeTakeFirstOrThrow()
}

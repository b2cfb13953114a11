import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

export async function getMe(db: Db, workspaceId: string, memberId: string) {
  const { workspace_name, scoped_members_claim, is_first, ...member } = await db
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select([
      'members.id',
      'members.name',
      'members.email',
      'members.role',
      'members.visibility',
      'members.time_zone',
      'workspaces.name as workspace_name',
      'workspaces.scoped_members_claim',
      sql<boolean>`exists (select from installation where installation.workspace_id = workspaces.id)`.as('is_first'),
    ])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.id', '=', memberId)
    .executeTakeFirstOrThrow()
  return { member, workspace: { id: workspaceId, name: workspace_name, scoped_members_claim, is_first } }
}

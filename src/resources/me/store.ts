import type { Db } from '../../db/connect.ts'
import { findInstallation } from '../workspaces/store.ts'

export async function getMe(db: Db, workspaceId: string, memberId: string) {
  const me = db
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
    ])
    .where('members.workspace_id', '=', workspaceId)
    .where('members.id', '=', memberId)
    .executeTakeFirstOrThrow()
  const [{ workspace_name, scoped_members_claim, ...member }, installation] = await Promise.all([
    me,
    findInstallation(db),
  ])
  const is_first = installation?.workspace_id === workspaceId
  return { member, workspace: { id: workspaceId, name: workspace_name, scoped_members_claim, is_first } }
}

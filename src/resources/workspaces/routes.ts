import { op, type Routes } from '../../http/operation.ts'
import { SetWorkspaceSettings, WorkspaceSettings } from './schema.ts'
import { readWorkspaceSettings, writeWorkspaceSettings } from './store.ts'

const tag = 'Members'

export const workspaceRoutes: Routes = (app, { db }) => {
  app.get(
    '/settings/workspace',
    op('getWorkspaceSettings', {
      tag,
      summary: 'Read the workspace settings',
      data: WorkspaceSettings,
      extension: true,
    }),
    (req) => readWorkspaceSettings(db, req.member.workspace_id),
  )

  app.put(
    '/settings/workspace',
    op('setWorkspaceSettings', {
      tag,
      summary: 'Change the workspace settings',
      description: 'A setting that is absent keeps its value.',
      body: SetWorkspaceSettings,
      data: WorkspaceSettings,
      admin: true,
      extension: true,
    }),
    (req) => writeWorkspaceSettings(db, req.member.workspace_id, req.body),
  )
}

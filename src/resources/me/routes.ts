import { op, type Routes } from '../../http/operation.ts'
import { VERSION } from '../../shared/version.ts'
import { Me } from './schema.ts'
import { getMe } from './store.ts'

export const meRoutes: Routes = (app, { db }) => {
  app.get(
    '/me',
    op('getMe', { tag: 'Sessions', summary: 'Read your own member record and workspace', data: Me, extension: true }),
    async ({ member: { workspace_id, id, read_only, session_id } }) => {
      return { ...(await getMe(db, workspace_id, id)), read_only, session_id, version: VERSION }
    },
  )
}

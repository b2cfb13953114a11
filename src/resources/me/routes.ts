import { op, type Routes } from '../../http/operation.ts'
import type { Member } from '../../shared/member.ts'
import { VERSION } from '../../shared/version.ts'
import { updateMe } from './change.ts'
import { Me, UpdateMe } from './schema.ts'
import { getMe } from './store.ts'

const tag = 'Sessions'

export const meRoutes: Routes = (app, { db }) => {
  const readMe = async ({ workspace_id, id, role, read_only, session_id }: Member) => {
    const { member, workspace } = await getMe(db, workspace_id, id)
    // The scope of the key may lower the role.
    return { member: { ...member, role }, workspace, read_only, session_id, version: VERSION }
  }

  app.get(
    '/me',
    op('getMe', { tag, summary: 'Read your own member record and workspace', data: Me, extension: true }),
    (req) => readMe(req.member),
  )

  app.patch(
    '/me',
    op('updateMe', { tag, summary: 'Change your time zone', body: UpdateMe, data: Me, extension: true }),
    async (req) => {
      await updateMe({ db }, req.member, req.body)
      return readMe(req.member)
    },
  )
}

import { op, type Routes } from '../../http/operation.ts'
import { MyProfile, UpdateMyProfile } from '../../resources/me/profile-schema.ts'
import { getMemberProfile } from '../../resources/me/profile-store.ts'
import { updateMyProfile } from './update.ts'

const tag = 'Sessions'

export const memberProfileRoutes: Routes = (app, deps) => {
  app.get(
    '/me/profile',
    op('getMyProfile', { tag, summary: 'Read how you write and sign messages', data: MyProfile, extension: true }),
    (req) => getMemberProfile(deps.db, req.member.workspace_id, req.member.id),
  )

  app.patch(
    '/me/profile',
    op('updateMyProfile', {
      tag,
      summary: 'Change how you write and sign messages',
      description:
        'Messages for an account are drafted in the name of its owner. A change rewrites open drafts in the background, except those that were edited.',
      body: UpdateMyProfile,
      data: MyProfile,
      extension: true,
    }),
    (req) => updateMyProfile(deps, req.member, req.body),
  )
}

import { op, type Routes } from '../../http/operation.ts'
import { NotificationSettings, UpdateNotificationSettings } from './schema.ts'
import { shownTo } from './shown.ts'
import { getSettings } from './store.ts'
import { updateSettings } from './update.ts'

const tag = 'Settings'

export const notificationRoutes: Routes = (app, deps) => {
  app.get(
    '/settings/notifications',
    op('getNotificationSettings', { tag, summary: 'Read where alerts go', data: NotificationSettings }),
    async (req) => shownTo(req.member, await getSettings(deps.db, req.member.workspace_id, deps.secrets)),
  )

  app.put(
    '/settings/notifications',
    op('updateNotificationSettings', {
      admin: true,
      tag,
      summary: 'Change any of the settings',
      body: UpdateNotificationSettings,
      data: NotificationSettings,
      errors: ['url_not_allowed'],
    }),
    (req) => updateSettings(deps, req.member.workspace_id, req.body),
  )
}

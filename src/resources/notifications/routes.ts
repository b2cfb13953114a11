import { op, type Routes } from '../../http/operation.ts'
import { NotificationSettings, UpdateNotificationSettings } from './schema.ts'
import { maskAlertSettings, updateAlertSettings } from './settings.ts'
import { getAlertSettings } from './store.ts'

const tag = 'Settings'

export const notificationRoutes: Routes = (app, deps) => {
  app.get(
    '/settings/notifications',
    op('getNotificationSettings', { tag, summary: 'Read where alerts go', data: NotificationSettings }),
    async (req) =>
      maskAlertSettings(req.member, await getAlertSettings(deps.db, req.member.workspace_id, deps.secrets)),
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
    (req) => updateAlertSettings(deps, req.member.workspace_id, req.body),
  )
}

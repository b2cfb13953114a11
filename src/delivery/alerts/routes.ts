import { op, type Routes } from '../../http/operation.ts'
import { TestedNotification, TestNotification } from '../../resources/notifications/schema.ts'
import { sendTestAlert } from './test-alert.ts'

export const testAlertRoutes: Routes = (app, deps) => {
  app.post(
    '/settings/notifications/test',
    op('testNotifications', {
      admin: true,
      tag: 'Settings',
      summary: 'Send a test to the webhook or the chat',
      description: 'Also while alerts are switched off. `/integrations` shows the result of the test afterwards.',
      body: TestNotification,
      data: TestedNotification,
      extension: true,
    }),
    (req) => sendTestAlert(deps, req.member.workspace_id, req.body.channel),
  )
}

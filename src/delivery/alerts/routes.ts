import { type CheckRights, op, type Routes } from '../../http/operation.ts'
import { IdParams } from '../../http/schema.ts'
import { getAlertRule } from '../../resources/alert-rules/store.ts'
import { TestedNotification, TestNotification } from '../../resources/notifications/schema.ts'
import { sendRuleTest, sendTestAlert } from './test-alert.ts'

const tag = 'Settings'
const params = IdParams
const extension = true

const ownRule: CheckRights = ({ db }, { member, params }) => getAlertRule(db, member, params.id, null)

export const testAlertRoutes: Routes = (app, deps) => {
  app.post(
    '/settings/notifications/test',
    op('testNotifications', {
      admin: true,
      tag,
      summary: 'Send a test to the webhook or the chat',
      description: 'Also while alerts are switched off. `/integrations` shows the result of the test afterwards.',
      body: TestNotification,
      data: TestedNotification,
      extension,
    }),
    (req) => sendTestAlert(deps, req.member.workspace_id, req.body.channel),
  )

  app.post(
    '/alert-rules/:id/test',
    op('testAlertRule', {
      tag,
      summary: 'Send a sample of an alert rule now',
      description: 'Also while the rule is disabled. A rule for the owners of accounts sends the sample to you.',
      params,
      data: TestedNotification,
      allow: ownRule,
      extension,
    }),
    (req) => sendRuleTest(deps, req.member, req.params.id),
  )
}

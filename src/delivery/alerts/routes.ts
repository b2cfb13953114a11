import { Type } from 'typebox'
import { type CheckRights, op, type Routes } from '../../http/operation.ts'
import { IdParams } from '../../http/schema.ts'
import { getAlertRule } from '../../resources/alert-rules/store.ts'
import { Alert } from '../../resources/alerts/schema.ts'
import { requireSeenAlert } from '../../resources/alerts/store.ts'
import { TestedNotification, TestNotification } from '../../resources/notifications/schema.ts'
import { replayAlert } from './replay-alert.ts'
import { sendRuleTest, sendTestAlert } from './test-alert.ts'

const tag = 'Settings'
const params = IdParams
const extension = true

const ownRule: CheckRights = ({ db }, { member, params }) => getAlertRule(db, member, params.id, null)
const seenAlert: CheckRights = ({ db }, { member, params }) => requireSeenAlert(db, member, params.id)

export const alertDeliveryRoutes: Routes = (app, deps) => {
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

  app.post(
    '/alerts/:id/replay',
    op('replayAlert', {
      tag,
      summary: 'Send a failed alert again, under the same message id',
      params,
      data: Type.Array(Alert),
      errors: ['invalid_transition'],
      allow: seenAlert,
      extension,
    }),
    (req) => replayAlert(deps, req.member, req.params.id),
  )
}

import { Type } from 'typebox'
import { type CheckRights, op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { canReadSecrets } from '../../shared/member.ts'
import { createAlertRule, deleteAlertRule, mayCreateRule, readableRule, updateAlertRule } from './change.ts'
import { AlertRule, CreateAlertRule, UpdateAlertRule } from './schema.ts'
import { getAlertRule, listAlertRules } from './store.ts'

const tag = 'Settings'
const params = IdParams
const extension = true
const errors = ['unknown_member', 'unknown_signal', 'unknown_destination', 'url_not_allowed'] as const

/** A member's rules are theirs: those of others are not found. */
const ownRule: CheckRights = ({ db }, { member, params }) => getAlertRule(db, member, params.id, null)

export const alertRuleRoutes: Routes = (app, deps) => {
  const { db, secrets } = deps

  app.get(
    '/alert-rules',
    op('listAlertRules', {
      tag,
      summary: 'List your alert rules; for an admin those of all members',
      data: Type.Array(AlertRule),
      extension,
    }),
    (req) => listAlertRules(db, req.member, canReadSecrets(req.member) ? secrets : null),
  )

  app.post(
    '/alert-rules',
    op('createAlertRule', {
      tag,
      summary: 'Add an alert rule',
      description:
        'Which events reach whom, on which channel and when. A record reaches a person once for each channel, however many rules match it. Rules that reach other members or shared places are for admins.',
      body: CreateAlertRule,
      data: AlertRule,
      status: [201],
      errors: [...errors],
      allow: mayCreateRule,
      extension,
    }),
    async (req) => readableRule(req.member, await createAlertRule(deps, req.member, req.body)),
  )

  app.patch(
    '/alert-rules/:id',
    op('updateAlertRule', {
      tag,
      summary: 'Change an alert rule',
      params,
      body: UpdateAlertRule,
      data: AlertRule,
      errors: [...errors],
      allow: ownRule,
      extension,
    }),
    async (req) => readableRule(req.member, await updateAlertRule(deps, req.member, req.params.id, req.body)),
  )

  app.delete(
    '/alert-rules/:id',
    op('deleteAlertRule', { tag, summary: 'Delete an alert rule with its alerts', params, data: Deleted, extension }),
    async (req) => {
      await deleteAlertRule(deps, req.member, req.params.id)
      return deleted(req.params.id)
    },
  )
}

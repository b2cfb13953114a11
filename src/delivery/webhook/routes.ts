import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { PUSH_DESCRIPTION } from '../../resources/push-runs/schema.ts'
import { viewerOf } from '../../shared/member.ts'
import { wantsBackground } from '../in-background.ts'
import { pushToWebhook } from './push.ts'
import { PUSH_BODY_LIMIT, PushAccounts, Pushed, PushPeople } from './push-schema.ts'

const common = {
  description: PUSH_DESCRIPTION,
  data: Type.Unsafe<Pushed>(Pushed),
  status: [200, 202] as (200 | 202)[],
  errors: ['unknown_destination'] as 'unknown_destination'[],
  bodyLimit: PUSH_BODY_LIMIT,
}

export const webhookPushRoutes: Routes = (app, deps) => {
  app.post(
    '/accounts/webhook-push',
    op('pushAccountsToWebhook', {
      tag: 'Webhook export',
      summary: 'Push accounts to a destination',
      body: PushAccounts,
      ...common,
    }),
    async (req, reply) => {
      const { destination_id, account_ids } = req.body
      const inBackground = wantsBackground(req, reply)
      const viewer = viewerOf(req.member)
      const answer = await pushToWebhook(deps, viewer, 'accounts', destination_id, account_ids, inBackground)
      reply.code('run_id' in answer ? 202 : 200)
      return answer
    },
  )

  app.post(
    '/people/webhook-push',
    op('pushPeopleToWebhook', {
      tag: 'Webhook export',
      summary: 'Push people to a destination',
      body: PushPeople,
      ...common,
    }),
    async (req, reply) => {
      const { destination_id, contact_ids } = req.body
      const inBackground = wantsBackground(req, reply)
      const viewer = viewerOf(req.member)
      const answer = await pushToWebhook(deps, viewer, 'people', destination_id, contact_ids, inBackground)
      reply.code('run_id' in answer ? 202 : 200)
      return answer
    },
  )
}

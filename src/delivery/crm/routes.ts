import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { PUSH_DESCRIPTION } from '../../resources/push-runs/schema.ts'
import { viewerOf } from '../../shared/member.ts'
import { wantsBackground } from '../in-background.ts'
import { PUSH_BODY_LIMIT } from '../webhook/push-schema.ts'
import { pushToCrm } from './push.ts'
import { CrmPushAccounts, CrmPushedAccounts, CrmPushedPeople, CrmPushPeople } from './schema.ts'

const common = {
  description: PUSH_DESCRIPTION,
  status: [200, 202] as (200 | 202)[],
  errors: ['crm_not_connected'] as 'crm_not_connected'[],
  bodyLimit: PUSH_BODY_LIMIT,
}

export const crmPushRoutes: Routes = (app, deps) => {
  app.post(
    '/accounts/crm-push',
    op('pushAccountsToCrm', {
      tag: 'Accounts',
      summary: 'Push accounts to the connected CRMs',
      body: CrmPushAccounts,
      data: Type.Unsafe<object>(CrmPushedAccounts),
      ...common,
    }),
    async (req, reply) => {
      const { account_ids, provider } = req.body
      const answer = await pushToCrm(
        deps,
        viewerOf(req.member),
        'accounts',
        account_ids,
        provider,
        wantsBackground(req, reply),
      )
      if ('run_id' in answer) {
        reply.code(202)
        return answer
      }
      const { withoutIdentity: _, ...counts } = answer
      const results = answer.results.map(({ id, ...result }) => ({ accountId: id, ...result }))
      return { ...counts, results }
    },
  )

  app.post(
    '/people/crm-push',
    op('pushPeopleToCrm', {
      tag: 'People',
      summary: 'Push people to the connected CRMs, their companies first',
      body: CrmPushPeople,
      data: Type.Unsafe<object>(CrmPushedPeople),
      ...common,
    }),
    async (req, reply) => {
      const { contact_ids, provider } = req.body
      const answer = await pushToCrm(
        deps,
        viewerOf(req.member),
        'people',
        contact_ids,
        provider,
        wantsBackground(req, reply),
      )
      if ('run_id' in answer) {
        reply.code(202)
        return answer
      }
      const { withoutIdentity, ...counts } = answer
      const results = answer.results.map(({ id, ...result }) => ({ contactId: id, ...result }))
      return { ...counts, skippedNoEmail: withoutIdentity, results }
    },
  )
}

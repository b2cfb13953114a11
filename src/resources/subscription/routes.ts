import { op, type Routes } from '../../http/operation.ts'
import { viewerOf } from '../../shared/member.ts'
import { Subscription, UpdateSubscription, Usage, UsageHistory } from './schema.ts'
import { getSubscription } from './store.ts'
import { updateSubscription } from './update.ts'
import { readUsage, readUsageHistory } from './usage.ts'

const tag = 'Subscription'

export const subscriptionRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/subscription',
    op('getSubscription', {
      tag,
      summary: 'Read the plan and its current period',
      data: Subscription,
      extension: true,
    }),
    (req) => getSubscription(db, req.member.workspace_id),
  )

  app.put(
    '/subscription',
    op('updateSubscription', {
      tag,
      summary: 'Change the plan',
      body: UpdateSubscription,
      data: Subscription,
      admin: true,
      extension: true,
    }),
    (req) => updateSubscription(deps, req.member.workspace_id, req.body),
  )

  app.get(
    '/usage',
    op('getUsage', { tag, summary: 'Read the usage of the current period', data: Usage, extension: true }),
    (req) => readUsage(deps, viewerOf(req.member)),
  )

  app.get(
    '/usage/history',
    op('getUsageHistory', {
      tag,
      summary: 'Read the credits used by period, and by day in the current period',
      data: UsageHistory,
      extension: true,
    }),
    (req) => readUsageHistory(deps, req.member.workspace_id),
  )
}

import { op, type Routes } from '../http/operation.ts'
import { clampPage, IdParams, toPage } from '../http/schema.ts'
import { PushRun, PushRunsQuery } from '../resources/push-runs/schema.ts'
import { getPushRun, listPushRuns } from '../resources/push-runs/store.ts'
import { viewerOf } from '../shared/member.ts'
import { retryRun } from './channels/index.ts'

const tag = 'Webhook export'
const params = IdParams

export const pushRunRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/push-runs',
    op('listPushRuns', {
      tag,
      summary: 'List push runs, newest first',
      query: PushRunsQuery,
      page: PushRun,
      extension: true,
    }),
    async (req) => {
      const request = clampPage(req.query)
      const { rows, total } = await listPushRuns(db, viewerOf(req.member), request)
      return toPage(rows, total, request)
    },
  )

  app.get(
    '/push-runs/:id',
    op('getPushRun', { tag, summary: 'Read the progress of a push', params, data: PushRun }),
    (req) => getPushRun(db, viewerOf(req.member), req.params.id),
  )

  app.post(
    '/push-runs/:id/retry',
    op('retryPushRun', {
      tag,
      summary: 'Send the failed rows again',
      params,
      data: PushRun,
      errors: ['unknown_destination', 'crm_not_connected'],
      allow: (deps, { member, params }) => getPushRun(deps.db, viewerOf(member), params.id),
      extension: true,
    }),
    (req) => retryRun(deps, viewerOf(req.member), req.params.id),
  )
}

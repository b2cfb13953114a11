import { retryCrmRun } from '../../delivery/crm/push.ts'
import { retryRun } from '../../delivery/webhook/push.ts'
import { op, type Routes } from '../../http/operation.ts'
import { clampPage, IdParams, toPage } from '../../http/schema.ts'
import { viewerOf } from '../../member.ts'
import { PushRun, PushRunsQuery } from './schema.ts'
import { findWork, getRun, listRuns } from './store.ts'

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
      const { rows, total } = await listRuns(db, viewerOf(req.member), request)
      return toPage(rows, total, request)
    },
  )

  app.get(
    '/push-runs/:id',
    op('getPushRun', { tag, summary: 'Read the progress of a push', params, data: PushRun }),
    (req) => getRun(db, viewerOf(req.member), req.params.id),
  )

  app.post(
    '/push-runs/:id/retry',
    op('retryPushRun', {
      tag,
      summary: 'Send the failed rows again',
      params,
      data: PushRun,
      errors: ['unknown_destination', 'crm_not_connected'],
      extension: true,
    }),
    async (req) => {
      const { workspace_id } = req.member
      const viewer = viewerOf(req.member)
      const run = await getRun(db, viewer, req.params.id)
      const work = await findWork(db, workspace_id, run.id)
      if (work?.channel === 'crm') await retryCrmRun(deps, workspace_id, run.id, work.providers)
      else await retryRun(deps, workspace_id, run.id, work?.destination_id ?? null)
      return getRun(db, viewer, run.id)
    },
  )
}

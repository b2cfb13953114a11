import { op, type Routes } from '../../http/operation.ts'
import { clampPage, IdParams, toPage } from '../../http/schema.ts'
import {
  FullRun,
  Run,
  RunsQuery,
  StartedRun,
  StartRun,
  UnresolvedCompany,
  UnresolvedQuery,
} from '../../resources/runs/schema.ts'
import { getRun, listRuns } from '../../resources/runs/store.ts'
import { startDiscovery } from './discover.ts'
import { listUnresolved } from './unresolved-store.ts'

const tag = 'Runs'

export const runRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/runs',
    op('listRuns', { tag, summary: 'List runs, newest first', query: RunsQuery, page: Run }),
    async (req) => {
      const asked = clampPage(req.query)
      const { rows, count } = await listRuns(db, req.member.workspace_id, asked)
      return toPage(rows, count, asked)
    },
  )

  app.post(
    '/runs',
    op('startRun', {
      tag,
      summary: 'Start a discovery run for net-new accounts',
      description:
        'Researches companies of the imported universe, and companies for which news and filings report the signals. Those that match the rule become accounts with their detections: suggested, or new where no fact is known that the ICP can be matched with. In the modes monitor and both, active accounts are checked for the same signals.',
      body: StartRun,
      data: StartedRun,
      status: [202],
      errors: ['subscription_required', 'unknown_signal'],
    }),
    (req) => startDiscovery(deps, req.member.workspace_id, req.body),
  )

  app.get(
    '/runs/:id',
    op('getRun', { tag, summary: 'Read a run with its rule and its full stats', params: IdParams, data: FullRun }),
    (req) => getRun(db, req.member.workspace_id, req.params.id),
  )

  app.get(
    '/runs/:id/unresolved',
    op('listUnresolved', {
      tag,
      summary: 'List the companies of a run without a known website, with what was tried',
      params: IdParams,
      query: UnresolvedQuery,
      page: UnresolvedCompany,
      extension: true,
    }),
    async (req) => {
      const asked = clampPage(req.query)
      const { rows, count } = await listUnresolved(db, req.member.workspace_id, req.params.id, asked)
      return toPage(rows, count, asked)
    },
  )
}

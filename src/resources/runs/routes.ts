import { op, type Routes } from '../../http/operation.ts'
import { clampPage, IdParams, toPage } from '../../http/schema.ts'
import { FullRun, Run, RunsQuery } from './schema.ts'
import { getRun, listRuns } from './store.ts'

const tag = 'Runs'

export const runRoutes: Routes = (app, { db }) => {
  app.get(
    '/runs',
    op('listRuns', { tag, summary: 'List runs, newest first', query: RunsQuery, page: Run }),
    async (req) => {
      const asked = { ...req.query, ...clampPage(req.query) }
      const { rows, count } = await listRuns(db, req.member.workspace_id, asked)
      return toPage(rows, count, asked)
    },
  )

  app.get(
    '/runs/:id',
    op('getRun', { tag, summary: 'Read a run with its rule and its full stats', params: IdParams, data: FullRun }),
    (req) => getRun(db, req.member.workspace_id, req.params.id),
  )
}

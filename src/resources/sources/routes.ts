import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { listSources } from './list.ts'
import { Source } from './schema.ts'

export const sourceRoutes: Routes = (app, deps) => {
  app.get(
    '/sources',
    op('listSources', {
      tag: 'Integrations',
      summary: 'List all sources of research with their state',
      data: Type.Array(Source),
      extension: true,
    }),
    (req) => listSources(deps, req.member.workspace_id),
  )
}

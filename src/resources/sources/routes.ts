import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { listSources } from './list.ts'
import { Source } from './schema.ts'

export const sourceRoutes: Routes = (app, deps) => {
  app.get(
    '/sources',
    op('listSources', {
      tag: 'Integrations',
      summary: 'List every source of research, with how it fares',
      data: Type.Array(Source),
      extension: true,
    }),
    (req) => listSources(deps, req.member.workspace_id),
  )
}

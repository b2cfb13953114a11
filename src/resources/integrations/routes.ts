import { op, type Routes } from '../../http/operation.ts'
import { reportIntegrations } from './report.ts'
import { Integrations } from './schema.ts'

export const integrationRoutes: Routes = (app, deps) => {
  app.get(
    '/integrations',
    op('getIntegrations', { tag: 'Integrations', summary: 'Read what is connected', data: Integrations }),
    (req) => reportIntegrations(deps, req.member.workspace_id),
  )
}

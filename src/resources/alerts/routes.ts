import { op, type Routes } from '../../http/operation.ts'
import { clampPage, toPage } from '../../http/schema.ts'
import { Alert, AlertsQuery } from './schema.ts'
import { listAlerts } from './store.ts'

export const alertRoutes: Routes = (app, { db }) => {
  app.get(
    '/alerts',
    op('listAlerts', {
      tag: 'Settings',
      summary: 'List the alerts of the last 90 days, newest first',
      query: AlertsQuery,
      page: Alert,
      extension: true,
    }),
    async (req) => {
      const request = clampPage(req.query)
      const { rows, total } = await listAlerts(db, req.member, request)
      return toPage(rows, total, request)
    },
  )
}

import { op, type Routes } from '../http/operation.ts'
import { Deleted, deleted, IdParams } from '../http/schema.ts'
import { canReadSecrets, viewerOf } from '../shared/member.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './export.ts'
import { ExportQuery, PersonExport } from './export-schema.ts'

const tag = 'People'
const params = IdParams

/** Requests of data subjects: access and erasure. */
export const privacyRoutes: Routes = (app, deps) => {
  app.delete(
    '/people/:id',
    op('erasePerson', {
      tag,
      summary: 'Erase a person permanently',
      params,
      data: Deleted,
      extension: true,
    }),
    async (req) => {
      await erasePerson(deps, viewerOf(req.member), req.params.id)
      return deleted(req.params.id)
    },
  )

  app.get(
    '/people/:id/export',
    op('exportPerson', {
      tag,
      summary: 'Export everything that is stored about a person',
      params,
      query: ExportQuery,
      data: PersonExport,
      audited: true,
      extension: true,
    }),
    async (req) => {
      const held = await exportPerson(deps, viewerOf(req.member), req.params.id, req.query.page)
      if (canReadSecrets(req.member)) return held
      // The response of a receiver may contain the token of its URL.
      return { ...held, deliveries: held.deliveries.map((one) => ({ ...one, answer: null })) }
    },
  )
}

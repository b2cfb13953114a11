import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { Deleted, deleted, IdParams } from '../../http/schema.ts'
import { canReadSecrets } from '../../shared/member.ts'
import { createDestination, rotateSecret } from './create.ts'
import * as schema from './schema.ts'
import { deleteDestination, listDestinations } from './store.ts'

const tag = 'Webhook export'
const params = IdParams
const extension = true

export const webhookDestinationRoutes: Routes = (app, deps) => {
  const { db, secrets } = deps

  app.get(
    '/webhook-destinations',
    op('listWebhookDestinations', { tag, summary: 'List the destinations', data: Type.Array(schema.Destination) }),
    (req) => listDestinations(db, req.member.workspace_id, canReadSecrets(req.member) ? secrets : null),
  )

  app.post(
    '/webhook-destinations',
    op('createWebhookDestination', {
      admin: true,
      tag,
      summary: 'Add a destination',
      body: schema.CreateDestination,
      data: schema.Destination,
      status: [201],
      errors: ['name_taken', 'url_not_allowed'],
    }),
    (req) => createDestination(deps, req.member.workspace_id, req.body),
  )

  app.delete(
    '/webhook-destinations/:id',
    op('deleteWebhookDestination', {
      admin: true,
      tag,
      summary: 'Delete a destination; its running pushes end',
      params,
      data: Deleted,
      errors: ['invalid_transition'],
    }),
    async (req) => {
      await deleteDestination(db, req.member.workspace_id, req.params.id)
      return deleted(req.params.id)
    },
  )

  app.post(
    '/webhook-destinations/:id/rotate-secret',
    op('rotateWebhookSecret', {
      admin: true,
      tag,
      summary: 'Replace the signing secret; both sign for a while',
      params,
      body: schema.RotateSecret,
      data: schema.Destination,
      extension,
    }),
    (req) => rotateSecret(deps, req.member.workspace_id, req.params.id, req.body.overlap_hours),
  )
}

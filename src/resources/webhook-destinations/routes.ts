import { Type } from 'typebox'
import { testDestination } from '../../delivery/webhook/test-delivery.ts'
import { notFound } from '../../errors.ts'
import { op, type Routes } from '../../http/operation.ts'
import { clampPage, Deleted, deleted, IdParams, toPage } from '../../http/schema.ts'
import { readsSecrets, viewerOf } from '../../member.ts'
import { createDestination, rotateSecret } from './create.ts'
import * as schema from './schema.ts'
import { countDeliveries, deleteDestination, findTarget, listDeliveries, listDestinations } from './store.ts'

const tag = 'Webhook export'
const params = IdParams
const extension = true

export const webhookDestinationRoutes: Routes = (app, deps) => {
  const { db, secrets } = deps

  app.get(
    '/webhook-destinations',
    op('listWebhookDestinations', { tag, summary: 'List the destinations', data: Type.Array(schema.Destination) }),
    (req) => listDestinations(db, req.member.workspace_id, readsSecrets(req.member) ? secrets : null),
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

  app.post(
    '/webhook-destinations/:id/test',
    op('testWebhookDestination', {
      shared: true,
      tag,
      summary: 'Send a sample',
      params,
      data: schema.TestDelivery,
      extension,
    }),
    (req) => testDestination(deps, req.member.workspace_id, req.params.id),
  )

  app.get(
    '/webhook-destinations/:id/deliveries',
    op('listDeliveries', {
      tag,
      summary: 'List the attempts of the last 30 days, newest first',
      params,
      query: schema.DeliveriesQuery,
      page: schema.Delivery,
      extension,
    }),
    async (req) => {
      const viewer = viewerOf(req.member)
      const { id } = req.params
      const request = clampPage(req.query)
      if (!(await findTarget(db, viewer.workspace_id, id, secrets))) throw notFound('destination')
      const [rows, total] = await Promise.all([
        listDeliveries(db, viewer, id, request),
        countDeliveries(db, viewer, id),
      ])
      // A receiver may answer with what it was called with, and so with the token in its URL.
      const shown = readsSecrets(req.member) ? rows : rows.map((row) => ({ ...row, answer: null }))
      return toPage(shown, total, request)
    },
  )
}

import { type Static, Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { clampPage, IdParams, toPage } from '../../http/schema.ts'
import { PushRun } from '../../resources/push-runs/schema.ts'
import { getDelivery, listDeliveries } from '../../resources/webhook-destinations/delivery-store.ts'
import * as schema from '../../resources/webhook-destinations/schema.ts'
import { getDestination } from '../../resources/webhook-destinations/store.ts'
import { canReadSecrets, type Member, viewerOf } from '../../shared/member.ts'
import { replayDelivery, replayFailed } from './replay.ts'
import { describeDelivery } from './sent.ts'
import { testDestination } from './test-delivery.ts'

const tag = 'Webhook export'
const params = IdParams
const extension = true

/** Samples, replays and the requests of single deliveries. */
export const deliveryRoutes: Routes = (app, deps) => {
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
      const request = clampPage(req.query)
      await getDestination(deps.db, viewer.workspace_id, req.params.id)
      const { rows, total } = await listDeliveries(deps.db, viewer, req.params.id, request)
      return toPage(rows.map(shownTo(req.member)), total, request)
    },
  )

  app.get(
    '/webhook-destinations/:id/deliveries/:delivery_id',
    op('getDelivery', {
      tag,
      summary: 'Read one attempt with its request',
      params: schema.DeliveryParams,
      data: schema.DeliveryDetail,
      extension,
    }),
    async (req) => {
      const { id, delivery_id } = req.params
      return shownTo(req.member)(await describeDelivery(deps, viewerOf(req.member), id, delivery_id))
    },
  )

  app.post(
    '/webhook-destinations/:id/deliveries/:delivery_id/replay',
    op('replayDelivery', {
      tag,
      summary: 'Send the record of a delivery again, as it is now',
      description:
        'A push of one record: it answers when the receiver has it or refuses it (200), or when that takes too long, with the run still running (202).',
      params: schema.DeliveryParams,
      data: PushRun,
      status: [200, 202],
      errors: ['invalid_transition'],
      allow: (deps, { member, params }) => {
        // Validated by then, against the schema above.
        const { id, delivery_id } = params as Static<typeof schema.DeliveryParams>
        return getDelivery(deps.db, viewerOf(member), id, delivery_id)
      },
      extension,
    }),
    async (req, reply) => {
      const run = await replayDelivery(deps, viewerOf(req.member), req.params.id, req.params.delivery_id)
      reply.code(run.status === 'running' ? 202 : 200)
      return run
    },
  )

  app.post(
    '/webhook-destinations/:id/replay-failed',
    op('replayFailedDeliveries', {
      tag,
      summary: 'Send every record again whose last attempt failed',
      description: 'Answers the runs in which they are sent: one of accounts, one of people, or none.',
      params,
      data: Type.Array(PushRun),
      status: [202],
      extension,
    }),
    (req) => replayFailed(deps, viewerOf(req.member), req.params.id),
  )
}

/** A receiver may answer with what it was called with, and so with the token in its URL. */
function shownTo(member: Member) {
  return <T extends { answer: string | null }>(delivery: T): T =>
    canReadSecrets(member) ? delivery : { ...delivery, answer: null }
}

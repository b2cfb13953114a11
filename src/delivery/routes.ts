import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { idOfWork } from '../http/idempotency.ts'
import { type CheckRights, op, type Routes } from '../http/operation.ts'
import { clampPage, IdParams, toPage } from '../http/schema.ts'
import { Alert } from '../resources/alerts/schema.ts'
import { requireSeenAlert } from '../resources/alerts/store.ts'
import { PUSH_DESCRIPTION, PushRun, PushRunsQuery } from '../resources/push-runs/schema.ts'
import { getPushRun, listPushRuns } from '../resources/push-runs/store.ts'
import { getDelivery, listDeliveries } from '../resources/webhook-destinations/delivery-store.ts'
import * as schema from '../resources/webhook-destinations/schema.ts'
import { getDestination } from '../resources/webhook-destinations/store.ts'
import { canReadSecrets, type Member, viewerOf } from '../shared/member.ts'
import { CrmPushAccounts, CrmPushedAccounts, CrmPushedPeople, CrmPushPeople } from './crm/schema.ts'
import { type PushOptions, pushToCrm, pushToWebhook } from './push.ts'
import { replayAlert, replayDelivery, replayFailedRecords, retryPushRun } from './replay.ts'
import { describeDelivery } from './webhook/describe-delivery.ts'
import { PUSH_BODY_LIMIT, PushAccounts, Pushed, PushPeople } from './webhook/push-schema.ts'
import { sendTestDelivery } from './webhook/test-delivery.ts'

const tag = 'Webhook export'
const params = IdParams
const extension = true

/** The statuses of a push: 200 with the result, or 202 with the run in the background. */
const pushed = {
  description: PUSH_DESCRIPTION,
  status: [200, 202] as (200 | 202)[],
  bodyLimit: PUSH_BODY_LIMIT,
}

const toWebhook = {
  ...pushed,
  tag,
  data: Type.Unsafe<Pushed>(Pushed),
  errors: ['unknown_destination'] as 'unknown_destination'[],
}

const toCrm = { ...pushed, errors: ['crm_not_connected'] as 'crm_not_connected'[] }

/**
 * Whether the caller requests a push in the background: with `Prefer: respond-async` (RFC 7240), which the response then
 * confirms, or with `retry: true` in the body.
 */
function wantsBackground(
  { headers, body }: Pick<FastifyRequest, 'headers'> & { body: { retry?: boolean } },
  reply: FastifyReply,
): boolean {
  const preferences = [headers.prefer ?? []].flat().flatMap((line) => line.split(','))
  const prefersAsync = preferences.some((one) => /^\s*respond-async\s*(;|$)/i.test(one))
  if (prefersAsync) reply.header('preference-applied', 'respond-async')
  return prefersAsync || body.retry === true
}

function pushOptions(req: FastifyRequest & Parameters<typeof wantsBackground>[0], reply: FastifyReply): PushOptions {
  return { inBackground: wantsBackground(req, reply), memberId: req.member.id, runId: idOfWork(req) }
}

export const webhookPushRoutes: Routes = (app, deps) => {
  app.post(
    '/accounts/webhook-push',
    op('pushAccountsToWebhook', {
      summary: 'Push accounts to a destination',
      body: PushAccounts,
      ...toWebhook,
      recorded: { destination_id: 'value', account_ids: 'ids', run_id: 'value' },
    }),
    async (req, reply) => {
      const { destination_id, account_ids } = req.body
      const options = pushOptions(req, reply)
      const viewer = viewerOf(req.member)
      const result = await pushToWebhook(deps, viewer, 'accounts', destination_id, account_ids, options)
      reply.code('run_id' in result ? 202 : 200)
      return result
    },
  )

  app.post(
    '/people/webhook-push',
    op('pushPeopleToWebhook', {
      summary: 'Push people to a destination',
      body: PushPeople,
      ...toWebhook,
      recorded: { destination_id: 'value', contact_ids: 'count', run_id: 'value' },
    }),
    async (req, reply) => {
      const { destination_id, contact_ids } = req.body
      const options = pushOptions(req, reply)
      const viewer = viewerOf(req.member)
      const result = await pushToWebhook(deps, viewer, 'people', destination_id, contact_ids, options)
      reply.code('run_id' in result ? 202 : 200)
      return result
    },
  )
}

export const crmPushRoutes: Routes = (app, deps) => {
  app.post(
    '/accounts/crm-push',
    op('pushAccountsToCrm', {
      tag: 'Accounts',
      summary: 'Push accounts to the connected CRMs',
      body: CrmPushAccounts,
      data: Type.Unsafe<object>(CrmPushedAccounts),
      ...toCrm,
      recorded: { provider: 'value', providers: 'value', account_ids: 'ids', run_id: 'value' },
    }),
    async (req, reply) => {
      const { account_ids, provider } = req.body
      const result = await pushToCrm(
        deps,
        viewerOf(req.member),
        'accounts',
        account_ids,
        provider,
        pushOptions(req, reply),
      )
      if ('run_id' in result) {
        reply.code(202)
        return result
      }
      const { withoutIdentity: _, ...counts } = result
      const results = result.results.map(({ id, ...rest }) => ({ accountId: id, ...rest }))
      return { ...counts, results }
    },
  )

  app.post(
    '/people/crm-push',
    op('pushPeopleToCrm', {
      tag: 'People',
      summary: 'Push people to the connected CRMs, their companies first',
      body: CrmPushPeople,
      data: Type.Unsafe<object>(CrmPushedPeople),
      ...toCrm,
      recorded: { provider: 'value', providers: 'value', contact_ids: 'count', run_id: 'value' },
    }),
    async (req, reply) => {
      const { contact_ids, provider } = req.body
      const result = await pushToCrm(
        deps,
        viewerOf(req.member),
        'people',
        contact_ids,
        provider,
        pushOptions(req, reply),
      )
      if ('run_id' in result) {
        reply.code(202)
        return result
      }
      const { withoutIdentity, ...counts } = result
      const results = result.results.map(({ id, ...rest }) => ({ contactId: id, ...rest }))
      return { ...counts, skippedNoEmail: withoutIdentity, results }
    },
  )
}

export const pushRunRoutes: Routes = (app, deps) => {
  const { db } = deps

  app.get(
    '/push-runs',
    op('listPushRuns', {
      tag,
      summary: 'List push runs, newest first',
      query: PushRunsQuery,
      page: PushRun,
      extension,
    }),
    async (req) => {
      const request = clampPage(req.query)
      const { rows, total } = await listPushRuns(db, viewerOf(req.member), request)
      return toPage(rows, total, request)
    },
  )

  app.get(
    '/push-runs/:id',
    op('getPushRun', { tag, summary: 'Read the progress of a push', params, data: PushRun }),
    (req) => getPushRun(db, viewerOf(req.member), req.params.id),
  )

  app.post(
    '/push-runs/:id/retry',
    op('retryPushRun', {
      tag,
      summary: 'Send the failed rows again',
      params,
      data: PushRun,
      errors: ['unknown_destination', 'crm_not_connected'],
      allow: (deps, { member, params }) => getPushRun(deps.db, viewerOf(member), params.id),
      extension,
    }),
    (req) => retryPushRun(deps, viewerOf(req.member), req.params.id),
  )
}

/** Tests of destinations, the delivery log and replays. */
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
    (req) => sendTestDelivery(deps, req.member.workspace_id, req.params.id),
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
      return toPage(rows.map(withoutSecrets(req.member)), total, request)
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
      return withoutSecrets(req.member)(await describeDelivery(deps, viewerOf(req.member), id, delivery_id))
    },
  )

  app.post(
    '/webhook-destinations/:id/deliveries/:delivery_id/replay',
    op('replayDelivery', {
      tag,
      summary: 'Send the record of a delivery again, as it is now',
      description:
        'A push of one record: the response follows when the receiver has accepted or refused it (200), or with the run still running when that takes too long (202).',
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
      description: 'Returns the runs that send them: one of accounts, one of people, or none.',
      params,
      data: Type.Array(PushRun),
      status: [202],
      extension,
    }),
    (req) => replayFailedRecords(deps, viewerOf(req.member), req.params.id),
  )
}

/** A response body may contain the URL of the receiver with its token, so only members who read secrets see it. */
function withoutSecrets(member: Member) {
  return <T extends { answer: string | null }>(delivery: T): T =>
    canReadSecrets(member) ? delivery : { ...delivery, answer: null }
}

const seenAlert: CheckRights = ({ db }, { member, params }) => requireSeenAlert(db, member, params.id)

export const alertReplayRoutes: Routes = (app, deps) => {
  app.post(
    '/alerts/:id/replay',
    op('replayAlert', {
      tag: 'Settings',
      summary: 'Send a failed alert again, under the same message id',
      params,
      data: Type.Array(Alert),
      errors: ['invalid_transition'],
      allow: seenAlert,
      extension,
    }),
    (req) => replayAlert(deps, req.member, req.params.id),
  )
}

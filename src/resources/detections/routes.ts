import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { sendPage } from '../../http/page.ts'
import { clampPage, IdParams } from '../../http/schema.ts'
import { readEvidence } from './evidence.ts'
import { listFeed } from './feed-store.ts'
import { readAccountSignals } from './of-account.ts'
import * as schema from './schema.ts'
import { readWeeks } from './weeks.ts'

const tag = 'Detections'
const params = schema.DetectionParams
const extension = true

export const detectionRoutes: Routes = (app, deps) => {
  const { db, lists } = deps

  app.get(
    '/detections',
    op('listDetections', {
      tag,
      summary: 'List the findings over all accounts, what was found last first',
      description:
        'What is marked wrong is left out, and so is what was found at accounts that are rejected or unqualified or by signals that are switched off, unless `status` or `signal_id` asks for it.',
      query: schema.FeedQuery,
      page: schema.FeedEntry,
      etag: true,
      extension,
    }),
    (req, reply) =>
      sendPage(req, reply, lists, (reader) => listFeed(db, req.member.workspace_id, clampPage(req.query), reader)),
  )

  app.get(
    '/detections/by-week',
    op('countDetectionsByWeek', {
      tag,
      summary: 'Count the findings by week and signal',
      description: 'By the day of the event. A week without a finding of a signal has no row.',
      query: schema.WeeksQuery,
      data: Type.Array(schema.Week),
      extension,
    }),
    (req) => readWeeks(deps, req.member.workspace_id, req.query),
  )

  app.get(
    '/accounts/:id/signals',
    op('listAccountSignals', {
      tag: 'Accounts',
      summary: 'List the signal detections, the latest events first',
      description:
        'What happened, the latest event first, then the signals that were looked for and not found. What a member called wrong is left out; `wrong=true` lists it alone.',
      params: IdParams,
      query: schema.SignalsQuery,
      data: Type.Array(schema.Detection),
    }),
    (req) => readAccountSignals(db, req.member.workspace_id, req.params.id, req.query),
  )

  app.get(
    '/accounts/:id/signals/:detection_id/evidence',
    op('readEvidence', {
      tag,
      summary: 'Show the proofs of a finding where they stand in what was read',
      params,
      data: Type.Array(schema.EvidencePassage),
      extension,
    }),
    (req) => readEvidence(db, req.member.workspace_id, req.params.id, req.params.detection_id),
  )
}

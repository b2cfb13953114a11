import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { sendPage } from '../../http/page.ts'
import { clampPage, IdParams } from '../../http/schema.ts'
import { viewerOf } from '../../shared/member.ts'
import { listFeed } from './feed-store.ts'
import { readAccountSignals, readEvidence, readWeeks } from './read.ts'
import * as schema from './schema.ts'

const tag = 'Detections'
const params = schema.DetectionParams
const extension = true

export const detectionRoutes: Routes = (app, deps) => {
  const { db, lists } = deps

  app.get(
    '/detections',
    op('listDetections', {
      tag,
      summary: 'List the detections over all accounts, the latest first',
      description:
        'Without detections marked as wrong, and without those of rejected or unqualified accounts and of disabled signals, unless `status` or `signal_id` selects them.',
      query: schema.FeedQuery,
      page: schema.FeedEntry,
      etag: true,
      extension,
    }),
    (req, reply) =>
      sendPage(req, reply, lists, (reader) => listFeed(db, viewerOf(req.member), clampPage(req.query), reader)),
  )

  app.get(
    '/detections/by-week',
    op('countDetectionsByWeek', {
      tag,
      summary: 'Count the detections by week and signal',
      description: 'By the day of the event. A week without a detection of a signal has no row.',
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
        'Events, the latest first, then absent signals. Detections marked as wrong are left out; `wrong=true` lists only these.',
      params: IdParams,
      query: schema.SignalsQuery,
      data: Type.Array(schema.Detection),
    }),
    (req) => readAccountSignals(db, viewerOf(req.member), req.params.id, req.query),
  )

  app.get(
    '/accounts/:id/signals/:detection_id/evidence',
    op('readEvidence', {
      tag,
      summary: 'Show the proofs of a detection in the context of their documents',
      params,
      data: Type.Array(schema.EvidencePassage),
      extension,
    }),
    (req) => readEvidence(db, req.member.workspace_id, req.params.id, req.params.detection_id),
  )
}

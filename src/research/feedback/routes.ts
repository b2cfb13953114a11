import { op, type Routes } from '../../http/operation.ts'
import { Nullable } from '../../http/schema.ts'
import * as schema from '../../resources/detections/schema.ts'
import { giveFeedback } from './feedback.ts'

export const feedbackRoutes: Routes = (app, deps) => {
  app.put(
    '/accounts/:id/signals/:detection_id/feedback',
    op('giveFeedback', {
      tag: 'Detections',
      summary: 'Say that a finding is right or wrong, or take that back',
      description:
        'What is wrong is hidden from lists, pushes, alerts and scores, and the same event told by another page does not bring it back. `GET /accounts/{id}/signals?wrong=true` shows it.',
      params: schema.DetectionParams,
      body: schema.GiveFeedback,
      data: Nullable(schema.Feedback),
      extension: true,
    }),
    (req) => giveFeedback(deps, req.member, req.params.id, req.params.detection_id, req.body),
  )
}

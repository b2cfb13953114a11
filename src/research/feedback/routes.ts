import { op, type Routes } from '../../http/operation.ts'
import { Nullable } from '../../http/schema.ts'
import * as schema from '../../resources/detections/schema.ts'
import { giveFeedback } from './feedback.ts'

export const feedbackRoutes: Routes = (app, deps) => {
  app.put(
    '/accounts/:id/signals/:detection_id/feedback',
    op('giveFeedback', {
      tag: 'Detections',
      summary: 'Mark a detection as right or wrong, or remove the mark',
      description:
        'A wrong detection is hidden from lists, pushes, alerts and scores, also when another page reports the same event. `GET /accounts/{id}/signals?wrong=true` lists it.',
      params: schema.DetectionParams,
      body: schema.GiveFeedback,
      data: Nullable(schema.Feedback),
      extension: true,
    }),
    (req) => giveFeedback(deps, req.member, req.params.id, req.params.detection_id, req.body),
  )
}

import { op, type Routes } from '../../http/operation.ts'
import { ownAccount } from '../accounts/own.ts'
import { Detection, DetectionParams, EditDraft } from '../detections/schema.ts'
import { editDraft, resetDraft } from './edit.ts'

const declared = {
  allow: ownAccount,
  tag: 'Detections',
  params: DetectionParams,
  data: Detection,
  extension: true,
}

export const draftRoutes: Routes = (app, deps) => {
  app.put(
    '/accounts/:id/signals/:detection_id/draft',
    op('editDraft', {
      ...declared,
      summary: 'Store your version of a draft',
      description:
        'It is not redrafted any more. Your greeting, sign-off and length are learned for later drafts of your accounts.',
      body: EditDraft,
    }),
    (req) => editDraft(deps, req.member, req.params.id, req.params.detection_id, req.body),
  )

  app.delete(
    '/accounts/:id/signals/:detection_id/draft',
    op('resetDraft', { ...declared, summary: 'Return to a composed draft' }),
    (req) => resetDraft(deps, req.member, req.params.id, req.params.detection_id),
  )
}

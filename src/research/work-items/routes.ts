import { Type } from 'typebox'
import { op, type Routes } from '../../http/operation.ts'
import { IdParams, Nullable } from '../../http/schema.ts'
import { ownAccount } from '../../resources/accounts/own.ts'
import { CloseWorkItem, LogActivity, SnoozeWorkItem, WorkItem } from '../../resources/work-items/schema.ts'
import { closeWorkItem, logActivity, reopenWorkItem, snoozeWorkItem } from './change.ts'
import { pushWorkItem } from './push.ts'
import { PushedWorkItem, PushWorkItem } from './schema.ts'

const tag = 'Work items'
const params = IdParams
const data = WorkItem
const errors = ['invalid_transition'] as ['invalid_transition']
const extension = true

export const workItemChangeRoutes: Routes = (app, deps) => {
  app.post(
    '/work-items/:id/done',
    op('closeWorkItem', {
      ...{ tag, params, data, errors, extension },
      summary: 'Mark a work item as done',
      body: CloseWorkItem,
    }),
    (req) => closeWorkItem(deps, req.member, req.params.id, req.body),
  )

  app.post(
    '/work-items/:id/snooze',
    op('snoozeWorkItem', {
      ...{ tag, params, data, errors, extension },
      summary: 'Snooze a work item until a day',
      description: 'A later event opens it again at once.',
      body: SnoozeWorkItem,
    }),
    (req) => snoozeWorkItem(deps, req.member, req.params.id, req.body),
  )

  app.post(
    '/work-items/:id/reopen',
    op('reopenWorkItem', {
      ...{ tag, params, data, errors, extension },
      summary: 'Open a snoozed or done work item again',
      description: 'Undoes the last change; findings that were marked wrong with it are shown again.',
    }),
    (req) => reopenWorkItem(deps, req.member, req.params.id),
  )

  app.post(
    '/work-items/:id/push',
    op('pushWorkItem', {
      ...{ tag, params, extension },
      summary: 'Push a work item to the connected CRMs',
      description:
        'The company and the person, a note with evidence and draft, and a task due today. Closes the item when every CRM has them. Pushing again writes nothing twice.',
      body: PushWorkItem,
      data: PushedWorkItem,
      errors: ['crm_not_connected', 'invalid_transition'],
    }),
    (req) => pushWorkItem(deps, req.member, req.params.id, req.body.provider),
  )

  app.post(
    '/accounts/:id/activities',
    op('logActivity', {
      ...{ tag, params, extension },
      summary: 'Log a copied draft, an email, a call, a reply or a note',
      description: 'A copied or mailed draft and a call close the open work item of the account as contacted.',
      body: LogActivity,
      data: Type.Object(
        { work_item_id: Nullable(Type.String({ description: 'The work item that was closed' })) },
        { examples: [{ work_item_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9dc0' }] },
      ),
      status: [201],
      allow: ownAccount,
    }),
    (req) => logActivity(deps, req.member, req.params.id, req.body),
  )
}

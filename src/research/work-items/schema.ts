import { Type } from 'typebox'
import { Body, exampleOf, Nullable, OneOf, Rec } from '../../http/schema.ts'
import { CRM_PROVIDERS } from '../../providers/crm/registry.ts'
import { WorkItem } from '../../resources/work-items/schema.ts'

export const PushWorkItem = Body(
  'PushWorkItem',
  { provider: Type.Optional(OneOf(CRM_PROVIDERS, { description: 'Which CRM; every connected one when absent' })) },
  {},
)

export const PushedWorkItem = Rec(
  'PushedWorkItem',
  {
    work_item: WorkItem,
    results: Type.Array(
      Type.Object({
        provider: OneOf(CRM_PROVIDERS),
        ok: Type.Boolean({ description: 'The company, the note and the task are in the CRM' }),
        created: Type.Boolean({ description: 'false: the note and the task were there already' }),
        error: Nullable(Type.String({ description: 'Why it failed, in a sentence' })),
        notice: Nullable(Type.String({ description: 'What was left out, in a sentence' })),
      }),
    ),
  },
  {
    work_item: exampleOf(WorkItem),
    results: [{ provider: CRM_PROVIDERS[0], ok: true, created: true, error: null, notice: null }],
  },
)

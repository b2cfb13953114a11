import { type TProperties, Type } from 'typebox'
import { Body, Nullable, OneOf } from '../../http/schema.ts'
import { CRM_PROVIDERS, CRM_VENDORS } from '../../providers/crm/registry.ts'
import { PushStarted, retryInBackground, skippedRecords } from '../../resources/push-runs/schema.ts'

const ids = Type.Array(Type.String())
const crm = OneOf(CRM_PROVIDERS)
const [{ id: exampleProvider }] = CRM_VENDORS
const provider = Type.Optional(OneOf(CRM_PROVIDERS, { description: 'Which CRM; every connected one when absent' }))

export const CrmPushAccounts = Body(
  'CrmPushAccounts',
  { account_ids: ids, provider, retry: retryInBackground },
  { account_ids: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'] },
)

export const CrmPushPeople = Body(
  'CrmPushPeople',
  { contact_ids: ids, provider, retry: retryInBackground },
  { contact_ids: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90'], provider: exampleProvider },
)

const result = {
  provider: crm,
  ok: Type.Boolean(),
  created: Type.Boolean({ description: 'false: the record existed and was updated' }),
  error: Nullable(Type.String({ description: 'Why the push failed, in a sentence' })),
}

const skipped = Type.Integer({
  description: 'Records that were not pushed; `skipped_records` names the reason of each',
})

function pushedSchema(title: string, counts: TProperties, id: 'accountId' | 'contactId', example: object) {
  const pushed = {
    pushed: Type.Integer({ description: 'Records that every CRM accepted' }),
    failed: Type.Integer({ description: 'Records that a CRM did not accept within the call' }),
    ...counts,
    providers: Type.Array(crm),
    results: Type.Array(Type.Object({ [id]: Type.String(), ...result }), {
      description: 'One for each record that was not skipped, and CRM',
    }),
    skipped_records: skippedRecords,
  }
  return { anyOf: [Type.Object(pushed, { title }), PushStarted], examples: [example] }
}

const outcome = { provider: exampleProvider, ok: true, created: true, error: null }

/** Up to 100 records are pushed while the caller waits; more, or on request, are a run to poll. */
export const CrmPushedAccounts = pushedSchema('CrmPushedAccounts', { skipped }, 'accountId', {
  pushed: 1,
  failed: 0,
  skipped: 0,
  providers: [exampleProvider],
  results: [{ accountId: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', ...outcome }],
  skipped_records: [],
})

export const CrmPushedPeople = pushedSchema(
  'CrmPushedPeople',
  {
    skippedNoEmail: Type.Integer({
      description: 'Skipped people with neither an email nor a profile page',
    }),
    skipped,
  },
  'contactId',
  {
    pushed: 1,
    failed: 0,
    skippedNoEmail: 0,
    skipped: 0,
    providers: [exampleProvider],
    results: [{ contactId: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90', ...outcome }],
    skipped_records: [],
  },
)

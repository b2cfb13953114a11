import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec } from '../../http/schema.ts'
import { CRM_PROVIDERS, CRM_VENDORS } from '../../providers/crm/registry.ts'

export type MappedObject = 'companies' | 'contacts'

const [{ id: exampleProvider }] = CRM_VENDORS
const provider = OneOf(CRM_PROVIDERS)
const type = OneOf(['text', 'number', 'date'])
const length = Nullable(Type.Integer({ description: 'Characters; null: no limit that matters' }))

const MappedFields = Type.Object({
  fields: Type.Array(
    Type.Object({
      field: Type.String({ description: 'The field of the service' }),
      type,
      max_length: length,
      target: Nullable(Type.String({ description: 'The field of the CRM it is written to; null: not written' })),
      default_target: Nullable(Type.String()),
      is_fixed: Type.Boolean({ description: 'It cannot be changed, because records are found by it' }),
      is_missing: Type.Boolean({
        description: 'The CRM no longer has the target, so the field is not written until another one is chosen',
      }),
      is_shared_by_default: Type.Boolean({ description: 'People fill the default target too' }),
      is_shared: Type.Boolean({
        description:
          'People fill the target too: it is written when it is empty or has the value the service wrote. false: only the service fills it',
      }),
    }),
  ),
  available: Type.Array(
    Type.Object({ name: Type.String(), label: Type.String(), type, max_length: length }, { description: 'By label' }),
    { description: 'Fields of the CRM that can be written' },
  ),
})

const score = {
  ...{ field: 'score', type: 'number', max_length: null, target: 'lead_score', default_target: 'bellwether_score' },
  ...{ is_fixed: false, is_missing: false, is_shared_by_default: false, is_shared: true },
}
const title = {
  ...{ field: 'title', type: 'text', max_length: null, target: 'jobtitle', default_target: 'jobtitle' },
  ...{ is_fixed: false, is_missing: false, is_shared_by_default: true, is_shared: true },
}

/** Also the answer to a change, whose body has less of it. */
export const mappingExample = {
  provider: exampleProvider,
  companies: {
    fields: [score],
    available: [{ name: 'lead_score', label: 'Lead score', type: 'number', max_length: null }],
  },
  contacts: {
    fields: [title],
    available: [{ name: 'jobtitle', label: 'Job title', type: 'text', max_length: null }],
  },
}

export const CrmMapping = Rec(
  'CrmMapping',
  { provider, companies: MappedFields, contacts: MappedFields },
  mappingExample,
)

const choices = Type.Object({
  fields: Type.Array(
    Type.Object({
      field: Type.String({ maxLength: 40 }),
      target: Nullable(
        Type.String({ minLength: 1, maxLength: 200, description: 'The field of the CRM; null: not written' }),
      ),
    }),
    { maxItems: 50, description: 'A field that is absent has its default' },
  ),
})

export const SetCrmMapping = Body(
  'SetCrmMapping',
  { companies: choices, contacts: choices },
  {
    companies: { fields: [{ field: 'score', target: 'lead_score' }] },
    contacts: { fields: [{ field: 'phone', target: null }] },
  },
)

export const PreviewCrmPush = Body(
  'PreviewCrmPush',
  {
    object: OneOf(['companies', 'contacts']),
    mapping: Type.Optional(
      Type.Object(SetCrmMapping.properties, { description: 'A mapping to try; the stored one when absent' }),
    ),
  },
  { object: 'companies' },
)

export const PreviewedRecord = Rec(
  'PreviewedRecord',
  {
    id: Type.String({ description: 'The account or person' }),
    name: Type.String(),
    action: OneOf(['create', 'update', 'nothing', 'skip']),
    crm_id: Nullable(Type.String({ description: 'The record in the CRM; null: there is none yet' })),
    message: Nullable(Type.String()),
    fields: Type.Array(
      Type.Object({
        field: Type.String(),
        target: Type.String(),
        action: OneOf(['write', 'same', 'kept', 'missing'], {
          description: 'missing: the CRM no longer has the target, so the field is not written',
        }),
        before: Nullable(Type.String()),
        after: Nullable(Type.String()),
        reason: Nullable(Type.String({ description: 'Why a field is kept or not written' })),
      }),
    ),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
    name: 'Northwind Freight',
    action: 'update',
    crm_id: '12345',
    message: null,
    fields: [
      { field: 'score', target: 'bellwether_score', action: 'write', before: '64', after: '72', reason: null },
      {
        ...{ field: 'name', target: 'name', action: 'kept', before: 'Northwind', after: 'Northwind' },
        reason: 'It was filled in HubSpot, and the service did not write it.',
      },
    ],
  },
)

import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'
import { relationship } from './schema.ts'

const day = (description: string) => Nullable(Type.String({ format: 'date', description }))
const provider = OneOf(['crm_one', 'crm_two'], { description: 'crm_one: HubSpot; crm_two: Salesforce' })

const Deal = Type.Object({
  crm_id: Type.String({ description: 'The id in the CRM' }),
  provider,
  name: Type.String(),
  state: OneOf(['open', 'won', 'lost']),
  stage: Nullable(Type.String({ description: 'The stage, as the CRM names it' })),
  amount: Nullable(Type.Number()),
  currency: Nullable(Type.String()),
  lost_reason: Nullable(Type.String()),
  opened_on: day('The day it was opened'),
  closes_on: day('The day it closed, or on which it is expected to'),
  owner_name: Nullable(Type.String({ description: 'Its owner in the CRM' })),
})

const Contact = Type.Object({
  person_id: Type.String(),
  full_name: Type.String(),
  title: Nullable(Type.String()),
  left_on: day('The day on which the person was found to have left'),
  deleted_in_crm_on: day('The day on which the contact was deleted in the CRM'),
  won_deals: Type.Integer({ description: 'Number of won deals with this contact' }),
})

const Field = Type.Object({
  field: Type.String({ description: 'industry, employees, country, …' }),
  crm_value: Type.Union([Type.String(), Type.Number()]),
  provider,
  at: Timestamp({ description: 'When it was read from the CRM' }),
  used: OneOf(['crm', 'member', 'research'], {
    description: 'Whose value the account has: that of the CRM, of a member who set it, or of research',
  }),
  used_value: Type.Union([Type.String(), Type.Number(), Type.Null()]),
})

export const AccountCrm = Rec(
  'AccountCrm',
  {
    account_id: Type.String(),
    relationship,
    relationship_on: day('The day of the deal that decides the relationship'),
    relationship_reason: Nullable(Type.String({ description: 'Why the deal was lost, as your CRM says' })),
    deals: Type.Array(Deal, { description: 'The latest first, at most 50' }),
    total_deals: Type.Integer(),
    contacts: Type.Array(Contact, {
      description: 'People whom you know from the CRM and may see, those of won deals first, at most 50',
    }),
    total_contacts: Type.Integer(),
    fields: Type.Array(Field, { description: 'The values that the CRM has for fields of the account' }),
  },
  {
    account_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
    relationship: 'lost_deal',
    relationship_on: '2025-06-02',
    relationship_reason: 'price',
    deals: [
      {
        crm_id: '51870234',
        provider: 'crm_one',
        name: 'Northwind rollout',
        state: 'lost',
        stage: 'Closed lost',
        amount: 48000,
        currency: 'EUR',
        lost_reason: 'price',
        opened_on: '2025-02-11',
        closes_on: '2025-06-02',
        owner_name: 'Dana Whit',
      },
    ],
    total_deals: 1,
    contacts: [
      {
        person_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
        full_name: 'Mara Lindqvist',
        title: 'VP Operations',
        left_on: null,
        deleted_in_crm_on: null,
        won_deals: 0,
      },
    ],
    total_contacts: 1,
    fields: [
      {
        field: 'industry',
        crm_value: 'Transportation',
        provider: 'crm_one',
        at: '2026-11-14T06:30:00.000Z',
        used: 'member',
        used_value: 'Logistics',
      },
    ],
  },
)
export type AccountCrm = Static<typeof AccountCrm>

import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'
import { CRM_PROVIDERS } from '../../providers/crm/registry.ts'

const provider = OneOf(CRM_PROVIDERS)
const rules = Type.Array(OneOf(['customers', 'open_deals', 'owned']), {
  uniqueItems: true,
  maxItems: 3,
  description:
    'Which companies of the CRM without an account become one: customers, those with an open deal, those whose owner is a member',
})
const winner = Type.Optional(OneOf(['crm', 'research'], { description: 'Which value is used; the CRM unless set' }))
const fieldSources = Type.Object(
  { employees: winner, industry: winner, country: winner, short_description: winner },
  { description: 'For each field whose value is used. A value typed here always is', additionalProperties: false },
)
const count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) })

export const CrmSync = Rec(
  'CrmSync',
  {
    provider,
    state: OneOf(
      ['reading', 'up_to_date', 'limited', 'retrying', 'waiting', 'paused', 'reconnect', 'disconnected', 'off'],
      {
        description:
          'reading: everything is read for the first time; limited: all was read that the connection may read; retrying: the last attempt failed and is repeated; waiting: for the limit of calls; reconnect: the CRM no longer accepts the credential; disconnected: its records are kept; off: the operator has switched reading off',
      },
    ),
    problem: Nullable(Type.String({ description: 'Why it is not up to date, in a sentence' })),
    is_paused: Type.Boolean(),
    is_running: Type.Boolean(),
    started_at: Nullable(Timestamp({ description: 'The beginning of the last run' })),
    finished_at: Nullable(Timestamp({ description: 'The end of the last complete run' })),
    next_at: Nullable(Timestamp({ description: 'The next run; null while none follows' })),
    records: Type.Object({
      companies: count(),
      matched_companies: count('Those that are accounts'),
      contacts: count(),
      matched_contacts: count('Those that are people here'),
      deals: count(),
      owners: count(),
      matched_owners: count('Those who are members'),
    }),
    missing_rights: Type.Array(Type.String(), { description: 'What the connection may not read, each as a sentence' }),
    failures: Type.Array(
      Type.Object({ kind: Type.String(), count: count(), message: Type.String(), at: Timestamp() }),
      { description: 'Failures since the last complete run, by kind' },
    ),
    calls_left: Nullable(Type.Integer({ description: 'Calls that the CRM allows until its limit is renewed' })),
    calls_limit: Nullable(Type.Integer()),
    account_rules: rules,
    field_sources: fieldSources,
  },
  {
    provider: 'crm_one',
    state: 'up_to_date',
    problem: null,
    is_paused: false,
    is_running: false,
    started_at: '2026-11-18T08:00:00.000Z',
    finished_at: '2026-11-18T08:00:04.000Z',
    next_at: '2026-11-18T08:15:04.000Z',
    records: {
      ...{ companies: 1200, matched_companies: 840, contacts: 5400, matched_contacts: 3900 },
      ...{ deals: 310, owners: 12, matched_owners: 9 },
    },
    missing_rights: [],
    failures: [],
    calls_left: 498_000,
    calls_limit: 500_000,
    account_rules: ['customers'],
    field_sources: { industry: 'research' },
  },
)

export const UpdateCrmSync = Body(
  'UpdateCrmSync',
  {
    is_paused: Type.Optional(Type.Boolean()),
    account_rules: Type.Optional(rules),
    field_sources: Type.Optional(fieldSources),
  },
  { account_rules: ['customers', 'open_deals'] },
)

export const AccountPreview = Rec(
  'CrmAccountPreview',
  {
    customers: count('Accounts that this rule alone would add'),
    open_deals: count(),
    owned: count(),
  },
  { customers: 120, open_deals: 34, owned: 310 },
)

export const CrmParams = Type.Object({ provider })

import { type Static, Type } from 'typebox'
import { exampleOf, Nullable, Rec } from '../../http/schema.ts'
import { ListedAccount } from '../../resources/accounts/schema.ts'
import { Person } from '../../resources/people/schema.ts'

/** The rows a destination receives are flat: strings, numbers, booleans and null; lists are joined. */

const { tags: _tags, latest_finding: _latest, ...account } = ListedAccount.properties

export const WebhookAccountRow = Rec(
  'AccountRow',
  {
    record_type: Type.Literal('account'),
    ...account,
    tags: Type.String({ description: 'Joined by ", "; empty without any' }),
    why_now: Nullable(Type.String({ description: 'Markdown' })),
    signal_id: Nullable(Type.String({ description: 'The latest signal found; null when there is none' })),
    signal_headline: Nullable(Type.String()),
    signal_detected_at: Nullable(Type.String({ format: 'date' })),
    signal_source_url: Nullable(Type.String()),
  },
  {
    record_type: 'account',
    ...(exampleOf(ListedAccount) as object),
    tags: 'rail, q4',
    why_now: 'Raised a round on 11 November and is opening a second hub.',
    signal_id: 'funding',
    signal_headline: 'Northwind Freight raised a round',
    signal_detected_at: '2026-11-12',
    signal_source_url: 'https://northwind.example/news',
  },
)
export type WebhookAccountRow = Static<typeof WebhookAccountRow>

const {
  email_reason: _email,
  phone_reason: _phone,
  left_on: _left,
  sources: _sources,
  email_status: _status,
  ...person
} = Person.properties
const personExample = exampleOf(Person) as Record<string, unknown>

export const WebhookPersonRow = Rec(
  'PersonRow',
  {
    record_type: Type.Literal('person'),
    ...person,
    account_name: Type.String({ description: 'The company they work at' }),
    account_domain: account.domain,
    account_industry: account.industry,
    account_country: account.country,
    account_employees: account.employees,
    account_score: account.score,
  },
  {
    record_type: 'person',
    ...Object.fromEntries(Object.keys(person).map((field) => [field, personExample[field]])),
    account_domain: 'northwind.example',
    account_industry: 'Logistics',
    account_country: 'Germany',
    account_employees: 640,
    account_score: 72,
  },
)
export type WebhookPersonRow = Static<typeof WebhookPersonRow>

/** The row a test of a destination sends. No pushed row has a field `test`. */
export const TestRow = Rec(
  'TestRow',
  {
    id: Type.String(),
    record_type: Type.Literal('account'),
    test: Type.Literal(true),
    name: Type.String(),
    domain: Type.String(),
    score: Type.Integer(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da1',
    record_type: 'account',
    test: true,
    name: 'Sample account',
    domain: 'sample.example',
    score: 50,
  },
)
export type TestRow = Static<typeof TestRow>

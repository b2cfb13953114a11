import { type Static, Type } from 'typebox'
import { Body, INTEGER_RANGE, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

const employees = (of: string) => Type.Integer({ minimum: 0, maximum: INTEGER_RANGE.maximum, description: of })
const product = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })
const proof = {
  customer: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }),
  result: Type.String({
    minLength: 1,
    maxLength: 300,
    pattern: '\\S',
    description: 'What the customer achieved, such as "cut its month-end close from nine days to four"',
  }),
  industry: Nullable(Type.String({ maxLength: 120, description: 'The industry it convinces; null for every one' })),
  min_employees: Nullable(employees('The smallest company it convinces; null for no limit')),
  max_employees: Nullable(employees('The largest company it convinces; null for no limit')),
}
const PRODUCTS = ['Slotline', 'Slotline Terminals']
const PROOF = {
  customer: 'Harrow Grain',
  result: 'cut its booking time from two days to twenty minutes',
  industry: 'Agriculture',
  min_employees: 200,
  max_employees: 5000,
}

export const CompanyProfile = Rec(
  'CompanyProfile',
  {
    name: Nullable(Type.String()),
    is_name_set: Type.Boolean({
      description: 'Extension: whether a member has set the name; then reading the site does not change it',
    }),
    products: Type.Array(Type.String(), { description: 'Extension: the names of your products' }),
    proofs: Type.Array(Type.Object(proof), { description: 'Extension: what customers have achieved with you' }),
    domain: Nullable(Type.String()),
    logo_url: Nullable(Type.String()),
    business_context: Nullable(Type.String()),
    scraped_meta: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'The result of reading your own site: `outcome` (items, nothing, failed), `reason`, `read_at`, `title`, `pages`, `organization`, `failures`. Empty before the first read',
    }),
    refresh: Type.Object(
      {
        state: OneOf(['idle', 'running', 'failed'], { description: 'failed: the last reading of the site failed' }),
        started_at: Nullable(Timestamp({ description: 'The start of the current or the last read' })),
        ended_at: Nullable(Timestamp()),
        pages_read: Type.Array(Type.Object({ url: Type.String(), title: Nullable(Type.String()) }), {
          description: 'The pages read so far, in order',
        }),
        message: Nullable(Type.String({ description: 'Why the last read failed' })),
      },
      { description: 'Extension: the read of your own site' },
    ),
    updated_at: Timestamp(),
  },
  {
    name: 'Northwind Freight',
    is_name_set: true,
    products: PRODUCTS,
    proofs: [PROOF],
    domain: 'northwind.example',
    logo_url: 'https://northwind.example/logo.png',
    business_context: 'Northwind Freight runs a booking platform for rail freight in Europe.',
    scraped_meta: {
      outcome: 'items',
      domain: 'northwind.example',
      read_at: '2026-11-01T08:00:00.000Z',
      title: 'Northwind Freight | Rail freight, booked in minutes',
      pages: [{ url: 'https://northwind.example/', kind: 'home', title: 'Northwind Freight' }],
      failures: [],
    },
    refresh: {
      state: 'idle',
      started_at: '2026-11-01T07:59:40.000Z',
      ended_at: '2026-11-01T08:00:00.000Z',
      pages_read: [{ url: 'https://northwind.example/', title: 'Northwind Freight' }],
      message: null,
    },
    updated_at: '2026-11-01T08:00:00.000Z',
  },
)

export const UpdateCompanyProfile = Body(
  'UpdateCompanyProfile',
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\r\\n]*\\S[^\\r\\n]*$' })),
    products: Type.Optional(Type.Array(product, { maxItems: 20 })),
    proofs: Type.Optional(
      Type.Array(
        Type.Object({
          ...proof,
          industry: Type.Optional(proof.industry),
          min_employees: Type.Optional(proof.min_employees),
          max_employees: Type.Optional(proof.max_employees),
        }),
        { maxItems: 30 },
      ),
    ),
  },
  { name: 'Northwind Freight', products: PRODUCTS, proofs: [PROOF] },
)

export const RefreshCompanyProfile = Body(
  'RefreshCompanyProfile',
  {
    domain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'The domain of your company; by default the stored one',
      }),
    ),
  },
  { domain: 'northwind.example' },
)

export type UpdateCompanyProfile = Static<typeof UpdateCompanyProfile>

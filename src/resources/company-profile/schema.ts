import { type Static, Type } from 'typebox'
import { Body, Nullable, Rec, Timestamp } from '../../http/schema.ts'

export const CompanyProfile = Rec(
  'CompanyProfile',
  {
    name: Nullable(Type.String()),
    domain: Nullable(Type.String()),
    logo_url: Nullable(Type.String()),
    business_context: Nullable(Type.String()),
    scraped_meta: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'What the pages of the own domain said about it, and when: `outcome` (items, nothing, failed), `reason`, `read_at`, `title`, `pages`, `organization`, `failures`. Empty before the first reading',
    }),
    updated_at: Timestamp(),
  },
  {
    name: 'Northwind Freight',
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
    updated_at: '2026-11-01T08:00:00.000Z',
  },
)

export const RefreshCompanyProfile = Body(
  'RefreshCompanyProfile',
  {
    domain: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'The domain of your company; the one known when absent',
      }),
    ),
  },
  { domain: 'northwind.example' },
)

export type CompanyProfile = Static<typeof CompanyProfile>

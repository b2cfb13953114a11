import { type Static, Type } from 'typebox'
import { Nullable, Rec, Timestamp } from '../../http/schema.ts'

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
      description: 'What the pages of the own domain said about it, as read',
    }),
    updated_at: Timestamp(),
  },
  {
    name: 'Northwind Freight',
    domain: 'northwind.example',
    logo_url: 'https://northwind.example/logo.png',
    business_context: 'Northwind Freight runs a booking platform for rail freight in Europe.',
    scraped_meta: { title: 'Northwind Freight | Rail freight, booked in minutes' },
    updated_at: '2026-11-01T08:00:00.000Z',
  },
)

export type CompanyProfile = Static<typeof CompanyProfile>

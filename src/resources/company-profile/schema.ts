import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

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

export type CompanyProfile = Static<typeof CompanyProfile>

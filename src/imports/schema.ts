import { Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../http/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const status = OneOf(['running', 'done', 'failed'])
const ID = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91'
const CREATED = '2026-11-14T06:30:00.000Z'

export const CompanyImport = Rec(
  'CompanyImport',
  {
    id: Type.String(),
    status,
    format: OneOf(['csv', 'ndjson']),
    bytes: count('Size of the file as it was sent'),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Part of the file that is stored' }),
    rows: count('Rows worked off; of a failed import those before it failed'),
    created: count('Companies that are new'),
    existing: count('Rows about companies that were there already'),
    rejected: count('Rows that cannot be used'),
    errors: Type.Array(Type.Object({ line: Type.Integer(), reason: Type.String() }), {
      description: 'The first rows that cannot be used, at most 20',
    }),
    failure: Nullable(Type.String({ description: 'Why a failed import failed; what was stored before stays' })),
    finished_at: Nullable(Timestamp()),
    created_at: Timestamp(),
  },
  {
    id: ID,
    status: 'done',
    format: 'csv',
    bytes: 91_250,
    progress: 1,
    rows: 1_204,
    created: 1_190,
    existing: 12,
    rejected: 2,
    errors: [{ line: 318, reason: 'it has no domain' }],
    failure: null,
    finished_at: '2026-11-14T06:30:04.000Z',
    created_at: CREATED,
  },
)

export const StartedImport = Rec(
  'StartedImport',
  { id: Type.String({ description: 'To be read at /companies/imports/{id}' }), status, created_at: Timestamp() },
  { id: ID, status: 'running', created_at: CREATED },
)

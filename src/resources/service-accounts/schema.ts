import { Type } from 'typebox'
import { Body, Nullable, Rec, Timestamp } from '../../http/schema.ts'

export const ServiceAccount = Rec(
  'ServiceAccount',
  {
    id: Type.String({ description: 'The `member_id` of its keys' }),
    name: Type.String(),
    keys: Type.Integer({ description: 'Number of its active keys' }),
    last_used_at: Nullable(Timestamp({ description: 'When one of its keys was last used, to the minute' })),
    created_at: Timestamp(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91',
    name: 'Warehouse sync',
    keys: 1,
    last_used_at: '2026-11-14T09:30:00.000Z',
    created_at: '2026-11-01T08:00:00.000Z',
  },
)

export const CreateServiceAccount = Body(
  'CreateServiceAccount',
  { name: Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' }) },
  { name: 'Warehouse sync' },
)

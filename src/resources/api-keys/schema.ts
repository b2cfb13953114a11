import { Type } from 'typebox'
import { Body, Nullable, Rec, Timestamp } from '../../http/schema.ts'

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
  member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
  name: 'CRM sync',
  prefix: 'bw_4fQx8Zr1',
  read_only: false,
  expires_at: null,
  last_used_at: '2026-11-14T09:30:00.000Z',
  sessions: 1,
  created_at: '2026-11-01T08:00:00.000Z',
}

const fields = {
  id: Type.String(),
  member_id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to distinguish keys' }),
  read_only: Type.Boolean(),
  expires_at: Nullable(Timestamp()),
  last_used_at: Nullable(Timestamp({ description: 'To the minute' })),
  sessions: Type.Integer({ description: 'Number of browser sessions opened with the key; they end with it' }),
  created_at: Timestamp(),
}

export const ApiKey = Rec('ApiKey', fields, example)

export const CreatedApiKey = Rec(
  'CreatedApiKey',
  { ...fields, key: Type.String({ description: 'The key; it is returned only once' }) },
  { ...example, key: 'bw_4fQx8Zr1mUqT0cY5v2LkWb7sJ9hNd3eGaRpXoVtBiZE' },
)

export const CreateApiKey = Body(
  'CreateApiKey',
  {
    name: Type.String({ minLength: 1, maxLength: 80 }),
    member_id: Type.Optional(Type.String({ description: 'The member the key belongs to; you when absent' })),
    read_only: Type.Optional(Type.Boolean({ description: 'The key may only read' })),
    expires_at: Type.Optional(Nullable(Timestamp())),
  },
  { name: 'CRM sync', read_only: true },
)

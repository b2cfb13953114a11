import { Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
  member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
  name: 'CRM sync',
  prefix: 'bw_4fQx8Zr1',
  scope: 'work',
  read_only: false,
  operations: null,
  allowed_ips: ['203.0.113.0/24'],
  expires_at: null,
  last_used_at: '2026-11-14T09:30:00.000Z',
  sessions: 1,
  created_at: '2026-11-01T08:00:00.000Z',
}

const scope = OneOf(['read', 'work', 'admin'], {
  description:
    'read: only reads. work: reads and writes as a member who is no admin. admin: everything the member may do',
})

const fields = {
  id: Type.String(),
  member_id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to distinguish keys' }),
  scope,
  read_only: Type.Boolean({ description: 'Whether the scope is `read`' }),
  operations: Nullable(Type.Array(Type.String(), { description: 'The only operations that the key may call' })),
  allowed_ips: Nullable(Type.Array(Type.String(), { description: 'Networks that the key may be used from' })),
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
    member_id: Type.Optional(
      Type.String({ description: 'The member or service account the key belongs to; you when absent' }),
    ),
    scope: Type.Optional(scope),
    read_only: Type.Optional(Type.Boolean({ description: 'true: the same as the scope `read`' })),
    operations: Type.Optional(
      Nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
          ...{ minItems: 1, maxItems: 200 },
          description: 'The key may call only these operations, named by their operationId',
        }),
      ),
    ),
    allowed_ips: Type.Optional(
      Nullable(
        Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
          ...{ minItems: 1, maxItems: 100 },
          description: 'The key works only from these addresses and networks, such as 203.0.113.0/24',
        }),
      ),
    ),
    expires_at: Type.Optional(Nullable(Timestamp())),
  },
  { name: 'CRM sync', scope: 'work' },
)

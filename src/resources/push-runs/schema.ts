import { Type } from 'typebox'
import { Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'

const status = OneOf(['running', 'completed', 'failed'])

export const PushRun = Rec(
  'PushRun',
  {
    id: Type.String(),
    channel: OneOf(['webhook', 'crm']),
    record_type: OneOf(['accounts', 'people']),
    status,
    total: Type.Integer({ description: 'Ids as they were sent; an id that comes again is skipped' }),
    sent: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer(),
    error_sample: Type.Array(
      Type.Object({ id: Nullable(Type.String()), status: Nullable(Type.Integer()), message: Type.String() }),
      { description: 'At most 10 of what went wrong; id is null for what ended the whole run' },
    ),
    created_at: Timestamp(),
    finished_at: Nullable(Timestamp()),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da3',
    channel: 'webhook',
    record_type: 'accounts',
    status: 'completed',
    total: 500,
    sent: 498,
    failed: 1,
    skipped: 1,
    error_sample: [{ id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', status: 422, message: 'The receiver answered 422.' }],
    created_at: '2026-11-14T09:30:00.000Z',
    finished_at: '2026-11-14T09:31:10.000Z',
  },
)

export const PushRunsQuery = Type.Object({ status: Type.Optional(status), ...PageQuery(25) })

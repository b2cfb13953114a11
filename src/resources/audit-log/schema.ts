import { type Static, Type } from 'typebox'
import { Body, exampleOf, Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'

const actor = OneOf(['key', 'session', 'agent', 'chat', 'command_line', 'provider', 'anonymous'], {
  description:
    'key: a call with an API key; session: a signed-in browser; agent: a tool of an agent over MCP; chat: a button of a chat message; command_line: the command on the server; provider: what a sign-in provider decides about a member; anonymous: without a valid key or session',
})
const outcome = OneOf(['ok', 'refused', 'failed', 'unknown'], {
  description:
    'refused: no right to it; failed: with an error; unknown: the process died before it reported the outcome',
})
const text = Nullable(Type.String())

export const AuditEntry = Rec(
  'AuditEntry',
  {
    seq: Type.Integer({ description: 'Number in the workspace, without gaps' }),
    id: Type.String(),
    at: Timestamp({ description: 'When it began' }),
    actor,
    member_id: text,
    name: Nullable(
      Type.String({ description: 'The name of the member at that time; null when it was erased or there is none' }),
    ),
    key_id: text,
    session_id: text,
    action: Type.String({ description: 'The operationId' }),
    target: Nullable(
      Type.Object(
        { type: Type.String(), id: text, name: text },
        { description: 'The record; the id of a person is null after an erasure' },
      ),
    ),
    outcome,
    status: Nullable(Type.Integer({ description: 'HTTP status of the response' })),
    error_code: text,
    ip: text,
    user_agent: text,
    request_id: text,
    changes: Type.Array(Type.Object({ field: Type.String(), before: text, after: text }), {
      description: 'Fields that differ. `[masked]`: a secret, personal data or free text',
    }),
    is_erased: Type.Boolean({ description: 'Whether an erasure has deleted what was personal' }),
    hash: Type.String({ description: 'Contains the hash of the entry before it' }),
  },
  {
    seq: 1042,
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9e01',
    at: '2026-11-14T09:30:00.000Z',
    actor: 'session',
    member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
    name: 'Dana Whitfield',
    key_id: null,
    session_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d70',
    action: 'updateMember',
    target: { type: 'member', id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d81', name: 'Kim Lee' },
    outcome: 'ok',
    status: 200,
    error_code: null,
    ip: '198.51.100.7',
    user_agent: 'Mozilla/5.0 (Macintosh)',
    request_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9e02',
    changes: [{ field: 'role', before: 'member', after: 'admin' }],
    is_erased: false,
    hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
)
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  actor: Type.Optional(actor),
  member_id: Type.Optional(Type.String({ format: 'uuid' })),
  action: Type.Optional(Type.String({ maxLength: 100 })),
  target_type: Type.Optional(Type.String({ maxLength: 100 })),
  target_id: Type.Optional(Type.String({ maxLength: 120 })),
  outcome: Type.Optional(outcome),
  since: Type.Optional(Timestamp()),
  until: Type.Optional(Timestamp({ description: 'Excluded' })),
}
export const AuditFilter = Type.Object(filters)
export const AuditQuery = Type.Object({ ...filters, ...PageQuery(50) })
export type AuditFilter = Static<typeof AuditFilter>

const destination_id = Nullable(
  Type.String({ format: 'uuid', description: 'The webhook destination that receives every entry; null: none' }),
)

export const AuditSettings = Rec(
  'AuditSettings',
  {
    destination_id,
    retention_days: Type.Integer({ description: 'AUDIT_RETENTION_DAYS' }),
    waiting: Type.Integer({ description: 'Entries that the destination has not received yet' }),
    problem: Nullable(Type.String({ description: 'Why the last delivery failed; null while deliveries succeed' })),
    sent_at: Nullable(Timestamp()),
  },
  {
    destination_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da0',
    retention_days: 400,
    waiting: 0,
    problem: null,
    sent_at: '2026-11-14T09:31:00.000Z',
  },
)

export const SetAuditSettings = Body(
  'SetAuditSettings',
  { destination_id },
  { destination_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da0' },
)

export const AuditRecorded = Rec(
  'AuditRecorded',
  {
    type: OneOf(['audit.recorded']),
    timestamp: Timestamp({ description: 'The time of the last entry' }),
    data: Type.Object({ entries: Type.Array(AuditEntry) }),
  },
  { type: 'audit.recorded', timestamp: '2026-11-14T09:30:00.000Z', data: { entries: [exampleOf(AuditEntry)] } },
)

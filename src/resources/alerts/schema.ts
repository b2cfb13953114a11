import { Type } from 'typebox'
import { Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'

const type = OneOf(['signal.detected', 'account.suggested', 'people.job_changed', 'work_item.done', 'digest'], {
  description: 'digest: what a scheduled rule collected',
})
const channel = OneOf(['email', 'chat_dm', 'chat', 'teams', 'webhook'])
const state = OneOf(['pending', 'sent', 'failed', 'dropped'], {
  description:
    'pending: waits for its first or next attempt; sent; failed: the receiver did not accept it; dropped: nothing was left to report, the channel or the rule was switched off, or the recipient unsubscribed',
})
const Named = Type.Object({ id: Type.String(), name: Type.String() })

export const Alert = Rec(
  'Alert',
  {
    id: Type.String({ description: 'An alert on two channels is listed once for each, under the same id' }),
    type,
    channel,
    state,
    attempts: Type.Integer(),
    rule: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'The alert rule; null for the notification settings' },
      ),
    ),
    member: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'The receiving member; null for a shared place' },
      ),
    ),
    account: Nullable(Named),
    accounts: Type.Array(Named, { description: 'Suggested accounts: at most 5, the highest score first' }),
    headlines: Type.Array(Type.String(), {
      description:
        'Headlines of the findings, the strongest first, then of the moves, the newest first; or the outcomes of work items. At most 5',
    }),
    total: Type.Integer({
      description: 'Number of findings, suggested accounts, moves or work items that still exist',
    }),
    target: Nullable(
      Type.String({
        description:
          'The receiver of the last attempt: the masked URL, the chat channel or the email address; null before the first',
      }),
    ),
    status: Nullable(
      Type.Integer({
        description: 'HTTP status of the receiver, or the reply code of the mail server; null without a response',
      }),
    ),
    error: Nullable(Type.String({ description: 'Why it was not sent, in a sentence; null when it was' })),
    created_at: Timestamp(),
    sent_at: Nullable(Timestamp()),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9db1',
    type: 'signal.detected',
    channel: 'webhook',
    state: 'sent',
    attempts: 1,
    rule: null,
    member: null,
    account: { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', name: 'Northwind Robotics' },
    accounts: [],
    headlines: ['Northwind Robotics raises $20M Series B'],
    total: 1,
    target: 'https://hooks.northwind.example/…',
    status: 200,
    error: null,
    created_at: '2026-11-14T09:30:00.000Z',
    sent_at: '2026-11-14T09:30:05.000Z',
  },
)

export const AlertsQuery = Type.Object({
  state: Type.Optional(state),
  channel: Type.Optional(channel),
  type: Type.Optional(type),
  ...PageQuery(50),
})

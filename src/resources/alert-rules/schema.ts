import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'
import { MAX_TAG_CHARS, relationship } from '../accounts/schema.ts'

const MAX_URL_CHARS = 2048

const list = <T extends Parameters<typeof Type.Array>[0]>(items: T, description: string) =>
  Type.Array(items, { maxItems: 50, uniqueItems: true, description })

const name = Type.String({ minLength: 1, maxLength: 120, pattern: '\\S' })
const events = Type.Array(
  OneOf(['signal.detected', 'account.suggested', 'people.job_changed', 'work_item.done'], {
    description: 'work_item.done: only with the channel webhook',
  }),
  { minItems: 1, maxItems: 4, uniqueItems: true },
)
const signals = list(
  Type.String({ minLength: 1, maxLength: 100 }),
  'Ids of signals that findings, and the findings of suggested accounts, must have; empty for all',
)
const min_score = Type.Integer({ minimum: 0, maximum: 100, description: 'The lowest score of an account' })
const only_mine = Type.Boolean({ description: 'Only accounts that the recipient owns' })
const tags = list(
  Type.String({ minLength: 1, maxLength: MAX_TAG_CHARS }),
  'Accounts with one of these tags; empty for all',
)
const statuses = list(
  OneOf(['suggested', 'active', 'rejected', 'unqualified', 'new']),
  'Accounts with one of these statuses; empty for all',
)
const icp_tiers = list(
  OneOf(['A', 'B', 'C'], { description: 'A: ICP fit of 80 and more; B: 50 to 79; C: below' }),
  'Accounts whose fit with the ideal customer is in one of these tiers; empty for all',
)
const relationships = list(
  relationship,
  'Accounts with one of these relationships; open_deal also means customers with an open deal; empty for all',
)
const recipient = OneOf(['owner', 'member', 'channel'], {
  description:
    'owner: the owner of the account; member: one member; channel: a shared place. Only admins choose another than themselves',
})
const channel = OneOf(['email', 'chat_dm', 'chat', 'teams', 'webhook'], {
  description: 'email and chat_dm (a direct message) reach a person; chat, teams and webhook are shared places',
})
const schedule = OneOf(['at_once', 'weekdays', 'mondays'], {
  description: 'weekdays and mondays: one digest at `hour`; webhook rules are always at_once',
})
const hour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: 'In the time zone of the receiving member; for a shared place in that of the member whose rule it is',
})
const chat_channel = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', description: 'For the channel chat' })
const destination_id = Type.String({
  format: 'uuid',
  description: 'For the channel webhook: the destination whose URL, secrets and delivery log are used',
})
const to_member_id = Type.String({ format: 'uuid', description: 'For the recipient member: who; you unless set' })

export const AlertRule = Rec(
  'AlertRule',
  {
    id: Type.String(),
    member_id: Type.String({ description: 'Whose rule it is' }),
    name,
    is_enabled: Type.Boolean(),
    events,
    signals,
    min_score,
    only_mine,
    tags,
    statuses,
    icp_tiers,
    relationships,
    recipient,
    to_member_id: Nullable(Type.String({ description: 'The recipient member; null for other recipients' })),
    channel,
    chat_channel: Nullable(Type.String()),
    destination_id: Nullable(Type.String()),
    teams_url: Nullable(
      Type.String({ description: 'Complete for an admin’s key that may write; masked after the host for others' }),
    ),
    schedule,
    hour,
    created_at: Timestamp(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9dc1',
    member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
    name: 'My accounts, every morning',
    is_enabled: true,
    events: ['signal.detected', 'people.job_changed'],
    signals: [],
    min_score: 40,
    only_mine: true,
    tags: [],
    statuses: [],
    icp_tiers: ['A', 'B'],
    relationships: [],
    recipient: 'member',
    to_member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
    channel: 'email',
    chat_channel: null,
    destination_id: null,
    teams_url: null,
    schedule: 'weekdays',
    hour: 8,
    created_at: '2026-11-14T09:30:00.000Z',
  },
)
export type AlertRule = Static<typeof AlertRule>

const optional = {
  is_enabled: Type.Optional(Type.Boolean()),
  signals: Type.Optional(signals),
  min_score: Type.Optional(min_score),
  only_mine: Type.Optional(only_mine),
  tags: Type.Optional(tags),
  statuses: Type.Optional(statuses),
  icp_tiers: Type.Optional(icp_tiers),
  relationships: Type.Optional(relationships),
  recipient: Type.Optional(recipient),
  to_member_id: Type.Optional(to_member_id),
  chat_channel: Type.Optional(chat_channel),
  destination_id: Type.Optional(destination_id),
  teams_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_URL_CHARS,
      description: 'For the channel teams: the URL of a workflow that posts an Adaptive Card',
    }),
  ),
  schedule: Type.Optional(schedule),
  hour: Type.Optional(hour),
}

const example = {
  name: 'My accounts, every morning',
  events: ['signal.detected', 'people.job_changed'],
  channel: 'email',
  only_mine: true,
  schedule: 'weekdays',
  hour: 8,
}

export const CreateAlertRule = Body('CreateAlertRule', { name, events, channel, ...optional }, example)
export type CreateAlertRule = Static<typeof CreateAlertRule>

export const UpdateAlertRule = Body(
  'UpdateAlertRule',
  { name: Type.Optional(name), events: Type.Optional(events), channel: Type.Optional(channel), ...optional },
  { is_enabled: false },
)
export type UpdateAlertRule = Static<typeof UpdateAlertRule>

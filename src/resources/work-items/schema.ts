import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'
import { RelationshipFilter, relationship, STATUSES } from '../accounts/schema.ts'
import { DetectionDraft, draftExample } from '../detections/schema.ts'

const MAX_NOTE_CHARS = 2_000

const state = OneOf(['open', 'snoozed', 'done'])
const outcome = OneOf(['contacted', 'pushed', 'not_relevant', 'wrong'], {
  description: 'pushed: to a CRM, with a task',
})
const note = Nullable(Type.String({ maxLength: MAX_NOTE_CHARS }))

const Factor = Type.Object({
  name: OneOf(['event', 'champion', 'open_deal', 'lost_deal', 'fit', 'contact', 'caution'], {
    description:
      'champion: your contact of a won deal has moved; open_deal and lost_deal: the deal of the account in your CRM',
  }),
  points: Type.Number({ description: 'Points of 100; they add up to the score' }),
  why: Type.String(),
})

const WorkItemEvent = Type.Object({
  id: Type.String(),
  kind: OneOf(['detection', 'move', 'deal'], { description: 'deal: a lost deal that is due for another try' }),
  signal_id: Nullable(Type.String({ description: 'null for a job change and a lost deal' })),
  signal_name: Nullable(Type.String()),
  headline: Type.String(),
  happened_on: Type.String({ format: 'date' }),
  claim: Nullable(Type.String()),
  quote: Nullable(Type.String({ description: 'The sentence of the source' })),
  source_url: Nullable(Type.String()),
  reports: Type.Integer({ description: 'Number of documents that report it' }),
})

const WorkItemPerson = Type.Object({
  id: Type.String(),
  full_name: Type.String(),
  title: Nullable(Type.String()),
  email: Nullable(Type.String({ description: 'Verified; null until it is looked up or when none was found' })),
  email_note: Nullable(Type.String({ description: 'Why the last lookup found no email' })),
  phone: Nullable(Type.String()),
  network_url: Nullable(Type.String()),
})

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9dc0',
  state: 'open',
  outcome: null,
  snoozed_until: null,
  note: null,
  changed_by: null,
  changed_at: null,
  act_now: 71,
  factors: [
    { name: 'event', points: 86.2, why: 'Northwind Freight raises $20 million, 2 days ago' },
    { name: 'fit', points: -15.2, why: 'ICP fit 73 of 100' },
  ],
  account: {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
    name: 'Northwind Freight',
    domain: 'northwind.example',
    status: 'active',
    owner_id: null,
    score: 72,
    is_hot: true,
    tags: ['emea'],
    relationship: 'none',
  },
  events: [
    {
      id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d88',
      kind: 'detection',
      signal_id: 'funding',
      signal_name: 'Funding',
      headline: 'Northwind Freight raises $20 million',
      happened_on: '2026-11-12',
      claim: 'Northwind Freight raises $20 million',
      quote: 'Northwind Freight closed its Series B of $20 million.',
      source_url: 'https://northwind.example/news',
      reports: 3,
    },
  ],
  total_events: 1,
  person: {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
    full_name: 'Mara Lindqvist',
    title: 'VP Operations',
    email: 'mara.lindqvist@northwind.example',
    email_note: null,
    phone: null,
    network_url: null,
  },
  missing: null,
  drafted_message_md: '**Subject:** The new round\n\nHi Ewa,\n\nCongratulations on the round.',
  draft: draftExample,
  opened_at: '2026-11-14T09:30:00.000Z',
}

export const WorkItem = Rec(
  'WorkItem',
  {
    id: Type.String(),
    state,
    outcome: Nullable(outcome),
    snoozed_until: Nullable(Type.String({ format: 'date' })),
    note: Nullable(Type.String()),
    changed_by: Nullable(Type.String({ description: 'The member who set the state; null before the first change' })),
    changed_at: Nullable(Timestamp()),
    act_now: Type.Integer({ description: 'How urgent it is to contact the account now, 0 to 100' }),
    factors: Type.Array(Factor),
    account: Type.Object({
      id: Type.String(),
      name: Type.String(),
      domain: Nullable(Type.String()),
      status: OneOf([...STATUSES]),
      owner_id: Nullable(Type.String()),
      score: Type.Integer(),
      is_hot: Type.Boolean(),
      tags: Type.Array(Type.String()),
      relationship,
    }),
    events: Type.Array(WorkItemEvent, { description: 'At most 5, the most important first' }),
    total_events: Type.Integer(),
    person: Nullable(
      Type.Object(WorkItemPerson.properties, {
        description: 'The person to contact; null when no suitable person is known',
      }),
    ),
    missing: Nullable(Type.String({ description: 'What is missing to send a message, in a sentence' })),
    drafted_message_md: Nullable(Type.String({ description: 'The drafted email about the most important event' })),
    draft: Nullable(DetectionDraft),
    opened_at: Timestamp(),
  },
  example,
)
export type WorkItem = Static<typeof WorkItem>

export const WorkItemsQuery = Type.Object({
  view: Type.Optional(
    OneOf(['queue', 'mine', 'unowned', 'all', 'suggested'], {
      default: 'queue',
      description:
        'queue: items of your active accounts, then of active accounts without an owner; suggested: of suggested accounts; all: of every active account',
    }),
  ),
  state: Type.Optional(OneOf(['open', 'snoozed', 'done'], { default: 'open' })),
  account_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only the items of this account' })),
  relationship: RelationshipFilter('Only the items of accounts with this relationship'),
  ...PageQuery(25),
})

export const CloseWorkItem = Body(
  'CloseWorkItem',
  {
    outcome: OneOf(['contacted', 'not_relevant', 'wrong'], {
      description: 'wrong: also marks the most important finding as wrong; with other findings the item stays open',
    }),
    note: Type.Optional(note),
  },
  { outcome: 'contacted', note: 'Left a message.' },
)

export const SnoozeWorkItem = Body(
  'SnoozeWorkItem',
  {
    until: Type.String({ format: 'date', description: 'The day, in your time zone; within a year' }),
    note: Type.Optional(note),
  },
  { until: '2026-11-23' },
)

const kind = OneOf([
  ...(['reopened', 'snoozed', 'done', 'copied', 'emailed', 'called'] as const),
  ...(['pushed', 'revealed', 'replied', 'meeting', 'noted'] as const),
])

export const AccountActivity = Rec(
  'AccountActivity',
  {
    id: Type.String(),
    kind,
    member_id: Nullable(Type.String({ description: 'null when the service did it, or the member was removed' })),
    person: Nullable(Type.Object({ id: Type.String(), full_name: Type.String() })),
    work_item_id: Nullable(Type.String()),
    note: Nullable(Type.String()),
    outcome: Nullable(outcome),
    until: Nullable(Type.String({ format: 'date' })),
    target: Nullable(Type.String({ description: 'The CRM or destination of a push; email or phone for a reveal' })),
    created_at: Timestamp(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9dc1',
    kind: 'emailed',
    member_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
    person: { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90', full_name: 'Mara Lindqvist' },
    work_item_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9dc0',
    note: null,
    outcome: null,
    until: null,
    target: null,
    created_at: '2026-11-14T09:40:00.000Z',
  },
)
export type AccountActivity = Static<typeof AccountActivity>

export const ActivitiesQuery = Type.Object(PageQuery(50))

export const LogActivity = Body(
  'LogActivity',
  {
    kind: OneOf(['copied', 'emailed', 'called', 'replied', 'meeting', 'noted'], {
      description:
        'copied, emailed and called hand the draft over and close the open work item as contacted; replied, meeting and noted only add a line',
    }),
    person_id: Type.Optional(Nullable(Type.String({ format: 'uuid' }))),
    note: Type.Optional(note),
  },
  { kind: 'replied', note: 'Wants a demo next week.' },
)
export type LogActivity = Static<typeof LogActivity>

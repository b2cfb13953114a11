import { type Static, Type } from 'typebox'
import { exampleOf, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'
import { Evidence } from '../../resources/detections/schema.ts'
import { MoveSourceSchema } from '../../resources/people/history-schema.ts'

/** The notification webhook receives `type`, `timestamp` and `data`. */

const accountExample = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
  name: 'Northwind Freight',
  domain: 'northwind.example',
  score: 72,
  is_hot: true,
  why_now_md: 'Raised a round on 11 November and is opening a second hub.',
  url: 'https://bellwether.northwind.example/accounts/019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
}

const AlertAccount = Rec(
  'AlertAccount',
  {
    id: Type.String(),
    name: Type.String(),
    domain: Nullable(Type.String()),
    score: Type.Integer({ description: '0 to 100' }),
    is_hot: Type.Boolean(),
    why_now_md: Nullable(Type.String()),
    url: Nullable(Type.String({ description: 'The account in the console; null unless PUBLIC_URL is set' })),
  },
  accountExample,
)

const detectionExample = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d88',
  signal_id: 'funding',
  signal_name: 'Funding',
  headline: 'Northwind Freight raised a round',
  alpha: 81,
  icp_fit: 70,
  detected_at: '2026-11-12',
  evidence: [exampleOf(Evidence)],
}

const AlertDetection = Rec(
  'AlertDetection',
  {
    id: Type.String(),
    signal_id: Type.String(),
    signal_name: Type.String(),
    headline: Type.String(),
    alpha: Type.Integer({ description: 'Strength, 0 to 100' }),
    icp_fit: Type.Integer(),
    detected_at: Type.String({ format: 'date' }),
    evidence: Type.Array(Evidence, { description: 'At most 5' }),
  },
  detectionExample,
)
export type AlertDetection = Static<typeof AlertDetection>

const timestamp = Timestamp({ description: 'When the alert was created; the same in every attempt' })
const run_id = Nullable(Type.String({ description: 'The run that found it; null for findings of the monitor' }))

export const SignalAlert = Rec(
  'SignalAlert',
  {
    type: Type.Literal('signal.detected'),
    timestamp,
    data: Type.Object({
      run_id,
      account: AlertAccount,
      detections: Type.Array(AlertDetection, { description: 'At most 20, the strongest first' }),
      total: Type.Integer({ description: 'How many there are' }),
    }),
  },
  {
    type: 'signal.detected',
    timestamp: '2026-11-14T09:30:00.000Z',
    data: {
      run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da3',
      account: accountExample,
      detections: [detectionExample],
      total: 1,
    },
  },
)

export const SuggestionAlert = Rec(
  'SuggestionAlert',
  {
    type: Type.Literal('account.suggested'),
    timestamp,
    data: Type.Object({
      run_id,
      accounts: Type.Array(AlertAccount, { description: 'At most 20, the highest score first' }),
      total: Type.Integer({ description: 'How many there are' }),
    }),
  },
  {
    type: 'account.suggested',
    timestamp: '2026-11-14T09:30:00.000Z',
    data: { run_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da3', accounts: [accountExample], total: 1 },
  },
)

const moveExample = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9db4',
  kind: 'joined',
  text: 'Mara Lindqvist is now Chief Operating Officer at Southwind Rail; before: VP Operations at Northwind Freight',
  person: {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
    full_name: 'Mara Lindqvist',
    network_url: 'https://network.example/in/mara-lindqvist',
  },
  from: { employer: 'Northwind Freight', title: 'VP Operations' },
  to: {
    employer: 'Southwind Rail',
    title: 'Chief Operating Officer',
    domain: 'southwind.example',
    account_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9db5',
  },
  happened_on: null,
  evidence: [
    {
      url: 'https://southwind.example/news/new-coo',
      source: 'website',
      quote: 'Southwind Rail appoints Mara Lindqvist, formerly of Northwind Freight, as Chief Operating Officer',
      seen_on: '2026-11-12',
    },
  ],
}

const AlertMove = Rec(
  'AlertMove',
  {
    id: Type.String(),
    kind: OneOf(['left', 'joined', 'changed_role']),
    text: Type.String({ description: 'What happened, in a sentence' }),
    person: Type.Object({ id: Type.String(), full_name: Type.String(), network_url: Nullable(Type.String()) }),
    from: Nullable(Type.Object({ employer: Type.String(), title: Nullable(Type.String()) })),
    to: Nullable(
      Type.Object({
        employer: Type.String(),
        title: Nullable(Type.String()),
        domain: Nullable(Type.String({ description: 'null: no evidence for the site of the employer' })),
        account_id: Nullable(Type.String({ description: 'null: the employer is not an account' })),
      }),
    ),
    happened_on: Nullable(Type.String({ format: 'date', description: 'null: no source gives the day' })),
    evidence: Type.Array(MoveSourceSchema, { description: 'At most 5' }),
  },
  moveExample,
)
export type AlertMove = Static<typeof AlertMove>

export const JobChangeAlert = Rec(
  'JobChangeAlert',
  {
    type: Type.Literal('people.job_changed'),
    timestamp,
    data: Type.Object({
      account: AlertAccount,
      moves: Type.Array(AlertMove, { description: 'At most 20, the newest first' }),
      total: Type.Integer({ description: 'How many there are' }),
    }),
  },
  {
    type: 'people.job_changed',
    timestamp: '2026-11-14T09:30:00.000Z',
    data: { account: accountExample, moves: [moveExample], total: 1 },
  },
)

export type JobChanges = Static<typeof JobChangeAlert>['data']

const workItemExample = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9dd1',
  state: 'done',
  outcome: 'contacted',
  note: 'Wrote to the new CFO.',
  changed_at: '2026-11-14T09:29:55.000Z',
  changed_by: { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80', name: 'Dana Whitfield' },
}

const AlertWorkItem = Rec(
  'AlertWorkItem',
  {
    id: Type.String(),
    state: OneOf(['done']),
    outcome: OneOf(['contacted', 'pushed', 'not_relevant', 'wrong']),
    note: Nullable(Type.String()),
    changed_at: Timestamp(),
    changed_by: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'The member; null when they were removed since' },
      ),
    ),
  },
  workItemExample,
)
export type AlertWorkItem = Static<typeof AlertWorkItem>

export const WorkItemAlert = Rec(
  'WorkItemAlert',
  {
    type: Type.Literal('work_item.done'),
    timestamp,
    data: Type.Object({
      account: AlertAccount,
      work_items: Type.Array(AlertWorkItem, { description: 'At most 20, the last changed first' }),
      total: Type.Integer({ description: 'How many there are' }),
    }),
  },
  {
    type: 'work_item.done',
    timestamp: '2026-11-14T09:30:00.000Z',
    data: { account: accountExample, work_items: [workItemExample], total: 1 },
  },
)

/** The alerts that a chat message can show. */
export type ShownAlert = Static<typeof SignalAlert> | Static<typeof SuggestionAlert> | Static<typeof JobChangeAlert>
export type AlertContent = ShownAlert | Static<typeof WorkItemAlert>

export const TEST_TEXT = 'This is a test from Bellwether: alerts arrive here.'

export const TestAlert = Rec(
  'TestAlert',
  {
    type: Type.Literal('test'),
    timestamp: Timestamp(),
    data: Type.Object({ message: Type.String() }),
  },
  { type: 'test', timestamp: '2026-11-14T09:30:00.000Z', data: { message: TEST_TEXT } },
)
export type TestAlert = Static<typeof TestAlert>

import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Rec, Timestamp } from '../http/schema.ts'
import { HISTORY_EXAMPLE, HistoryJob, PersonMove } from '../resources/people/history-schema.ts'

const MAX_PAGE = 10_000

export const ExportQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: MAX_PAGE,
    default: 1,
    description: 'Every list is returned in pages of 100; request the next page while has_more',
  }),
})

const text = Nullable(Type.String())
const when = Nullable(Timestamp())
const passages = Type.Array(Type.Object({ field: Type.String(), text: Type.String() }), {
  description: 'Passages that mention the person, with some context',
})

const ContactPoint = Type.Object({
  type: OneOf(['email', 'phone']),
  value: Type.String(),
  verified: Type.Boolean(),
  source: text,
  source_url: text,
  checked_at: when,
  note: text,
})

const PersonFields = Type.Object({
  id: Type.String(),
  full_name: Type.String(),
  title: text,
  headline: text,
  network_url: text,
  location: text,
  country_code: text,
  connections_count: Nullable(Type.Integer()),
  profile_picture_url: text,
  job_level: text,
  source: Type.String(),
  sources: Type.Array(Type.String()),
  found_source: text,
  found_url: text,
  icp_tier: Nullable(Type.Integer()),
  ranking: Nullable(Type.Integer()),
  left_on: Nullable(Type.String({ format: 'date' })),
  title_history: Type.Array(Type.Object({ title: Type.String(), until: Type.String({ format: 'date' }) })),
  created_at: Timestamp(),
})

const example = {
  person: {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90',
    full_name: 'Mara Lindqvist',
    title: 'VP Operations',
    headline: null,
    network_url: 'https://network.example/in/mara-lindqvist',
    location: 'Hamburg',
    country_code: 'DE',
    connections_count: 500,
    profile_picture_url: null,
    job_level: 'VP',
    source: 'employee',
    sources: ['employee'],
    found_source: null,
    found_url: null,
    icp_tier: null,
    ranking: 1,
    left_on: null,
    title_history: [{ title: 'Director Operations', until: '2026-03-01' }],
    created_at: '2026-11-01T08:00:00.000Z',
  },
  account: { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', name: 'Northwind', domain: 'northwind.example', passages: [] },
  owner: { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80', name: 'Sam Reed' },
  contact_points: [
    {
      type: 'email',
      value: 'mara.lindqvist@northwind.example',
      verified: true,
      source: 'smtp',
      source_url: null,
      checked_at: '2026-11-10T09:00:00.000Z',
      note: null,
    },
  ],
  other_records: [],
  history: HISTORY_EXAMPLE,
  moves: [],
  lists: [{ id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d81', name: 'Q4' }],
  searches: [],
  crm_records: [{ provider: 'crm_one', crm_id: '501', pushed_at: '2026-11-11T09:00:00.000Z' }],
  crm_contacts: [],
  pushes: [],
  activities: [],
  deliveries: [],
  audit_entries: [],
  documents: [
    {
      id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91',
      account_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
      url: 'https://northwind.example/news/1',
      kind: 'article',
      source: 'website',
      published_date: '2026-10-01',
      published_by: 'byline',
      language: 'en',
      read_at: '2026-11-01T08:00:00.000Z',
      passages: [{ field: 'text', text: '… said Mara Lindqvist, VP Operations …' }],
    },
  ],
  detections: [],
  alerts: [],
  monitor_events: [],
  signal_examples: [],
  documents_searched: 120,
  documents_kept: 120,
  page: 1,
  has_more: false,
}

const account_id = Type.String()
const id = Type.String()

export const PersonExport = Rec(
  'PersonExport',
  {
    person: PersonFields,
    account: Type.Object({ id, name: Type.String(), domain: text, passages }),
    owner: Nullable(Type.Object({ id, name: Type.String() }, { description: 'The member the person is assigned to' })),
    contact_points: Type.Array(ContactPoint),
    other_records: Type.Array(Type.Object({ id, account_id }), {
      description: 'People with the same profile page or email address at other accounts',
    }),
    history: Type.Array(HistoryJob, { description: 'Employment history, as far as sources report it' }),
    moves: Type.Array(PersonMove, { description: 'Departures, new jobs and role changes' }),
    lists: Type.Array(Type.Object({ id, name: Type.String() })),
    searches: Type.Array(Type.Object({ id, query: Type.String(), tier: Type.Integer(), created_at: Timestamp() }), {
      description: 'Searches that found the person',
    }),
    crm_records: Type.Array(Type.Object({ provider: Type.String(), crm_id: Type.String(), pushed_at: Timestamp() })),
    crm_contacts: Type.Array(
      Type.Object({
        provider: Type.String(),
        crm_id: Type.String(),
        full_name: text,
        email: text,
        title: text,
        phone: text,
        country: text,
        modified_at: Timestamp(),
        deleted_at: when,
      }),
      { description: 'Contacts read from CRMs that are the person, with the values there' },
    ),
    pushes: Type.Array(
      Type.Object({
        run_id: Type.String(),
        channel: Type.String(),
        destination: text,
        providers: Type.Array(Type.String()),
        state: Type.String(),
        message: text,
        created_at: Timestamp(),
      }),
    ),
    activities: Type.Array(Type.Object({ id, kind: Type.String(), note: text, by: text, created_at: Timestamp() }), {
      description: 'Emails, calls, replies, reveals and notes that members logged',
    }),
    audit_entries: Type.Array(Type.Object({ id, at: Timestamp(), action: Type.String(), by: text }), {
      description: 'Exports, reveals and changes of the person in the audit log, newest first',
    }),
    deliveries: Type.Array(
      Type.Object({
        id,
        destination: text,
        run_id: text,
        attempt: Type.Integer(),
        status: Nullable(Type.Integer()),
        message: text,
        answer: text,
        created_at: Timestamp(),
      }),
    ),
    documents: Type.Array(
      Type.Object({
        id,
        account_id,
        url: Type.String(),
        kind: Type.String(),
        source: Type.String(),
        published_date: Nullable(Type.String({ format: 'date' })),
        published_by: Nullable(
          Type.String({
            description: 'How the date was found on the page; null if a source provided it, or it was not determined',
          }),
        ),
        language: Nullable(Type.String({ description: 'Two-letter code of the detected language; null if unknown' })),
        read_at: Timestamp(),
        passages,
      }),
    ),
    detections: Type.Array(
      Type.Object({ id, account_id, signal_id: Type.String(), detected_at: Type.String({ format: 'date' }), passages }),
      { description: 'Detections whose evidence or drafted texts name the person' },
    ),
    alerts: Type.Array(
      Type.Object({ id, type: Type.String(), channel: Type.String(), state: Type.String(), created_at: Timestamp() }),
      { description: 'Alerts about those detections and moves' },
    ),
    monitor_events: Type.Array(Type.Object({ id, account_id, url: Type.String(), created_at: Timestamp(), passages })),
    signal_examples: Type.Array(Type.Object({ id, signal_id: Type.String(), created_at: Timestamp(), passages }), {
      description: 'Sentences marked right or wrong for a signal',
    }),
    documents_searched: Type.Integer({
      description: 'All documents of the company, and the newest of other companies',
    }),
    documents_kept: Type.Integer(),
    page: Type.Integer(),
    has_more: Type.Boolean(),
  },
  example,
)
export type PersonExport = Static<typeof PersonExport>

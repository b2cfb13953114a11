import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'
import { RelationshipFilter, STATUSES } from '../accounts/schema.ts'

export const MAX_REASON_CHARS = 500
export const MAX_WEEKS = 104

/** A field or filter beyond the published specification. */
const beyond = { 'x-extension': true }

const Span = Type.Object(
  { text: Type.String(), start: Type.Integer(), end: Type.Integer() },
  { description: 'Words of the quote, with their offsets' },
)

const role = OneOf(['acquirer', 'acquired', 'merging', 'seller'], {
  description: 'The role of the company in a deal',
  ...beyond,
})

const Details = Type.Object(
  {
    amount: Nullable(Span),
    people: Type.Array(Span),
    position: Nullable(Span),
    places: Type.Array(Span),
    partners: Type.Array(Span),
    product: Nullable(Span),
    date: Nullable(Span),
  },
  { description: 'What the quote names in addition to the company' },
)

const evidenceExample = {
  claim: 'Northwind Freight raises $20 million',
  quote: 'Northwind Freight closed its Series B of $20 million.',
  details: {
    amount: { text: '$20 million', start: 41, end: 52 },
    people: [],
    position: null,
    places: [],
    partners: [],
    product: null,
    date: null,
  },
  source_url: 'https://northwind.example/news',
  published_date: '2026-11-11',
  judged_by: '3f6c1a90be27',
}

export const Evidence = Rec(
  'Evidence',
  {
    claim: Type.String({ description: 'What happened, in a few words' }),
    // Absent in rows written by workers of an older version during an update.
    quote: Type.Optional(Nullable(Type.String({ description: 'The sentence of the source that proves it' }))),
    details: Type.Optional(Nullable(Details)),
    source_url: Nullable(Type.String()),
    published_date: Nullable(Type.String({ format: 'date' })),
    judged_by: Type.Optional(
      Nullable(
        Type.String({
          description:
            'The version of the classifier that judged it, with "+ <model>" where a language model confirmed it; or the language model that read a document in another language',
        }),
      ),
    ),
    role: Type.Optional(role),
  },
  evidenceExample,
)

const feedbackExample = {
  verdict: 'right',
  reason: null,
  by: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d80',
  at: '2026-11-12T08:10:00.000Z',
}

export const Feedback = Rec(
  'Feedback',
  {
    verdict: OneOf(['right', 'wrong']),
    reason: Nullable(Type.String()),
    by: Nullable(Type.String({ description: 'The author; null when the member was removed' })),
    at: Timestamp(),
  },
  feedbackExample,
)
export type Feedback = Static<typeof Feedback>

export const GiveFeedback = Body(
  'GiveFeedback',
  {
    verdict: Nullable(OneOf(['right', 'wrong'], { description: 'null takes back what was said' })),
    reason: Type.Optional(Nullable(Type.String({ maxLength: MAX_REASON_CHARS }))),
  },
  { verdict: 'wrong', reason: 'That is another company of this name.' },
)
export type GiveFeedback = Static<typeof GiveFeedback>

const text = (description: string) => Nullable(Type.String({ description }))

export const DetectionDraft = Type.Object(
  {
    person_id: text('The recipient; null for a person in the news who is not in People yet'),
    full_name: text('Null when no suitable person is known'),
    title: Nullable(Type.String()),
    subject: text('Of the email'),
    body: text('Of the email, as plain text with greeting and signature'),
    short_message: text('For a chat or a social network'),
    call_opener: text('The first sentences of a call'),
    is_signed: Type.Boolean({ description: 'false: the account has no owner, or their profile is not complete' }),
    note: text('Why there is no message, and what to do'),
    edited_at: Nullable(Timestamp({ description: 'When a member edited it last; edited drafts are not redrafted' })),
  },
  { description: 'The message to the person who is concerned and buys', ...beyond },
)
export type DetectionDraft = Static<typeof DetectionDraft>

export const EditDraft = Body(
  'EditDraft',
  {
    subject: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    body: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S' }),
    short_message: Type.Optional(Type.String({ maxLength: 2_000 })),
    call_opener: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  {
    subject: 'The terminal in Basel',
    body: 'Hello Ewa,\n\nI saw that you opened a terminal in Basel. …\n\nCheers,\nDana',
  },
)
export type EditDraft = Static<typeof EditDraft>

export const draftExample = {
  person_id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91',
  full_name: 'Ewa Lis',
  title: 'VP Operations',
  subject: 'The new round',
  body: 'Hi Ewa,\n\nCongratulations on the round.',
  short_message: 'Hi Ewa, congratulations on the round. Open to a short exchange?',
  call_opener: 'Hi Ewa, I’m calling because you raised $20 million.',
  is_signed: false,
  note: null,
  edited_at: null,
}

const fields = {
  id: Type.String(),
  signal_id: Type.String(),
  signal_present: Type.Boolean(),
  alpha: Type.Integer(),
  icp_fit: Type.Integer(),
  detected_at: Type.String({ format: 'date' }),
  headline: Nullable(Type.String()),
  narrative: Nullable(Type.String()),
  why_reach_out_md: Nullable(Type.String()),
  drafted_message_md: Nullable(
    Type.String({ description: 'The drafted email; null without a person to write to, or one whom you may not see' }),
  ),
  draft: Nullable(DetectionDraft),
  evidence: Type.Array(Evidence),
  key_facts: Type.Array(Type.String()),
  personas: Type.Array(Type.String()),
  sources: Type.Array(Type.String()),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The probability that it is true; 0 where absent',
    ...beyond,
  }),
  feedback: Nullable(
    Type.Object(Feedback.properties, { description: 'The feedback of a member; null without feedback', ...beyond }),
  ),
  created_at: Timestamp(),
}

const example = {
  id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d88',
  signal_id: 'funding',
  signal_present: true,
  alpha: 81,
  icp_fit: 70,
  detected_at: '2026-11-12',
  headline: 'Northwind Freight raised a round',
  narrative: 'The company announced new funding on 11 November.',
  why_reach_out_md: 'New money, and a hub to equip.',
  drafted_message_md: '**Subject:** The new round\n\nHi Ewa,\n\nCongratulations on the round.',
  draft: draftExample,
  evidence: [evidenceExample],
  key_facts: ['Series B'],
  personas: ['VP Operations'],
  sources: ['https://northwind.example/news'],
  confidence: 0.94,
  feedback: feedbackExample,
  created_at: '2026-11-12T06:30:00.000Z',
}

export const Detection = Rec('SignalDetection', fields, example)

export const FeedEntry = Rec(
  'FeedEntry',
  {
    ...fields,
    account: Type.Object({
      id: Type.String(),
      name: Type.String(),
      domain: Nullable(Type.String()),
      logo_url: Nullable(Type.String()),
      status: OneOf([...STATUSES]),
      score: Type.Integer(),
      is_hot: Type.Boolean(),
      owner_id: Nullable(Type.String()),
      tags: Type.Array(Type.String()),
      why_now_md: Nullable(Type.String()),
    }),
  },
  {
    ...example,
    account: {
      id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
      name: 'Northwind Freight',
      domain: 'northwind.example',
      logo_url: null,
      status: 'active',
      score: 72,
      is_hot: true,
      owner_id: null,
      tags: ['rail', 'q4'],
      why_now_md: 'Raised a round on 11 November and is opening a second hub.',
    },
  },
)

const flag = (description: string) => Type.Optional(Type.Boolean({ description, ...beyond }))

export const SignalsQuery = Type.Object({
  present: flag('true: only detected signals. false: only absent ones'),
  wrong: flag('true: only detections marked as wrong; by default these are left out'),
})

const feedFilters = {
  signal_id: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'Only detections of this signal, or of several, separated by commas; disabled ones included',
    }),
  ),
  owner_id: Type.Optional(Type.String({ description: 'Only of accounts with this owner' })),
  tag: Type.Optional(Type.String({ description: 'Only of accounts with this tag' })),
  hot: Type.Optional(Type.Boolean({ description: 'true: only of hot accounts. false: only of others' })),
  status: Type.Optional(
    OneOf([...STATUSES], {
      description: 'Only of accounts with this status; by default all except rejected and unqualified',
    }),
  ),
  relationship: RelationshipFilter('Only of accounts with this relationship'),
  search: Type.Optional(Type.String({ maxLength: 300, description: 'Part of the name or the domain of the account' })),
  since: Type.Optional(Timestamp({ description: 'Only detections found after this time' })),
}

export const FeedQuery = Type.Object({ ...feedFilters, ...PageQuery(50) })
export type FeedQuery = Static<typeof FeedQuery>
export type FeedFilters = Omit<FeedQuery, 'page' | 'per_page'>

export const WeeksQuery = Type.Object({
  ...feedFilters,
  weeks: Type.Integer({
    minimum: 1,
    default: 12,
    description: `The number of weeks, including the current one; limited to ${MAX_WEEKS}`,
  }),
})
export type WeeksQuery = Static<typeof WeeksQuery>

export const Week = Rec(
  'FindingsOfWeek',
  {
    week: Type.String({ format: 'date', description: 'Its Monday' }),
    signal_id: Type.String(),
    count: Type.Integer({ minimum: 1 }),
  },
  { week: '2026-11-09', signal_id: 'funding', count: 4 },
)

export const DetectionParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  detection_id: Type.String({ format: 'uuid' }),
})

export const EvidencePassage = Rec(
  'EvidencePassage',
  {
    source_url: Nullable(Type.String()),
    title: text('The title of the document; null without one, or when the document was deleted'),
    published_date: Nullable(Type.String({ format: 'date' })),
    claim: Type.String(),
    quote: text('The sentence that proves it; null where the proof is not a sentence'),
    before: text('One or two sentences before it; null when they are not available'),
    after: text('One or two sentences after it'),
    role: Nullable(role),
    document_kept: Type.Boolean({ description: 'false: the document was deleted, only the sentence is stored' }),
  },
  {
    source_url: 'https://northwind.example/news',
    title: 'Northwind Freight raises $20 million',
    published_date: '2026-11-11',
    claim: 'Northwind Freight raises $20 million',
    quote: 'Northwind Freight closed its Series B of $20 million.',
    before: 'Hamburg, 11 November.',
    after: 'The money goes into a second hub.',
    role: null,
    document_kept: true,
  },
)

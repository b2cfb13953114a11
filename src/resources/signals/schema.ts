import { type Static, Type } from 'typebox'
import { Body, Nullable, OneOf, Rec, Timestamp } from '../../http/schema.ts'

/** More examples would not improve a signal. */
export const MAX_EXAMPLES = 100
export const MAX_SENTENCE_CHARS = 1000

const name = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '[\\p{L}\\p{N}]',
  description: 'With a letter or a digit in it',
})
const description = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  description: 'What to detect, in plain language',
})

const similar = Nullable(
  Type.Object(
    { id: Type.String(), name: Type.String() },
    { description: 'The built-in signal that the description is similar to, or a special case of' },
  ),
)

export const Signal = Rec(
  'Signal',
  {
    id: Type.String({ description: 'A readable slug' }),
    name: Type.String(),
    description: Type.String(),
    is_builtin: Type.Boolean(),
    enabled: Type.Boolean(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
    findings_30d: Type.Integer({ description: 'The number of detections in the last 30 days' }),
    color: Type.String({ description: 'Its colour in charts and lists; `gray` for custom signals' }),
    similar,
    feedback: Type.Object(
      {
        right: Type.Integer(),
        wrong: Type.Integer(),
        shift: Type.Number({
          minimum: -1,
          maximum: 1,
          description: 'The shift of the confidence that scores are computed with, in logits',
        }),
      },
      {
        description: 'The number of its detections marked as right and wrong, since the last change of the description',
      },
    ),
  },
  {
    id: 'warehouse_automation',
    name: 'Warehouse automation',
    description: 'The company is automating a warehouse or has ordered robots for one.',
    is_builtin: false,
    enabled: true,
    created_at: '2026-11-01T08:00:00.000Z',
    updated_at: '2026-11-01T08:00:00.000Z',
    findings_30d: 4,
    color: 'gray',
    similar: null,
    feedback: { right: 12, wrong: 2, shift: 0.22 },
  },
)

const verdict = OneOf(['right', 'wrong'])
const sentence = Type.String({ minLength: 1, maxLength: MAX_SENTENCE_CHARS, pattern: '\\S' })
const confidence = { minimum: 0, maximum: 1 }

export const MarkExample = Body(
  'MarkSignalExample',
  {
    sentence,
    verdict,
    confidence: Type.Optional(
      Nullable(
        Type.Number({
          ...confidence,
          description: 'Its confidence in a preview without examples; moves the threshold',
        }),
      ),
    ),
  },
  { sentence: 'Northwind Freight sells picking robots to warehouses.', verdict: 'wrong', confidence: 0.7 },
)

export const SignalExample = Rec(
  'SignalExample',
  {
    id: Type.String(),
    sentence: Type.String(),
    verdict,
    confidence: Nullable(
      Type.Number({ ...confidence, description: 'The confidence of the classifier with the current description' }),
    ),
    created_at: Timestamp(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d91',
    sentence: 'Northwind Freight sells picking robots to warehouses.',
    verdict: 'wrong',
    confidence: 0.7,
    created_at: '2026-11-12T08:10:00.000Z',
  },
)

const examples = Type.Optional(
  Type.Array(MarkExample, {
    maxItems: MAX_EXAMPLES,
    description: 'Sentences marked as right or wrong, which refine the signal',
  }),
)

export const CreateSignal = Body(
  'CreateSignal',
  { name, description, enabled: Type.Optional(Type.Boolean()), examples },
  { name: 'Warehouse automation', description: 'The company is automating a warehouse or has ordered robots for one.' },
)

export const UpdateSignal = Body(
  'UpdateSignal',
  { name: Type.Optional(name), description: Type.Optional(description), enabled: Type.Optional(Type.Boolean()) },
  { enabled: false },
)

export const ExampleParams = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9_]{1,80}$' }),
  example_id: Type.String({ format: 'uuid' }),
})

export const SignalParams = Type.Object({ id: Type.String({ pattern: '^[a-z0-9_]{1,80}$' }) })

export const PreviewSignal = Body(
  'PreviewSignal',
  {
    description,
    title: Type.Optional(Type.String({ maxLength: 1000 })),
    company: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The company to detect the signal for' }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200_000,
        description: 'The text to try it on; by default the documents read last for your accounts',
      }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description: 'Without a text: only documents published in this number of days, the newest first',
      }),
    ),
    examples,
  },
  {
    description: 'The company is automating a warehouse or has ordered robots for one.',
    text: 'Northwind Freight ordered 40 picking robots for its warehouse in Graz.',
  },
)
export type PreviewSignal = Static<typeof PreviewSignal>

export const Preview = Rec(
  'SignalPreview',
  {
    judged_by: Nullable(Type.String({ description: 'The version of the classifier' })),
    similar,
    matches: Type.Array(Type.Object({ sentence: Type.String(), confidence: Type.Number() }), {
      description: 'Sentences of the given text that match, the most likely first',
    }),
    documents: Nullable(Type.Integer({ description: 'The number of documents searched; null for a given text' })),
    documents_published: Nullable(
      Type.Integer({ description: 'The number of documents in the period; null without `days`' }),
    ),
    since: Nullable(Type.String({ format: 'date', description: 'The first day of the period; null without `days`' })),
    findings: Type.Array(
      Type.Object({
        account_id: Type.String(),
        account_name: Type.String(),
        sentence: Type.String(),
        confidence: Type.Number(),
        source_url: Nullable(Type.String()),
        published_date: Nullable(Type.String({ format: 'date' })),
      }),
      { description: 'Findings in your own documents' },
    ),
    unread: Type.Array(Type.Object({ url: Type.String(), reason: Type.String() }), {
      description: 'Documents that could not be searched',
    }),
  },
  {
    judged_by: '3f6c1a90be27',
    similar: null,
    matches: [{ sentence: 'Northwind Freight ordered 40 picking robots for its warehouse in Graz.', confidence: 0.8 }],
    documents: null,
    documents_published: null,
    since: null,
    findings: [],
    unread: [],
  },
)

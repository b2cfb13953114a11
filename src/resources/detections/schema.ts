import { Type } from 'typebox'
import { Nullable, Rec, Timestamp } from '../../http/schema.ts'

const Span = Type.Object(
  { text: Type.String(), start: Type.Integer(), end: Type.Integer() },
  { description: 'Words of the quote, and where they stand in it' },
)

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
  { description: 'What the quote names beside the company' },
)

export const Detection = Rec(
  'SignalDetection',
  {
    id: Type.String(),
    signal_id: Type.String(),
    signal_present: Type.Boolean(),
    alpha: Type.Integer(),
    icp_fit: Type.Integer(),
    detected_at: Type.String({ format: 'date' }),
    headline: Nullable(Type.String()),
    narrative: Nullable(Type.String()),
    why_reach_out_md: Nullable(Type.String()),
    drafted_message_md: Nullable(Type.String()),
    evidence: Type.Array(
      Type.Object({
        claim: Type.String({ description: 'What happened, in a few words' }),
        // Not there in what a worker of an older version writes while it still runs.
        quote: Type.Optional(Nullable(Type.String({ description: 'The sentence of the source that proves it' }))),
        details: Type.Optional(Nullable(Details)),
        source_url: Nullable(Type.String()),
        published_date: Nullable(Type.String({ format: 'date' })),
        judged_by: Type.Optional(
          Nullable(Type.String({ description: 'The version of the reader that judged it, or `linear`' })),
        ),
      }),
    ),
    key_facts: Type.Array(Type.String()),
    personas: Type.Array(Type.String()),
    sources: Type.Array(Type.String()),
    created_at: Timestamp(),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d88',
    signal_id: 'funding',
    signal_present: true,
    alpha: 81,
    icp_fit: 70,
    detected_at: '2026-11-12',
    headline: 'Northwind Freight raised a round',
    narrative: 'The company announced new funding on 11 November.',
    why_reach_out_md: 'New money, and a hub to equip.',
    drafted_message_md: 'Congratulations on the round.',
    evidence: [
      {
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
      },
    ],
    key_facts: ['Series B'],
    personas: ['VP Operations'],
    sources: ['https://northwind.example/news'],
    created_at: '2026-11-12T06:30:00.000Z',
  },
)

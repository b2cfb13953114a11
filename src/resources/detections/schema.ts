import { Type } from 'typebox'
import { Nullable, Rec, Timestamp } from '../../http/schema.ts'

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
        claim: Type.String(),
        source_url: Nullable(Type.String()),
        published_date: Nullable(Type.String({ format: 'date' })),
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
        claim: 'Northwind Freight closed its Series B.',
        source_url: 'https://northwind.example/news',
        published_date: '2026-11-11',
      },
    ],
    key_facts: ['Series B'],
    personas: ['VP Operations'],
    sources: ['https://northwind.example/news'],
    created_at: '2026-11-12T06:30:00.000Z',
  },
)

import { type Static, Type } from 'typebox'
import { Body, Rec, Timestamp } from '../../http/schema.ts'

const name = Type.String({ minLength: 1, maxLength: 80, pattern: '[\\p{L}\\p{N}]' })
const description = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: '\\S',
  description: 'What to look for, in plain language',
})

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
  },
  {
    id: 'warehouse_automation',
    name: 'Warehouse automation',
    description: 'The company is automating a warehouse or has ordered robots for one.',
    is_builtin: false,
    enabled: true,
    created_at: '2026-11-01T08:00:00.000Z',
    updated_at: '2026-11-01T08:00:00.000Z',
  },
)

export const CreateSignal = Body(
  'CreateSignal',
  { name, description, enabled: Type.Optional(Type.Boolean()) },
  { name: 'Warehouse automation', description: 'The company is automating a warehouse or has ordered robots for one.' },
)

export const UpdateSignal = Body(
  'UpdateSignal',
  { name: Type.Optional(name), description: Type.Optional(description), enabled: Type.Optional(Type.Boolean()) },
  { enabled: false },
)

export const SignalParams = Type.Object({ id: Type.String({ pattern: '^[a-z0-9_]{1,80}$' }) })

export const PreviewSignal = Body(
  'PreviewSignal',
  {
    description,
    title: Type.Optional(Type.String({ maxLength: 1000 })),
    text: Type.String({ minLength: 1, maxLength: 200_000, description: 'The text to try it on' }),
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
    terms: Type.Array(
      Type.Object({
        term: Type.String(),
        synonyms: Type.Array(Type.String(), { description: 'Words that count as the same' }),
      }),
      { description: 'What the description was reduced to' },
    ),
    required: Type.Integer({ description: 'How many different terms a sentence must hold' }),
    matches: Type.Array(
      Type.Object({ sentence: Type.String(), terms: Type.Array(Type.String()), confidence: Type.Number() }),
    ),
  },
  {
    terms: [{ term: 'warehouse', synonyms: ['warehouses', 'distribution center'] }],
    required: 2,
    matches: [
      {
        sentence: 'Northwind Freight ordered 40 picking robots for its warehouse in Graz.',
        terms: ['robots', 'warehouse'],
        confidence: 0.8,
      },
    ],
  },
)

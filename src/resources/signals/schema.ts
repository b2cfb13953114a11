import { Type } from 'typebox'
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

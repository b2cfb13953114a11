import { Type } from 'typebox'
import { Body, Nullable, OneOf } from '../../http/schema.ts'

/** Pushes take any number of ids. */
export const PUSH_BODY_LIMIT = 64 * 1024 * 1024

const ids = Type.Array(Type.String())
const destinationId = Type.String({ maxLength: 100 })
const destination = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da0'

export const PushAccounts = Body(
  'PushAccounts',
  { destination_id: destinationId, account_ids: ids },
  { destination_id: destination, account_ids: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'] },
)

export const PushPeople = Body(
  'PushPeople',
  { destination_id: destinationId, contact_ids: ids },
  { destination_id: destination, contact_ids: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90'] },
)

const pushed = {
  pushed: Type.Integer(),
  failed: Type.Integer(),
  skipped: Type.Integer({ description: 'Ids that name nothing you can see, or that came before in the list' }),
  errors: Type.Array(Type.Object({ id: Type.String(), status: Nullable(Type.Integer()), message: Type.String() })),
}

const started = { run_id: Type.String(), total: Type.Integer(), status: OneOf(['running']) }

/** Up to 100 records are sent at once and counted; more become a run to poll. */
export const Pushed = {
  anyOf: [Type.Object(pushed, { title: 'Pushed' }), Type.Object(started, { title: 'PushStarted' })],
  examples: [{ pushed: 1, failed: 0, skipped: 0, errors: [] }],
}

export type Pushed =
  | {
      pushed: number
      failed: number
      skipped: number
      errors: { id: string; status: number | null; message: string }[]
    }
  | { run_id: string; total: number; status: 'running' }

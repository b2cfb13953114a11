import { type Static, Type } from 'typebox'
import { Body, Nullable } from '../../http/schema.ts'
import { HandedOver, PushStarted, skippedRecords } from '../push-runs/schema.ts'

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
  pushed: Type.Integer({ description: 'Records the receiver has acknowledged' }),
  failed: Type.Integer({ description: 'Records it refused, or did not acknowledge at the last attempt' }),
  skipped: Type.Integer({ description: 'Ids that name nothing you can see, or that came before in the list' }),
  errors: Type.Array(Type.Object({ id: Type.String(), status: Nullable(Type.Integer()), message: Type.String() })),
  skipped_records: skippedRecords,
}

const Done = Type.Object(pushed, { title: 'Pushed' })
const GoesOn = Type.Object({ ...pushed, ...HandedOver.properties }, { title: 'PushedInPart' })

/** Up to 100 records are sent while the caller waits; what is not delivered in time, and more, is a run to poll. */
export const Pushed = {
  // The longer shape first: an answer is written by the first that fits.
  anyOf: [GoesOn, Done, PushStarted],
  examples: [{ pushed: 1, failed: 0, skipped: 0, errors: [], skipped_records: [] }],
}

export type Pushed = Static<typeof Done> | Static<typeof GoesOn> | Static<typeof PushStarted>

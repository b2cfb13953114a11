import { type Static, Type } from 'typebox'
import { Body, Nullable } from '../../http/schema.ts'
import { PushStarted, retryInBackground, skippedRecords } from '../../resources/push-runs/schema.ts'

/** A push accepts any number of ids. */
export const PUSH_BODY_LIMIT = 64 * 1024 * 1024

const ids = Type.Array(Type.String())
const destinationId = Type.String({ maxLength: 100 })
const destination = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da0'

export const PushAccounts = Body(
  'PushAccounts',
  { destination_id: destinationId, account_ids: ids, retry: retryInBackground },
  { destination_id: destination, account_ids: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'] },
)

export const PushPeople = Body(
  'PushPeople',
  { destination_id: destinationId, contact_ids: ids, retry: retryInBackground },
  { destination_id: destination, contact_ids: ['019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d90'] },
)

const pushed = {
  pushed: Type.Integer({ description: 'Records the receiver has acknowledged' }),
  failed: Type.Integer({ description: 'Records the receiver refused, or did not acknowledge within the call' }),
  skipped: Type.Integer({ description: 'Ids that name no record you can see, or that are repeated in the list' }),
  errors: Type.Array(Type.Object({ id: Type.String(), status: Nullable(Type.Integer()), message: Type.String() })),
  skipped_records: skippedRecords,
}

const Done = Type.Object(pushed, { title: 'Pushed' })

/** Up to 100 records are sent while the caller waits; more, or on request, are a run to poll. */
export const Pushed = {
  anyOf: [Done, PushStarted],
  examples: [{ pushed: 1, failed: 0, skipped: 0, errors: [], skipped_records: [] }],
}

export type Pushed = Static<typeof Done> | Static<typeof PushStarted>

import { type Static, Type } from 'typebox'
import { Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'

const status = OneOf(['running', 'completed', 'failed'])

const SkippedRecord = Type.Object({ id: Type.String(), message: Type.String({ description: 'Why, in a sentence' }) })
export type SkippedRecord = Static<typeof SkippedRecord>

/** Every answer of an inline push names the records it skipped. */
export const skippedRecords = Type.Array(SkippedRecord, { description: 'The records that were skipped, and why' })

/** Extension of every push: asks for a run in the background. */
export const retryInBackground = Type.Optional(
  Type.Boolean({
    description:
      'true: a run in the background, also for 100 ids or fewer. What is not delivered is tried again over minutes. The header `Prefer: respond-async` does the same',
    'x-extension': true,
  }),
)

/** How pushes answer, in the description of each. */
export const PUSH_DESCRIPTION =
  'Up to 100 ids are pushed while you wait, for less than 20 seconds, and counted (200): what the receiver did not take by then is in `failed` with its reason and is not sent again. More than 100 ids, `retry: true` or the header `Prefer: respond-async` start a run in the background (202): GET /push-runs/{id} shows its progress.'

/** The answer to the start of a run in the background (202). */
export const PushStarted = Type.Object(
  { run_id: Type.String(), total: Type.Integer(), status: OneOf(['running']) },
  { title: 'PushStarted' },
)

export const PushRun = Rec(
  'PushRun',
  {
    id: Type.String(),
    channel: OneOf(['webhook', 'crm']),
    record_type: OneOf(['accounts', 'people']),
    status: { ...status, description: 'failed: nothing was delivered, and something should have been' },
    destination: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'Of a webhook push; null when it was deleted since' },
      ),
    ),
    providers: Type.Array(Type.String(), { description: 'The CRMs of a CRM push' }),
    total: Type.Integer({ description: 'Ids as they were sent; an id that comes again is skipped' }),
    sent: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer(),
    error_sample: Type.Array(
      Type.Object({
        id: Nullable(Type.String()),
        name: Nullable(Type.String({ description: 'Of the record; null when it is no longer there' })),
        status: Nullable(Type.Integer()),
        message: Type.String(),
      }),
      { description: 'At most 10 of what went wrong; id is null for what ended the whole run' },
    ),
    skipped_sample: Type.Array(SkippedRecord, { description: 'At most 10 of what was skipped, and why' }),
    created_at: Timestamp(),
    finished_at: Nullable(Timestamp()),
  },
  {
    id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da3',
    channel: 'webhook',
    record_type: 'accounts',
    status: 'completed',
    destination: { id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9da0', name: 'Data warehouse' },
    providers: [],
    total: 500,
    sent: 498,
    failed: 1,
    skipped: 1,
    error_sample: [
      {
        id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87',
        name: 'Northwind Robotics',
        status: 422,
        message: 'The receiver answered 422.',
      },
    ],
    skipped_sample: [{ id: '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d88', message: 'It names no record that you can see.' }],
    created_at: '2026-11-14T09:30:00.000Z',
    finished_at: '2026-11-14T09:31:10.000Z',
  },
)

export const PushRunsQuery = Type.Object({ status: Type.Optional(status), ...PageQuery(25) })

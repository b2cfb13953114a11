import { type Static, Type } from 'typebox'
import { Nullable, OneOf, PageQuery, Rec, Timestamp } from '../../http/schema.ts'

const status = OneOf(['running', 'completed', 'failed'])

const SkippedRecord = Type.Object({ id: Type.String(), message: Type.String({ description: 'Why, in a sentence' }) })
export type SkippedRecord = Static<typeof SkippedRecord>

/** Every response to an inline push lists the skipped records. */
export const skippedRecords = Type.Array(SkippedRecord, { description: 'The skipped records with the reason' })

/** Extension of every push: requests a run in the background. */
export const retryInBackground = Type.Optional(
  Type.Boolean({
    description:
      'true: a run in the background, also for 100 ids or fewer. Rows that are not delivered are retried for minutes. The header `Prefer: respond-async` does the same',
    'x-extension': true,
  }),
)

/** The description of every push operation. */
export const PUSH_DESCRIPTION =
  'Up to 100 ids are pushed while you wait, for less than 20 seconds, and counted (200): records the receiver did not accept by then are in `failed` with the reason and are not sent again. More than 100 ids, `retry: true` or the header `Prefer: respond-async` start a run in the background (202): GET /push-runs/{id} shows its progress.'

/** The response that starts a run in the background (202). */
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
        { description: 'The destination of a webhook push; null when it was deleted' },
      ),
    ),
    providers: Type.Array(Type.String(), { description: 'The CRMs of a CRM push' }),
    total: Type.Integer({ description: 'Ids in the request; a repeated id is skipped' }),
    sent: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer(),
    error_sample: Type.Array(
      Type.Object({
        id: Nullable(Type.String()),
        name: Nullable(Type.String({ description: 'Name of the record; null when it was deleted' })),
        status: Nullable(Type.Integer()),
        message: Type.String(),
      }),
      { description: 'At most 10 errors; id is null for an error that ended the whole run' },
    ),
    skipped_sample: Type.Array(SkippedRecord, { description: 'At most 10 skipped ids with the reason' }),
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

import type { ColumnType, Generated } from 'kysely'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

type WebhookDestinations = {
  workspace_id: string
  id: string
  name: string
  url_sealed: Buffer
  url_masked: string
  secret_sealed: Buffer
  former_secret_sealed: Buffer | null
  former_secret_until: NullableTimestamp
  created_at: TimestampColumn
}

export type PushChannel = 'webhook' | 'crm'
export type PushRecordType = 'accounts' | 'people'

type PushRuns = {
  workspace_id: string
  id: string
  channel: PushChannel
  record_type: PushRecordType
  status: 'running' | 'completed' | 'failed'
  failure: string | null
  destination_id: string | null
  /** The CRMs of a CRM push. */
  providers: Generated<string[]>
  total: number
  sent: Generated<number>
  failed: Generated<number>
  skipped: Generated<number>
  created_at: TimestampColumn
  finished_at: NullableTimestamp
  touched_at: TimestampColumn
  /** The member with scoped visibility who started the run; null when its author sees all people. */
  scoped_to: string | null
  /** The time of the last retry. */
  reopened_at: NullableTimestamp
  /** The deadline of an inline push; null for a background run. */
  ends_at: NullableTimestamp
  /** Ids that do not exist: the first of them, shortened. */
  surplus: Generated<string[]>
}

type PushRows = {
  workspace_id: string
  run_id: string
  record_id: string
  position: number
  state: 'pending' | 'sent' | 'failed' | 'skipped'
  attempts: Generated<number>
  next_attempt_at: TimestampColumn
  status: number | null
  message: string | null
  /** The state if it is failed or skipped; for the index of such rows. */
  unsent: ColumnType<'failed' | 'skipped' | null, never, never>
  providers_done: Generated<string[]>
  /** The last response of each CRM. */
  outcomes: RowOutcomes | null
}

/** A range of positions of a run with rows to send, leased to one worker at a time. */
type PushRanges = {
  workspace_id: string
  run_id: string
  first_position: number
  last_position: number
  due_at: TimestampColumn
  lease_id: string | null
  lease_until: NullableTimestamp
}

export type RowOutcomes = Record<string, { created: boolean; error: string | null }>

type Deliveries = {
  workspace_id: string
  id: string
  destination_id: string
  run_id: string | null
  record_id: string | null
  webhook_id: string
  attempt: number
  status: number | null
  message: string | null
  latency_ms: number
  answer: string | null
  /** SHA-256 of the sent body; null where it is unknown or must not be stored. */
  body_digest: Buffer | null
  sent_at: NullableTimestamp
  created_at: TimestampColumn
}

export type PushTables = {
  webhook_destinations: WebhookDestinations
  push_runs: PushRuns
  push_rows: PushRows
  push_ranges: PushRanges
  deliveries: Deliveries
}

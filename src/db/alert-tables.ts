import type { Generated } from 'kysely'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type AlertType = 'signal.detected' | 'account.suggested' | 'people.job_changed'
export type AlertChannel = 'webhook' | 'chat'

export type Alerts = {
  workspace_id: string
  id: string
  type: AlertType
  /** The account of detections or of people who moved; null for suggested accounts. */
  account_id: string | null
  run_id: string | null
  /** While open, further findings of the run are added to it. */
  is_open: Generated<boolean>
  created_at: TimestampColumn
}

export type AlertItems = {
  workspace_id: string
  /** A detection, a suggested account or a move. */
  record_id: string
  alert_id: string
}

export type AlertDeliveries = {
  workspace_id: string
  alert_id: string
  channel: AlertChannel
  state: Generated<'pending' | 'sent' | 'failed' | 'dropped'>
  attempts: Generated<number>
  next_attempt_at: TimestampColumn
  lease_id: string | null
  lease_until: NullableTimestamp
  status: number | null
  message: string | null
  /** The target of the last attempt, masked. */
  target: string | null
  finished_at: NullableTimestamp
}

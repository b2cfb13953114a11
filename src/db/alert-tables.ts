import type { Generated } from 'kysely'
import type { AccountStatus, Relationship } from './account-tables.ts'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

/** What a rule can alert about. */
export type AlertEvent = 'signal.detected' | 'account.suggested' | 'people.job_changed' | 'work_item.done'
/** A digest collects all events of a scheduled rule. */
export type AlertType = AlertEvent | 'digest'
export type AlertChannel = 'email' | 'chat_dm' | 'chat' | 'teams' | 'webhook'
export type AlertSchedule = 'at_once' | 'weekdays' | 'mondays'
export type IcpTier = 'A' | 'B' | 'C'

export type AlertRules = {
  workspace_id: string
  id: string
  /** Whose rule it is. */
  member_id: string
  name: string
  is_enabled: Generated<boolean>
  events: AlertEvent[]
  /** Empty lists match everything. */
  signals: Generated<string[]>
  min_score: Generated<number>
  /** Only accounts that the recipient owns. */
  only_mine: Generated<boolean>
  tags: Generated<string[]>
  statuses: Generated<AccountStatus[]>
  icp_tiers: Generated<IcpTier[]>
  relationships: Generated<Relationship[]>
  recipient: 'owner' | 'member' | 'channel'
  /** The recipient `member`. */
  to_member_id: string | null
  channel: AlertChannel
  chat_channel: string | null
  destination_id: string | null
  teams_url_sealed: Buffer | null
  teams_url_masked: string | null
  schedule: Generated<AlertSchedule>
  /** In the time zone of the receiving member, or of the rule's member for a shared place. */
  hour: Generated<number>
  created_at: TimestampColumn
}

export type AlertRuleOptOuts = { workspace_id: string; rule_id: string; member_id: string }

export type Alerts = {
  workspace_id: string
  id: string
  type: AlertType
  /** The account of detections, moves or work items; null for suggested accounts and digests. */
  account_id: string | null
  run_id: string | null
  /** Null for the default rule, which is the notification settings. */
  rule_id: string | null
  /** The receiving member; null for a shared place. */
  member_id: string | null
  /** While open, further findings of the run, or for a digest of all runs, are added to it. */
  is_open: Generated<boolean>
  created_at: TimestampColumn
}

export type AlertItems = {
  workspace_id: string
  /** The way to the receiver, such as `default`, `email:<member>` or `chat:<channel>`. */
  receiver: string
  /** A detection, a suggested account, a move or a work item. */
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

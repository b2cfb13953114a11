import type { ColumnType, Generated } from 'kysely'
import type { AccountStatus } from './account-tables.ts'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type WorkItemState = 'open' | 'snoozed' | 'done'
export type WorkItemEventKind = 'detection' | 'move' | 'deal'
export type WorkItemOutcome = 'contacted' | 'pushed' | 'not_relevant' | 'wrong'
/** One factor of the act-now score: `points` of 100, the reason, and the detection or move that it is. */
export type ActNowFactor = { name: string; points: number; why: string; record_id?: string }

type WorkItems = {
  workspace_id: string
  id: string
  account_id: string
  state: Generated<WorkItemState>
  outcome: WorkItemOutcome | null
  /** The day on which it is open again, in the time zone of the member who snoozed it, and the start of that day. */
  snoozed_until: string | null
  wakes_at: NullableTimestamp
  note: string | null
  /** Who set the state, and when; null before the first change. */
  changed_by: string | null
  changed_at: NullableTimestamp
  /** Copies of the account's columns, which a trigger updates. */
  owner_id: string | null
  account_status: AccountStatus
  act_now: Generated<number>
  factors: ColumnType<ActNowFactor[], string | undefined, string>
  /** The detection or move that matters most; null when the signals of all events are switched off. */
  lead_id: string | null
  /** The person to write to. */
  person_id: string | null
  opened_at: TimestampColumn
  created_at: TimestampColumn
}

type WorkItemEvents = {
  workspace_id: string
  record_id: string
  /** deal: a lost deal that is due for another try; its id is derived from the account and the day. */
  kind: WorkItemEventKind
  work_item_id: string
  created_at: TimestampColumn
}

export type ActivityKind =
  | 'reopened'
  | 'snoozed'
  | 'done'
  | 'copied'
  | 'emailed'
  | 'called'
  | 'pushed'
  | 'revealed'
  | 'replied'
  | 'meeting'
  | 'noted'

type AccountActivities = {
  workspace_id: string
  id: string
  account_id: string
  kind: ActivityKind
  /** The member who did it; null when the service did. */
  member_id: string | null
  person_id: string | null
  work_item_id: string | null
  note: string | null
  /** What else is known: the outcome, the day, the receiver of a push, what was revealed. */
  data: ColumnType<Record<string, string | number | null>, string | undefined, string>
  created_at: TimestampColumn
}

export type WorkItemTables = {
  work_items: WorkItems
  work_item_events: WorkItemEvents
  account_activities: AccountActivities
}

import type { ColumnType, Generated } from 'kysely'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

/** `later`: put off. `keep`: the defaults are right, so the step is done. */
export type SetupChoices = {
  steps?: Partial<Record<SetupStep, 'later' | 'keep'>>
  is_dismissed?: boolean
}

export type SetupStep = 'website' | 'profile' | 'crm' | 'companies' | 'signals' | 'alerts'

export type Members = {
  workspace_id: string
  id: string
  name: string
  email: string
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
  /** IANA name, for days and hours of alerts and snoozes. */
  time_zone: Generated<string>
  /** No longer read or written. Kept, so that the previous version still runs on this database. */
  feed_seen_at: NullableTimestamp
  /** What the member has decided about the setup. */
  setup: Generated<SetupChoices>
  created_at: TimestampColumn
}

/** How a member writes. A member without a row has saved nothing. */
export type MemberProfiles = {
  workspace_id: string
  member_id: string
  job_title: string | null
  signature: string | null
  tone: Generated<'brief' | 'warm' | 'formal'>
  calendar_url: string | null
  sample_messages: ColumnType<string[], string | undefined, string>
  /** Learned from the member's edits of drafts, as the two below. */
  greeting: string | null
  sign_off: string | null
  body_words: number | null
  updated_at: TimestampColumn
}

export type ApiKeys = {
  workspace_id: string
  id: string
  member_id: string
  name: string
  prefix: string
  hash: Buffer
  read_only: boolean
  expires_at: NullableTimestamp
  last_used_at: NullableTimestamp
  revoked_at: NullableTimestamp
  created_at: TimestampColumn
}

/** A signed-in browser. An ended session has no row, is past `expires_at`, or its key is revoked. */
export type Sessions = {
  workspace_id: string
  id: string
  member_id: string
  /** The key that opened the session: revoking it ends the session. */
  key_id: string | null
  hash: Buffer
  browser: string
  created_at: TimestampColumn
  last_used_at: TimestampColumn
  expires_at: TimestampColumn
}

export type SignInLinks = {
  workspace_id: string
  hash: Buffer
  member_id: string
  /** The key that its session will belong to. */
  key_id: string | null
  expires_at: TimestampColumn
  used_at: NullableTimestamp
}

import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type Members = {
  workspace_id: string
  id: string
  name: string
  email: string
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
  /** Up to when they have seen the feed. */
  feed_seen_at: NullableTimestamp
  created_at: TimestampColumn
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

/** A browser that is signed in. One that has ended has no row, or lies beyond `expires_at`, or its key is revoked. */
export type Sessions = {
  workspace_id: string
  id: string
  member_id: string
  /** The key it was opened with: it ends with it. */
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

import type { Generated } from 'kysely'
import type { RobotsFile } from '../engine/robots/rules.ts'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type MonitorEvents = {
  workspace_id: string
  id: string
  account_id: string
  url: string
  status: 'new' | 'changed' | 'unchanged' | 'failed'
  search_status: 'pending' | 'searched' | 'skipped' | 'failed'
  meaningful: boolean
  confidence: number
  reason: string
  /** The run that read the changes, or the id of the event that represents the check. */
  run_id: string
  /** When it was first seen. */
  created_at: TimestampColumn
  /** Of a failure: the number of failed checks, the time of the last, the pages, and the pages that still fail. */
  count: Generated<number>
  last_seen_at: TimestampColumn
  urls: Generated<string[]>
  failing: Generated<string[]>
}

export type Monitors = {
  workspace_id: string
  account_id: string
  next_check_at: TimestampColumn
  last_checked_at: NullableTimestamp
  checks: Generated<number>
  lease_id: string | null
  lease_until: NullableTimestamp
}

export type WatchedPages = {
  workspace_id: string
  account_id: string
  url: string
  kind: 'home' | 'about' | 'team' | 'careers' | 'press' | 'blog' | 'pricing' | 'feed'
  etag: string | null
  last_modified: string | null
  content_hash: string | null
  body_hash: string | null
  fresh_until: NullableTimestamp
  marks: Buffer
  changed_at: TimestampColumn
  failures: number
}

export type RobotsFiles = {
  origin: string
  file: RobotsFile | null
  etag: string | null
  last_modified: string | null
  fresh_until: TimestampColumn
}

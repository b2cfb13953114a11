import type { ColumnType, Generated } from 'kysely'

/** Timestamps leave the database as ISO 8601 strings: building a Date for each cost more than the query. */
type Timestamp = ColumnType<string, string | Date | undefined, string | Date>
type NullableTimestamp = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
type Json<T> = ColumnType<T, string, string>

type Workspaces = {
  id: string
  name: string
  domain: string | null
  created_at: Timestamp
}

type Installation = {
  one: Generated<boolean>
  workspace_id: string
  secrets_key_check: Buffer
}

type Members = {
  workspace_id: string
  id: string
  name: string
  email: string
  role: 'admin' | 'member'
  visibility: 'all' | 'scoped'
  created_at: Timestamp
}

type ApiKeys = {
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
  created_at: Timestamp
}

type Subscriptions = {
  workspace_id: string
  status: 'active' | 'inactive'
  account_limit: number
  period_start: Timestamp
  period_end: Timestamp
  credits_used: Generated<number>
}

type KnowledgeSections = {
  workspace_id: string
  id: string
  type: string
  title: string
  content_md: string
  source_url: string | null
  is_ai_generated: Generated<boolean>
  position: number
  created_at: Timestamp
}

type CompanyProfiles = {
  workspace_id: string
  name: string | null
  domain: string | null
  logo_url: string | null
  business_context: string | null
  scraped_meta: Json<Record<string, unknown>>
  updated_at: Timestamp
}

type NotificationSettings = {
  workspace_id: string
  webhook_url_sealed: Buffer | null
  webhook_enabled: boolean
  chat_channel: string | null
  chat_enabled: boolean
  notify_realtime: boolean
  notify_suggested: boolean
}

type Signals = {
  workspace_id: string
  id: string
  name: string
  description: string
  is_builtin: boolean
  enabled: boolean
  created_at: Timestamp
  updated_at: Timestamp
}

type IdempotencyKeys = {
  workspace_id: string
  member_id: string
  key: string
  request_hash: Buffer
  status: number | null
  answer_sealed: Buffer | null
  lease_until: Timestamp
  created_at: Timestamp
}

export type Database = {
  workspaces: Workspaces
  installation: Installation
  members: Members
  api_keys: ApiKeys
  subscriptions: Subscriptions
  knowledge_sections: KnowledgeSections
  company_profiles: CompanyProfiles
  notification_settings: NotificationSettings
  signals: Signals
  idempotency_keys: IdempotencyKeys
}

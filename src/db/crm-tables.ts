import type { ColumnType, Generated } from 'kysely'
import type { JsonColumn, NullableTimestamp, TimestampColumn } from './columns.ts'

export type Connections = {
  workspace_id: string
  provider: string
  credential_sealed: Buffer
  expires_at: NullableTimestamp
  /** Why the connection does not work, for display; null while it works. */
  problem: string | null
  /** When the problem resolves without action; null when it needs one. */
  problem_until: NullableTimestamp
  problem_since: NullableTimestamp
  /** The account at the vendor. */
  account: string | null
  connected_at: TimestampColumn
  updated_at: TimestampColumn
}

export type OauthStates = {
  workspace_id: string
  state_hash: Buffer
  provider: string
  /** The member who started it. */
  member_id: string
  verifier_sealed: Buffer
  expires_at: TimestampColumn
  /** The cookie of the browser that started it; null for an API key, in which case an admin has to confirm. */
  nonce_hash: Buffer | null
  /** The credentials the vendor granted, until an admin confirms them. */
  grant_sealed: Buffer | null
}

/** The signature of an accepted click in the chat. */
export type ChatInteractions = { workspace_id: string; signature: string; created_at: TimestampColumn }

type CrmRecords = {
  workspace_id: string
  provider: string
  /** The account at the vendor, as in `connections.account`. */
  portal: string
  crm_id: string
  written: JsonColumn<Record<string, string>>
  pushed_at: TimestampColumn
}

export type CrmCompanies = CrmRecords & { account_id: string }
export type CrmContacts = CrmRecords & {
  person_id: string
  /** The company to which the person was pushed. */
  company_id: string | null
}

/** The note and the task of a work item in a CRM. */
export type CrmActivities = {
  workspace_id: string
  provider: string
  portal: string
  work_item_id: string
  /** Both null while they are written under the lease. */
  note_id: string | null
  task_id: string | null
  lease_id: string | null
  lease_until: NullableTimestamp
  created_at: TimestampColumn
}

export type CrmAccountRule = 'customers' | 'open_deals' | 'owned'
export type CrmProblemKind = 'auth' | 'quota' | 'busy' | 'refused' | 'rights'

/** How far a CRM was read, and the settings of reading it. */
export type CrmSyncs = {
  workspace_id: string
  provider: string
  portal: string
  is_paused: Generated<boolean>
  account_rules: Generated<CrmAccountRule[]>
  field_sources: ColumnType<Record<string, 'crm' | 'research'>, string | undefined, string>
  field_mapping: ColumnType<Record<string, Record<string, string | null>>, string | undefined, string>
  positions: ColumnType<Record<string, string>, string | undefined, string>
  first_finished_at: NullableTimestamp
  started_at: NullableTimestamp
  finished_at: NullableTimestamp
  next_at: TimestampColumn
  missing_rights: Generated<string[]>
  problem: string | null
  problem_kind: CrmProblemKind | null
  failures: ColumnType<Record<string, { count: number; message: string; at: string }>, string | undefined, string>
  calls_left: number | null
  calls_limit: number | null
  lease_id: string | null
  lease_until: NullableTimestamp
  created_at: TimestampColumn
}

type Pulled = { workspace_id: string; provider: string; crm_id: string; pulled_at: TimestampColumn }
type PulledRecord = Pulled & { modified_at: TimestampColumn; deleted_at: NullableTimestamp }

export type PulledOwners = Pulled & {
  name: string | null
  email: string | null
  is_active: Generated<boolean>
  member_id: string | null
}

export type PulledCompanies = PulledRecord & {
  name: string
  domain: string | null
  fields: ColumnType<Record<string, string | number>, string | undefined, string>
  is_customer: Generated<boolean>
  is_former_customer: Generated<boolean>
  owner_crm_id: string | null
  account_id: string | null
  matched_by: 'id' | 'domain' | 'name' | 'rule' | null
  merged_into: string | null
}

export type PulledContacts = PulledRecord & {
  company_crm_id: string | null
  full_name: string | null
  email: string | null
  title: string | null
  phone: string | null
  country: string | null
  owner_crm_id: string | null
  person_id: string | null
  /** The person it was before it changed its company. */
  former_person_id: string | null
  is_erased: Generated<boolean>
  merged_into: string | null
}

export type PulledDeals = PulledRecord & {
  name: string
  company_crm_id: string | null
  contact_crm_ids: Generated<string[]>
  owner_crm_id: string | null
  stage: string | null
  /** A decimal number as text. */
  amount: string | null
  currency: string | null
  is_closed: boolean
  is_won: boolean
  lost_reason: string | null
  closes_on: string | null
  opened_on: string | null
}

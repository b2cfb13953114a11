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

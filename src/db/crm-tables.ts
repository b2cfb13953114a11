import type { JsonColumn, NullableTimestamp, TimestampColumn } from './columns.ts'

export type Connections = {
  workspace_id: string
  provider: string
  credential_sealed: Buffer
  expires_at: NullableTimestamp
  /** Why it does not work at the moment, for a person; null while it does. */
  problem: string | null
  /** When the problem ends by itself; null when it does not. */
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
  /** Who asked. */
  member_id: string
  verifier_sealed: Buffer
  expires_at: TimestampColumn
  /** The cookie of the browser that asked; null when a key did, and an admin has to confirm. */
  nonce_hash: Buffer | null
  /** What the vendor granted, until an admin confirms it. */
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
  /** The company it was put to. */
  company_id: string | null
}

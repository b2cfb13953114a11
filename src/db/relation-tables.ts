import type { Generated } from 'kysely'
import type { AccountStatus } from './account-tables.ts'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type RegisterName = 'gleif' | 'companies-house'
export type RelationKind = 'parent' | 'ultimate_parent' | 'subsidiary' | 'brand' | 'former_name'
type RelationStatus = 'active' | 'rejected'

type AccountRegistrations = {
  workspace_id: string
  account_id: string
  register: RegisterName
  register_id: string
  legal_name: string
  /** What proves that the record is about the company, as a sentence for users. */
  proof: string
  source_url: string | null
  /** A record that a member rejected is not used again. */
  status: Generated<RelationStatus>
  checked_at: TimestampColumn
}

type CompanyRelations = {
  workspace_id: string
  id: string
  account_id: string
  kind: RelationKind
  name: string
  /** The name that the source gave, where a member corrected it. */
  found_name: string | null
  domain: string | null
  register: RegisterName | null
  register_id: string | null
  /** The source that reported it, or `member`. */
  source: string
  source_url: string | null
  /** Whether news about the name is news about the account. */
  counts_as_account: boolean
  status: Generated<RelationStatus>
  created_by: string | null
  found_at: TimestampColumn
  /** When a member changed it last: research does not remove it. */
  edited_at: NullableTimestamp
}

/** A view: every name of an account. */
type AccountNames = {
  workspace_id: string
  account_id: string
  name: string
  /** As stated for the name itself. */
  domain: string | null
  account_domain: string | null
  /** The status of the account. */
  status: AccountStatus
}

export type RelationTables = {
  account_registrations: AccountRegistrations
  company_relations: CompanyRelations
  account_names: AccountNames
}

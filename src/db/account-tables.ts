import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type AccountStatus = 'suggested' | 'active' | 'rejected' | 'unqualified' | 'new'
export type AccountSource = 'api' | 'import' | 'discovery' | 'console' | 'crm'
export type ScoreComponent = { name: string; points: number; because: string }

/** What the team has with a company, from the deals and the stage in its CRM. */
export type Relationship = 'customer' | 'open_deal' | 'lost_deal' | 'former_customer' | 'none'
/** A value that a CRM has for a field of an account. */
export type CrmFieldValue = {
  value: string | number
  provider: string
  /** The record of the CRM that has the value. */
  crm_id?: string
  at: string
}

/** What the breakdown of the workforce of an account counts. */
export type WorkforceBasis = {
  text: string
  people: number
  postings: number
  /** The day of the snapshot of the job boards. */
  postings_on: string | null
  departments_of: 'people' | 'postings' | null
  countries_of: 'people' | 'postings' | null
  postings_by_department: Record<string, number>
  postings_by_country: Record<string, number>
}

/** Fields of an account that a person may override. */
export type Firmographics = {
  employees: number | null
  industry: string | null
  location: string | null
  country: string | null
  network_url: string | null
  short_description: string | null
}

export type Accounts = Firmographics & {
  workspace_id: string
  id: string
  name: string
  domain: string | null
  status: AccountStatus
  source: AccountSource
  score: Generated<number>
  score_components: ColumnType<ScoreComponent[], string | undefined, string>
  scored_at: NullableTimestamp
  /** The fit with the ideal customer at the last assessment, 0 to 100; null before the first. */
  icp_fit: number | null
  is_hot: Generated<boolean>
  qualified: Generated<boolean>
  tags: Generated<string[]>
  owner_id: string | null
  logo_url: string | null
  founded_year: number | null
  technologies: Generated<string[]>
  workforce_by_department: ColumnType<Record<string, number> | null, string | null | undefined, string | null>
  workforce_by_country: ColumnType<Record<string, number> | null, string | null | undefined, string | null>
  /** From what the two workforce columns were computed. */
  workforce_basis: ColumnType<WorkforceBasis | null, string | null | undefined, string | null>
  /** The number of people in `workforce_basis`, which the previous version reads and writes while processes are upgraded; null for none. */
  workforce_based_on: number | null
  overridden: Generated<string[]>
  /** Fields whose value comes from a CRM: research does not change them. */
  from_crm: Generated<string[]>
  /** The values of CRMs, used or not. */
  crm_fields: ColumnType<Partial<Record<keyof Firmographics, CrmFieldValue>>, string | undefined, string>
  relationship: Generated<Relationship>
  /** The day it began: the last deal was won, lost or opened. */
  relationship_on: string | null
  /** Why the last deal was lost, as the CRM says. */
  relationship_reason: string | null
  /** Researched values of the fields in `overridden` and `from_crm`. */
  researched: ColumnType<Partial<Firmographics>, string | undefined, string>
  why_now_md: string | null
  /** The move of a known person that made the company a suggestion. */
  suggested_by: string | null
  /** The file that it came in with. */
  import_id: string | null
  created_at: TimestampColumn
  activated_at: NullableTimestamp
  credited_period: NullableTimestamp
  last_signal_at: NullableTimestamp
  last_scanned_at: NullableTimestamp
  search_text: GeneratedAlways<string>
}

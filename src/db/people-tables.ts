import type { ColumnType, GeneratedAlways } from 'kysely'
import type { JobLevel } from '../engine/titles/levels.ts'
import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type { JobLevel } from '../engine/titles/levels.ts'

export type People = {
  workspace_id: string
  id: string
  account_id: string
  identity: string
  full_name: string
  title: string | null
  headline: string | null
  network_url: string | null
  email: string | null
  /** An address from an import. It is not verified, so it is not returned as `email`. */
  given_email: string | null
  /** The address that the company's website lists for this person by name. */
  published_email: string | null
  published_url: string | null
  /** How `email` was verified. */
  email_source: EmailSource | null
  /** Why the last check found no address, for display. */
  email_note: string | null
  email_checked_at: NullableTimestamp
  phone: string | null
  /** A number from the roster, in E.164; copied to `phone` when it is revealed. */
  found_phone: string | null
  found_phone_source: string | null
  /** The page of the company's website that shows the number. */
  found_phone_url: string | null
  phone_source: string | null
  phone_url: string | null
  phone_note: string | null
  phone_checked_at: NullableTimestamp
  location: string | null
  country_code: string | null
  connections_count: number | null
  profile_picture_url: string | null
  job_level: JobLevel | null
  /** Every origin of the person, the first one first. */
  sources: PersonSource[]
  /** The origin that is displayed: a match of a search takes precedence over the roster, and both over a CRM. */
  source: GeneratedAlways<PersonSource>
  icp_tier: number | null
  ranking: number | null
  owner_id: string | null
  /** The day since which a source shows that they left the company. */
  left_on: string | null
  /** The day on which a CRM reported the contact as deleted; null when it exists there or never did. */
  crm_deleted_on: string | null
  /** Earlier titles, oldest first. */
  title_history: ColumnType<TitleHistory, string | undefined, string>
  /** Where a search found them, if the roster did not contain them. */
  found_source: string | null
  found_url: string | null
  /** The page of the company's website that showed them last, and the title it gave. */
  shown_url: string | null
  shown_title: string | null
  /** When a vendor was last queried for the current employer, for followed people. */
  followed_at: NullableTimestamp
  created_at: TimestampColumn
  search_text: GeneratedAlways<string>
}

/** The origin of a person: a roster or an import, a match of Find People, or a contact in a CRM. */
export type PersonSource = 'employee' | 'waterfall' | 'crm'
export type EmailSource = 'published' | 'smtp' | 'zerobounce'
type TitleHistory = { title: string; until: string }[]

/** Evidence for a fact about a person. */
export type MoveSource = {
  url: string
  source: string
  /** The sentence that states the fact; absent when the source is not text. */
  quote?: string
  /** The date of the source, or of the check. */
  seen_on: string
}

export type PersonJobs = {
  workspace_id: string
  id: string
  person_id: string
  /** Employer and title in normalized form: the same job is one row. */
  key: string
  employer: string
  employer_domain: string | null
  account_id: string | null
  title: string | null
  from_day: string | null
  until_day: string | null
  /** Set even when the start date is unknown. */
  is_over: boolean
  sources: ColumnType<MoveSource[], string, string>
  created_at: TimestampColumn
}

export type MoveKind = 'left' | 'joined' | 'changed_role'

export type PersonMoves = {
  workspace_id: string
  id: string
  person_id: string
  key: string
  kind: MoveKind
  from_employer: string | null
  from_title: string | null
  to_employer: string | null
  to_title: string | null
  to_domain: string | null
  to_account_id: string | null
  happened_on: string | null
  evidence: ColumnType<MoveSource[], string, string>
  created_at: TimestampColumn
}

export type AccountRosters = {
  workspace_id: string
  account_id: string
  synced_at: TimestampColumn
  synced: number
  sources: ColumnType<RosterSource[], string, string>
}

/** The result of one source of a roster. */
export type RosterSource = {
  name: string
  outcome: 'items' | 'nothing' | 'failed'
  people: number
  /** Why it failed, or what it could not provide, for display. */
  reason: string | null
  /** When it was queried, where that differs from the time of the whole roster. */
  asked_at?: string
}

export type PeopleSearches = {
  workspace_id: string
  id: string
  query: string
  /** Null for searches from before this column existed, and of deleted members. */
  created_by: string | null
  /** The number of accounts to search, and how many are done, including email addresses. */
  accounts: ColumnType<number, number | undefined, number>
  accounts_done: ColumnType<number, number | undefined, number>
  problems: ColumnType<{ account_id: string; message: string }[], string | undefined, string>
  /** The deadline: a search that has not finished by then was interrupted. */
  ends_by: NullableTimestamp
  finished_at: NullableTimestamp
  created_at: TimestampColumn
}

export type PeopleSearchHits = {
  workspace_id: string
  search_id: string
  person_id: string
  tier: number
}

export type RoleLookups = {
  workspace_id: string
  account_id: string
  /** A key derived from the titles of the role. */
  role: string
  looked_at: TimestampColumn
  sources: ColumnType<RosterSource[], string, string>
}

export type Lookups = {
  workspace_id: string
  subject: string
  /** The claim of the process that does the lookup; only it may finish it. */
  claim: string
  lease_until: TimestampColumn
}

export type PeopleLists = {
  workspace_id: string
  id: string
  name: string
  /** Null for lists from before this column existed, and of deleted members. */
  created_by: string | null
  created_at: TimestampColumn
}

export type PeopleListMembers = {
  workspace_id: string
  list_id: string
  person_id: string
}

export type PeopleSuppressions = {
  workspace_id: string
  hash: Buffer
  created_at: TimestampColumn
}

/** The companies to which the suppression hashes with an account's id apply; outlives the account. */
export type ErasureScopes = {
  workspace_id: string
  /** A domain, or `name:` and the folded name of a company without a domain. */
  company: string
  account_id: string
  /** Names of the company in texts. */
  name: string | null
}

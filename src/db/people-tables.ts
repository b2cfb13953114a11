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
  /** An address that came with an import. Nobody has verified it, so it is not shown as `email`. */
  given_email: string | null
  /** The address the company's own page gives for this person by name. */
  published_email: string | null
  published_url: string | null
  /** How `email` was proven. */
  email_source: EmailSource | null
  /** Why the last check found none, for a person. */
  email_note: string | null
  email_checked_at: NullableTimestamp
  phone: string | null
  /** A number that came with the roster, in E.164; `phone` once somebody asks for it. */
  found_phone: string | null
  found_phone_source: string | null
  /** The page of the company's own that shows the number. */
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
  /** Every way they came in, the first one first. */
  sources: PersonSource[]
  /** The one shown: a search's match comes before the roster. */
  source: GeneratedAlways<PersonSource>
  icp_tier: number | null
  ranking: number | null
  owner_id: string | null
  /** The day since which a source shows them gone from the company. */
  left_on: string | null
  /** Titles they had before, oldest first. */
  title_history: ColumnType<TitleHistory, string | undefined, string>
  /** Where a search found them, for whom the roster did not know. */
  found_source: string | null
  found_url: string | null
  /** The page of the company's own that showed them last, and the title it gave. */
  shown_url: string | null
  shown_title: string | null
  /** When a vendor was last asked where they are, for whoever is followed. */
  followed_at: NullableTimestamp
  created_at: TimestampColumn
  search_text: GeneratedAlways<string>
}

/** A roster or an import; a match of Find People. */
export type PersonSource = 'employee' | 'waterfall'
export type EmailSource = 'published' | 'smtp' | 'zerobounce'
type TitleHistory = { title: string; until: string }[]

/** Where something about somebody was seen. */
export type MoveSource = {
  url: string
  source: string
  /** The sentence that says so; absent for what is no text. */
  quote?: string
  /** The day of the source, or of the look at it. */
  seen_on: string
}

export type PersonJobs = {
  workspace_id: string
  id: string
  person_id: string
  /** Employer and title as they compare: the same job is one row. */
  key: string
  employer: string
  employer_domain: string | null
  account_id: string | null
  title: string | null
  from_day: string | null
  until_day: string | null
  /** Also where nobody says since when. */
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

/** What one source brought to a roster. */
export type RosterSource = {
  name: string
  outcome: 'items' | 'nothing' | 'failed'
  people: number
  /** Why it failed, or what else it could not bring, for a person. */
  reason: string | null
  /** When it was asked, where that is not the time of the whole look. */
  asked_at?: string
}

export type PeopleSearches = {
  workspace_id: string
  id: string
  query: string
  /** Null for searches from before this was kept, and of members who are gone. */
  created_by: string | null
  /** How many accounts are searched, and how many of them are done, addresses included. */
  accounts: ColumnType<number, number | undefined, number>
  accounts_done: ColumnType<number, number | undefined, number>
  problems: ColumnType<{ account_id: string; message: string }[], string | undefined, string>
  /** When it is over at the latest: one that has not finished by then was interrupted. */
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
  /** A key of the role's titles. */
  role: string
  looked_at: TimestampColumn
  sources: ColumnType<RosterSource[], string, string>
}

export type Lookups = {
  workspace_id: string
  subject: string
  /** Whoever does the lookup; only it may end it. */
  claim: string
  lease_until: TimestampColumn
}

export type PeopleLists = {
  workspace_id: string
  id: string
  name: string
  /** Null for lists from before this was kept, and of members who are gone. */
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

/** At which companies the hashes count that hold an account's id; outlives the account. */
export type ErasureScopes = {
  workspace_id: string
  /** A domain, or `name:` and the folded name of a company without one. */
  company: string
  account_id: string
  /** How texts call it. */
  name: string | null
}

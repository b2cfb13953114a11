import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonColumn, NullableTimestamp, TimestampColumn } from './columns.ts'

export type CompanyFacetsTable = {
  workspace_id: string
  id: GeneratedAlways<number>
  country_code: string
  industry_key: string
  size_band: number
  /** Whether it is the first company of the facet. */
  first_position: Generated<number>
}

export type Companies = {
  workspace_id: string
  domain: string
  name: string
  /** The same for all spellings of the name. */
  name_key: string
  /** Empty when the country is not known. */
  country_code: string
  country: string | null
  /** The industry as given in the source. */
  industry: string | null
  /** Empty when the industry is unknown or outside the taxonomy. */
  industry_key: string
  /** An industry that is not in the taxonomy, folded. */
  industry_words: string | null
  employees: number | null
  location: string | null
  short_description: string | null
  network_url: string | null
  founded_year: number | null
  facet_id: number
  position: GeneratedAlways<number>
  /** The epoch when it was never researched. */
  researched_at: TimestampColumn
  imported_at: TimestampColumn
}

export type CandidateState = 'pending' | 'matched' | 'unmatched' | 'existing' | 'failed'

export type RunCandidates = {
  workspace_id: string
  run_id: string
  domain: string
  name: string
  /** Origin of the candidate: `universe`, or the source of news or filings. */
  source: string
  position: number
  state: CandidateState
  /** Why it is not a match or could not be researched, for display. */
  reason: string | null
  account_id: string | null
  /** The news item or filing that led to it, until it was researched. */
  documents: JsonColumn<Record<string, unknown>[]> | null
  /** The result of each source. */
  sources: JsonColumn<Record<string, unknown>[]>
  lease_id: string | null
  lease_until: NullableTimestamp
}

/** A company that a lead of a run names and whose domain was not found. */
export type RunUnresolved = {
  workspace_id: string
  run_id: string
  position: number
  name: string
  signal_id: string
  /** The source of the lead. */
  source: string
  /** The page of the lead. */
  url: string
  /** What was tried, in sentences for users. */
  attempts: string[]
}

export type ImportStatus = 'receiving' | 'running' | 'done' | 'failed'

/** The caller's options for reading a file; absent ones are detected. */
export type StoredImportOptions = {
  /** Headers by field; an empty one omits the field. */
  columns?: Record<string, string>
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  delimiter?: 'comma' | 'semicolon' | 'tab'
  has_header?: boolean
  /** Tags added to every new account. */
  tag?: string
  /** Whether rows without a domain get that of the one company of the universe with their name. */
  fill_domains?: boolean
}

/** An uploaded file of companies or accounts. */
export type Imports = {
  workspace_id: string
  id: string
  kind: 'companies' | 'accounts'
  options: JsonColumn<StoredImportOptions>
  file_name: string | null
  status: ImportStatus
  format: 'csv' | 'ndjson'
  bytes: Generated<number>
  /** The part of the file that is committed. */
  progress: Generated<number>
  rows: Generated<number>
  created: Generated<number>
  existing: Generated<number>
  rejected: Generated<number>
  /** The first lines that were rejected. */
  errors: JsonColumn<{ line: number; reason: string }[]>
  failure: string | null
  taken_up: Generated<number>
  touched_at: TimestampColumn
  finished_at: NullableTimestamp
  created_at: TimestampColumn
}

export type ImportChunks = { workspace_id: string; import_id: string; position: number; bytes: Buffer }

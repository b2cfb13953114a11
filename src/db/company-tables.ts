import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonColumn, NullableTimestamp, TimestampColumn } from './columns.ts'

export type CompanyFacetsTable = {
  workspace_id: string
  id: GeneratedAlways<number>
  country_code: string
  industry_key: string
  size_band: number
  /** No company of the facet stands before it. */
  first_position: Generated<number>
}

export type Companies = {
  workspace_id: string
  domain: string
  name: string
  /** One for all spellings of the name. */
  name_key: string
  /** Empty when the country is not known. */
  country_code: string
  country: string | null
  /** As it was given. */
  industry: string | null
  /** Empty when the industry is unknown or outside the taxonomy. */
  industry_key: string
  /** What the taxonomy does not know, folded. */
  industry_words: string | null
  employees: number | null
  location: string | null
  short_description: string | null
  network_url: string | null
  founded_year: number | null
  facet_id: number
  position: GeneratedAlways<number>
  /** The epoch when it never was. */
  researched_at: TimestampColumn
  imported_at: TimestampColumn
}

export type CandidateState = 'pending' | 'matched' | 'unmatched' | 'existing' | 'failed'

export type RunCandidates = {
  workspace_id: string
  run_id: string
  domain: string
  name: string
  /** Where it came from: `universe`, or the source of news or filings. */
  source: string
  position: number
  state: CandidateState
  /** Why it is no match or could not be looked into, for a person. */
  reason: string | null
  account_id: string | null
  /** What the news or filing that led to it says, until it was looked into. */
  documents: JsonColumn<Record<string, unknown>[]> | null
  /** How each source fared. */
  sources: JsonColumn<Record<string, unknown>[]>
  lease_id: string | null
  lease_until: NullableTimestamp
}

export type ImportStatus = 'receiving' | 'running' | 'done' | 'failed'

/** How the caller wants a file read; what is absent is guessed. */
export type StoredImportOptions = {
  /** Headers by field; an empty one leaves the field out. */
  columns?: Record<string, string>
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'
  delimiter?: 'comma' | 'semicolon' | 'tab'
  has_header?: boolean
  /** Put on every account that is new. */
  tag?: string
}

/** A file of companies or accounts sent over the API. */
export type Imports = {
  workspace_id: string
  id: string
  kind: 'companies' | 'accounts'
  options: JsonColumn<StoredImportOptions>
  status: ImportStatus
  format: 'csv' | 'ndjson'
  bytes: Generated<number>
  /** Part of the file that is stored for good. */
  progress: Generated<number>
  rows: Generated<number>
  created: Generated<number>
  existing: Generated<number>
  rejected: Generated<number>
  /** The first lines that could not be used. */
  errors: JsonColumn<{ line: number; reason: string }[]>
  failure: string | null
  taken_up: Generated<number>
  touched_at: TimestampColumn
  finished_at: NullableTimestamp
  created_at: TimestampColumn
}

export type ImportChunks = { workspace_id: string; import_id: string; position: number; bytes: Buffer }

import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type AccountTechnologies = {
  workspace_id: string
  account_id: string
  technology: string
  category: string
  evidence: string
  /** Null for what name records show. */
  evidence_url: string | null
  /** Places that showed it when they were last read. */
  pages: string[]
  first_seen: TimestampColumn
  last_seen: TimestampColumn
  gone_at: NullableTimestamp
}

export type TechnologyLooks = {
  workspace_id: string
  account_id: string
  domain: string
  pages: string[]
  /** What was looked for, as a number for each product and its signs. */
  signs: number[]
}

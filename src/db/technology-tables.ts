import type { NullableTimestamp, TimestampColumn } from './columns.ts'

export type AccountTechnologies = {
  workspace_id: string
  account_id: string
  technology: string
  category: string
  evidence: string
  /** Null for evidence from DNS records. */
  evidence_url: string | null
  /** Pages that showed it when they were last read. */
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
  /** One number per product, derived from its patterns: the patterns that were searched for. */
  signs: number[]
}

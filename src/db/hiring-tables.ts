import type { JsonColumn, TimestampColumn } from './columns.ts'

/** An open position that a job board of an account lists. */
export type Openings = {
  workspace_id: string
  account_id: string
  /** Vendor and name of the board: `greenhouse:acme`. */
  board: string
  url: string
  title: string
  /** One of our departments, not the board's. */
  department: string
  location: string | null
  country_code: string | null
  published_date: string | null
  first_seen: string
  seen_at: TimestampColumn
}

/** Counts from one check of all job boards of an account; a later check of the same day replaces it. */
export type HiringSnapshots = {
  workspace_id: string
  account_id: string
  day: string
  boards: string[]
  open: number
  /** Since the previous check; null when that check read other boards. */
  opened: number | null
  closed: number | null
  departments: JsonColumn<Record<string, number>>
  /** Positions that lead a department, counted by department. */
  leaders: JsonColumn<Record<string, number>>
  /** Only positions with a known country. */
  countries: JsonColumn<Record<string, number>>
  looked_at: TimestampColumn
}

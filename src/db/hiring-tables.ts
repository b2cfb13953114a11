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

/** A job board that the account's own pages linked. */
export type AccountBoards = {
  workspace_id: string
  account_id: string
  vendor: string
  /** Identifies the company at the vendor. */
  token: string
  /** The account's domain at that time. */
  domain: string
  /** The page that linked it. */
  found_url: string
  /** When a page linked it last. */
  linked_at: TimestampColumn
  /** When a page linked it or it was read last. */
  last_seen: TimestampColumn
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

import type { JsonColumn, TimestampColumn } from './columns.ts'

/** An open position that a job board of an account lists. */
export type Openings = {
  workspace_id: string
  account_id: string
  /** Its vendor, and the name of the company's board there: `greenhouse:acme`. */
  board: string
  url: string
  title: string
  /** Of our own departments, not the board's. */
  department: string
  location: string | null
  country_code: string | null
  published_date: string | null
  first_seen: string
  seen_at: TimestampColumn
}

/** What one look at all job boards of an account counted; a later look of the same day replaces it. */
export type HiringLooks = {
  workspace_id: string
  account_id: string
  day: string
  boards: string[]
  open: number
  /** Since the look before; null where that was none of the same boards. */
  opened: number | null
  closed: number | null
  departments: JsonColumn<Record<string, number>>
  /** Positions that lead a department, by department. */
  leaders: JsonColumn<Record<string, number>>
  /** Only those whose country is known. */
  countries: JsonColumn<Record<string, number>>
  looked_at: TimestampColumn
}

/** An open position as a page shows it. */
export type Opening = {
  title: string
  department: string | null
  location: string | null
  url: string | null
  published_date: string | null
  valid_through: string | null
}

/** Limit of positions per page. */
export const MAX_OPENINGS = 500

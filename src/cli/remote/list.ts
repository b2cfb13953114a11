import type { Command } from 'commander'
import type { TableColumn } from '../terminal/output.ts'
import { type CommandSession, parseWholeNumber } from './session.ts'

export type ListOptions = { limit: number; all?: boolean; ids?: boolean }

type Page<T> = { data: T[]; pagination: { total: number } }

const LIMIT = 50
/** Maximum page size of the API. */
const PER_PAGE = 100

export function addListOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'maximum number of records', parseWholeNumber, LIMIT)
    .option('--all', 'no limit')
    .option('--ids', 'only ids, one per line, for piping into another command')
}

export const pageSize = ({ limit, all }: ListOptions) => (all ? PER_PAGE : Math.min(PER_PAGE, Math.max(1, limit)))

/** Prints a list as a table, as ids, or as one JSON array that is written page by page. */
export async function showList<T extends { id: string }>(
  { out, json, note }: CommandSession,
  pages: AsyncIterable<Page<T>>,
  { limit, all = false, ids }: ListOptions,
  { columns, what }: { columns: TableColumn<T>[]; what: string },
): Promise<void> {
  let total = 0
  let shown = 0
  async function* items() {
    for await (const page of pages) {
      total = page.pagination.total
      for (const item of page.data) {
        if (!all && shown >= limit) return
        shown++
        yield item
      }
      // Checked here to avoid fetching the next page.
      if (!all && shown >= limit) return
    }
  }
  if (json) await out.jsonArray(items())
  else if (ids) for await (const { id } of items()) out.line(id)
  else {
    const rows: T[] = []
    for await (const item of items()) rows.push(item)
    if (rows.length === 0) note(`No ${what}.`)
    else out.table(columns, rows)
  }
  if (shown > 0 && shown < total) note(`${shown} of ${total} ${what}; use --all to show all.`)
}

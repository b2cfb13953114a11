import type { Command } from 'commander'
import type { TableColumn } from '../terminal/output.ts'
import { type CommandSession, parseWholeNumber } from './session.ts'

export type ListOptions = { limit: number; all?: boolean; ids?: boolean }

type Page<T> = { data: T[]; pagination: { total: number } }

const LIMIT = 50
/** The most that the API gives at once. */
const PER_PAGE = 100

export function addListOptions(command: Command): Command {
  return command
    .option('--limit <n>', 'how many at most', parseWholeNumber, LIMIT)
    .option('--all', 'all of them, however many')
    .option('--ids', 'their ids alone, one a line, to pipe into another command')
}

export const pageSize = ({ limit, all }: ListOptions) => (all ? PER_PAGE : Math.min(PER_PAGE, Math.max(1, limit)))

/** Shows a list: a table, ids, or one JSON array that is written as the pages come. */
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
      // Asked before the next page is fetched.
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
  if (shown > 0 && shown < total) note(`${shown} of ${total} ${what}; --all gives all of them.`)
}

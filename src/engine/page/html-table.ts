import { foldText } from '../text/fold.ts'
import { type Element, elementText, walkElements } from './element.ts'
import { parseHtml } from './parse-html.ts'

/** Words that a column's header contains, by column name. */
export type TableColumns = Readonly<Record<string, string>>
export type TableRow = Record<string, string>

const MAX_CELL_CHARS = 400
const MAX_ROWS = 20_000

/** The rows of all tables whose header contains every column; null when the page has no such table. */
export function readTableRows(html: string, columns: TableColumns): TableRow[] | null {
  let found: TableRow[] | null = null
  walkElements(parseHtml(html), (element) => {
    const rows = element.tag === 'table' ? rowsOf(element, columns) : null
    if (rows) found = [...(found ?? []), ...rows].slice(0, MAX_ROWS)
    return undefined
  })
  return found
}

function rowsOf(table: Element, columns: TableColumns): TableRow[] | null {
  let places: [column: string, at: number][] | null = null
  const rows: TableRow[] = []
  for (const cells of tableCells(table)) {
    if (!places) places = placesOf(cells, columns)
    else if (places.every(([, at]) => at < cells.length)) {
      rows.push(
        Object.fromEntries(places.map(([column, at]) => [column, elementText(cells[at] as Element, MAX_CELL_CHARS)])),
      )
    }
  }
  return places && rows
}

/** The positions of the columns; null when the row is not their header. */
function placesOf(cells: readonly Element[], columns: TableColumns): [string, number][] | null {
  const headers = cells.map((cell) => foldText(elementText(cell, MAX_CELL_CHARS)))
  const places = Object.entries(columns).map(([column, words]): [string, number] => [
    column,
    headers.findIndex((header) => header.includes(words)),
  ])
  return places.every(([, at]) => at >= 0) ? places : null
}

/** The cells of each row, without the rows of nested tables. */
export function tableCells(table: Element): Element[][] {
  const rows: Element[][] = []
  walkElements(table, (element) => {
    if (element.tag === 'table') return false
    if (element.tag !== 'tr') return undefined
    rows.push(
      element.children.filter(
        (cell): cell is Element => typeof cell !== 'string' && (cell.tag === 'td' || cell.tag === 'th'),
      ),
    )
    return false
  })
  return rows
}

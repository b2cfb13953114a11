import { readPersonName } from '../people/person-name.ts'
import { foldText } from '../text/fold.ts'
import { isPlaceText, MAX_PLACE_CHARS } from './card-text.ts'
import { type Element, elementText, findElement, walkElements } from './element.ts'
import { tableCells } from './html-table.ts'
import { readJobTitle, tidyTitle } from './job-title.ts'
import type { NameTitlePair } from './person.ts'
import { label } from './vocabulary.ts'

/** The pairs found, and the elements whose lines other strategies must skip. */
export type FoundPairs = { pairs: NameTitlePair[]; elements: Element[] }

type Column = 'name' | 'first' | 'last' | 'title' | 'location' | null
const COLUMN_WORDS: [Column, RegExp][] = [
  ['first', /^(?:first|given|fore) ?names?$|^vorname$|^prenom$|^nombre$/],
  ['last', /^(?:last|family|sur) ?names?$|^surname$|^nachname$|^apellidos?$/],
  ['name', /^(?:full |employee |staff )?names?$|^person$|^executive$|^director$|^officer$/],
  ['name', new RegExp(`^(?:${label('name')})$`)],
  ['location', /^(?:location|city|place|country|based(?: in)?|land|pays|pais)$/],
  ['location', new RegExp(`^(?!site$)(?:${label('location')})$`)],
  ['title', /title|position|role|job|function|designation|office held|responsib/],
  ['title', new RegExp(`\\b(?:${label('job')})\\b`)],
]

/** People in table rows: by the header's columns, otherwise by a name cell and a title cell in one row. */
export function findPairsInTables(root: Element, skip: (element: Element) => boolean): FoundPairs {
  const found: FoundPairs = { pairs: [], elements: [] }
  walkElements(root, (element) => {
    if (skip(element)) return false
    // Layout tables contain other tables, or a whole page in a cell.
    if (element.tag === 'table' && !findElement(element, ({ tag }) => tag === 'table')) {
      const pairs = readTable(element)
      if (pairs.length > 0) {
        for (const pair of pairs) found.pairs.push(pair)
        found.elements.push(element)
      }
      return false
    }
    return undefined
  })
  return found
}

function readTable(table: Element): NameTitlePair[] {
  const rows = tableCells(table)
  const columns = new Map<Column, number>()
  for (const [at, cell] of (rows[0] ?? []).entries()) {
    const column = columnOf(elementText(cell, 60))
    if (!columns.has(column)) columns.set(column, at)
  }
  const isNamed = columns.has('title') && (columns.has('name') || (columns.has('first') && columns.has('last')))
  const pairs: NameTitlePair[] = []
  for (const cells of isNamed ? rows.slice(1) : rows) {
    const pair = isNamed ? readByHeader(cells, columns) : readByShape(cells)
    if (pair) pairs.push(pair)
  }
  return pairs
}

function columnOf(header: string): Column {
  const text = foldText(header)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
  return COLUMN_WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

function readByHeader(cells: readonly Element[], columns: ReadonlyMap<Column, number>): NameTitlePair | null {
  const cell = (column: Column) => cells[columns.get(column) ?? -1]
  const nameCell = cell('name') ?? cell('first')
  const titleCell = cell('title')
  if (!nameCell || !titleCell) return null
  const lastCell = cell('last')
  const written = cell('name')
    ? elementText(nameCell, 120)
    : `${elementText(nameCell, 60)} ${lastCell ? elementText(lastCell, 60) : ''}`
  const fullName = readPersonName(written) ?? readPersonName(swapped(written))
  const title = tidyTitle(elementText(titleCell, 160))
  if (!fullName || !title) return null
  const place = cell('location')
  const location = place ? elementText(place, MAX_PLACE_CHARS) : ''
  return { full_name: fullName, title, element: nameCell, ...(isPlaceText(location) ? { location } : {}) }
}

/** "Pike, Ada" to "Ada Pike". */
function swapped(name: string): string {
  const parts = name.split(',')
  return parts.length === 2 ? `${parts[1]} ${parts[0]}` : name
}

/** The first two cells of a row that are nothing but a name and a title. */
function readByShape(cells: readonly Element[]): NameTitlePair | null {
  if (cells.length < 2 || cells.length > 12) return null
  for (const [i, cell] of cells.entries()) {
    const fullName = readPersonName(elementText(cell, 120))
    if (!fullName) continue
    for (const other of cells.slice(i + 1)) {
      const title = readJobTitle(elementText(other, 160))
      if (title) return { full_name: fullName, title, element: cell }
    }
    const before = cells[i - 1]
    const title = before ? readJobTitle(elementText(before, 160)) : null
    if (title) return { full_name: fullName, title, element: cell }
  }
  return null
}

/** People in definition lists, where the term is the name or the title. */
export function findPairsInDefinitions(root: Element, skip: (element: Element) => boolean): FoundPairs {
  const found: FoundPairs = { pairs: [], elements: [] }
  walkElements(root, (element) => {
    if (skip(element)) return false
    if (element.tag !== 'dl') return undefined
    let term: Element | null = null
    const before = found.pairs.length
    walkElements(element, (item) => {
      if (item.tag === 'dt') term = item
      else if (item.tag === 'dd' && term) {
        const pair = eitherWay(term, item)
        if (pair) found.pairs.push(pair)
        term = null
      }
      return item.tag !== 'dt' && item.tag !== 'dd'
    })
    if (found.pairs.length > before) found.elements.push(element)
    return false
  })
  return found
}

function eitherWay(term: Element, description: Element): NameTitlePair | null {
  const [a, b] = [elementText(term, 160), elementText(description, 160)]
  const [nameA, titleB] = [readPersonName(a), readJobTitle(b)]
  if (nameA && titleB) return { full_name: nameA, title: titleB, element: term }
  const [nameB, titleA] = [readPersonName(b), readJobTitle(a)]
  return nameB && titleA ? { full_name: nameB, title: titleA, element: description } : null
}

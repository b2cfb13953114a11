import { hasLegalForm } from '../engine/companies/company-names.ts'
import { findCountryCode } from '../engine/countries.ts'
import { foldText, searchFold } from '../engine/text/fold.ts'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { readCompanyAddress } from '../shared/company-sites.ts'
import { SetupError } from '../shared/errors.ts'
import { yieldToEventLoop } from '../shared/event-loop.ts'
import {
  type CellKind,
  COMPANY_WORDS,
  FILLER_WORDS,
  FOREIGN_WORDS,
  type ImportField,
  type ImportFields,
  PERSON_WORDS,
} from './column-names.ts'

/** The kind of a cell, its text, and as value its domain where it is an address; null for an empty one. */
type ReadCell = { kind: CellKind; value: string; text: string } | null

/** The first cells of each column. */
type ReadColumns = readonly (readonly ReadCell[])[]

/** A table of which the columns are guessed. Without a header line, `headers` are numbers (`Column 3`). */
type ColumnSample = { headers: string[]; has_header: boolean; columns: ReadColumns }

/** Share of the cells that must agree with a header; less for addresses, because a column may mix websites and profiles. */
const AGREEING = 0.5
const AGREEING_SITES = 0.2
/** Share of the cells by which content alone decides, with an unknown header. */
const CLEAR = 0.7
/** The kind of a cell shows in its first characters. */
const MAX_CELL_CHARS = 200
const MAX_HEADER_CHARS = 200
/** Parts of a header that are compared: more are no header. */
const MAX_HEADER_PARTS = 8

/** Scores of a guess. Content alone never outweighs a header, but a header that its content contradicts is no guess. */
const SCORES = { exact: 100, stripped: 95, content: 30, confirmed: 40, perRank: 0.5, second: 50, part: 10 }

/**
 * Guesses the column of each field by its header and its content. `given` names columns explicitly (`field=header`). A
 * header that its content contradicts yields to the content: a "Website" column full of LinkedIn pages is the network URL.
 */
export async function guessColumns(
  table: ColumnSample,
  known: ImportFields,
  given: Record<string, string> = {},
): Promise<Map<string, number>> {
  const found = new Map(namedColumns(table.headers, known, given))
  const taken = new Set(found.values())
  const contents: ColumnContent[] = []
  const guesses: Guess[] = []
  const pause = yieldToEventLoop()
  for (const [at, header] of table.headers.entries()) {
    await pause()
    const content = describeColumn(table.columns[at] ?? [])
    contents.push(content)
    if (!taken.has(at)) guesses.push(...guessFields(table.has_header ? header : null, content, at, known))
  }
  // Fields named by the caller, or excluded with an empty name, are not guessed.
  const open = guesses.filter(({ field }) => !Object.hasOwn(given, field)).toSorted((a, b) => b.score - a.score)
  for (const { field, at } of open) {
    if (found.has(field) || taken.has(at)) continue
    if (known[field]?.isSecond && !found.has('domain')) continue
    found.set(field, at)
    taken.add(at)
  }
  if (Object.hasOwn(known, 'name') && !found.has('name') && !Object.hasOwn(given, 'name')) {
    const at = findNameColumn(table, contents, found.get('domain'), taken)
    if (at !== null) found.set('name', at)
  }
  return found
}

/** Yields the columns named by the caller, by header or as `Column 3`. Throws SetupError for a missing column. */
function* namedColumns(
  headers: string[],
  known: ImportFields,
  given: Record<string, string>,
): Generator<[string, number]> {
  const folded = Object.keys(given).length > 0 ? headers.map(foldHeader) : []
  for (const [field, header] of Object.entries(given)) {
    if (!Object.hasOwn(known, field))
      throw new SetupError(`There is no field "${field}". There are: ${Object.keys(known).join(', ')}.`)
    if (header === '') continue
    const named = folded.indexOf(foldHeader(header))
    const at = named >= 0 ? named : Number(/^column (\d{1,4})$/i.exec(header)?.[1] ?? 0) - 1
    if (at < 0 || at >= headers.length)
      throw new SetupError(
        `The file has no column "${header}". It has: ${cutText(toStorable(headers.join(', ')), 1_000)}.`,
      )
    yield [field, at]
  }
}

/**
 * Whether the first line is a header: it has no address and one of its cells is a known header, or its cells are words over
 * columns of addresses and numbers.
 */
export async function isHeader(cells: readonly string[], below: ReadColumns, known: ImportFields): Promise<boolean> {
  const pause = yieldToEventLoop()
  let isKnown = false
  let isAbove = false
  for (const [at, cell] of cells.entries()) {
    await pause()
    if (readCompanyAddress(cutText(cell, MAX_CELL_CHARS))) return false
    isKnown ||= headerMatches(cell, known).size > 0
    if (isKnown || isAbove || readCell(cell)?.kind !== 'text') continue
    const { share } = describeColumn(below[at] ?? [])
    isAbove = (['site', 'email', 'profile', 'range', 'number'] as const).some((kind) => share(kind) >= CLEAR)
  }
  return isKnown || isAbove
}

type Guess = { field: string; at: number; score: number }

function guessFields(header: string | null, content: ColumnContent, at: number, known: ImportFields): Guess[] {
  const matches = header === null ? null : headerMatches(header, known)
  const isForeign = header !== null && words(foldHeader(header)).some((word) => FOREIGN_WORDS.has(word))
  return Object.entries(known).flatMap(([field, rule]) => {
    const named = matches?.get(field)
    const sure = rule.sure ? content.share(rule.sure) : 0
    const isConfirmed = sure >= (header !== null && !named ? CLEAR : AGREEING) && (named || content.isDiverse)
    if (named && !isContradicted(rule, named, content)) {
      return { field, at, score: named.score + (isConfirmed ? SCORES.confirmed : 0) }
    }
    if (rule.sure && isConfirmed && !isForeign) return { field, at, score: SCORES.content + sure }
    // Without a header, one long text is the description.
    if (header === null && field === 'short_description' && content.share('long text') >= AGREEING) {
      return { field, at, score: SCORES.content }
    }
    return []
  })
}

function isContradicted(rule: ImportField, { isExact }: HeaderMatch, content: ColumnContent): boolean {
  if (content.filled === 0) return false
  const agreeing = rule.holds.reduce((sum, kind) => sum + content.share(kind), 0)
  if (rule.holds[0] !== 'site') return agreeing < AGREEING
  if (content.share('site') >= AGREEING_SITES) return false
  // A column of plain texts is the domain only by its exact name; then its rows are reported as wrong.
  return !rule.sure || !isExact || agreeing < AGREEING
}

/**
 * The column of company names by content: different texts with legal forms, or that resemble the domains. With a header
 * line, an unknown header needs this evidence.
 */
function findNameColumn(
  { columns, has_header, headers }: ColumnSample,
  contents: readonly ColumnContent[],
  domain: number | undefined,
  taken: ReadonlySet<number>,
): number | null {
  const candidates = headers.flatMap((header, at) => {
    const { share, filled, isDiverse } = contents[at] as ColumnContent
    const isText = filled > 0 && share('text') + share('country') >= AGREEING && share('country') < CLEAR
    const isForeign = has_header && words(foldHeader(header)).some((word) => FOREIGN_WORDS.has(word))
    if (taken.has(at) || !isText || isForeign) return []
    const sites = columns[domain ?? -1] ?? []
    const cells = (columns[at] ?? []).flatMap((cell, row) => (cell ? [{ name: cell.text, site: sites[row] }] : []))
    const alike = cells.filter(({ name, site }) => site && resemblesSite(name, site.value)).length / cells.length
    const legal = cells.filter(({ name }) => hasLegalForm(name)).length / cells.length
    const evidence = Math.max(alike, legal)
    if (has_header && (evidence < AGREEING || !isDiverse)) return []
    return { at, evidence: evidence + (isDiverse ? 0.1 : 0) }
  })
  return candidates.toSorted((a, b) => b.evidence - a.evidence)[0]?.at ?? null
}

function resemblesSite(name: string, domain: string): boolean {
  const label = domain.split('.', 1)[0]?.replaceAll(/[^a-z0-9]/g, '')
  const [first = ''] = foldText(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2)
  return label !== undefined && first !== '' && label.startsWith(first.slice(0, 4))
}

type ColumnContent = {
  filled: number
  share: (kind: CellKind) => number
  /** Whether most addresses have different domains; a column of links into one system names no company. */
  isDiverse: boolean
}

function describeColumn(cells: readonly ReadCell[]): ColumnContent {
  const counts = new Map<CellKind, number>()
  const values = new Set<string>()
  let filled = 0
  for (const read of cells) {
    if (!read) continue
    filled++
    counts.set(read.kind, (counts.get(read.kind) ?? 0) + 1)
    values.add(read.value)
  }
  const share = (kind: CellKind) => (filled === 0 ? 0 : (counts.get(kind) ?? 0) / filled)
  // Countries and sizes repeat.
  const isDiverse = filled === 1 || values.size > filled / 2 || share('country') + share('range') >= AGREEING
  return { filled, share, isDiverse }
}

const PLACEHOLDER =
  /^(?:[-–—./?_]+|n\.?\s?\/?\s?[ad]\.?|none|null|nil|unknown|undefined|tbd|empty|no website|keine?(?: angabe)?|unbekannt|aucune?|inconnu|ninguno|sin (?:web|datos)|desconocido|#(?:n\/a|nv|ref!))$/i
const NUMBER = /^\d{1,3}(?:[.,'’\s]\d{3})+$|^\d{1,12}(?:[.,]\d+)?$/
const HEADCOUNT =
  /^(?:(?:ca\.?|circa|about|approx\.?|over|uber|mehr als|plus de|mas de|environ|>|<|~)\s*)?\d[\d.,'’\s]{0,9}k?\s*(?:(?:-|–|—|to|bis|a|y)\s*\d[\d.,'’\s]{0,9}k?|\+)?\s*(?:employees|mitarbeiter|mitarbeitende|beschaftigte|salaries|employes|empleados|personen|people|ma)?\.?$/
const DATE = /^\d{4}-\d{1,2}-\d{1,2}|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?:\s|$)/
const FLAG = /^(?:true|false|yes|no|ja|nein|oui|non|si|y|n|x|wahr|falsch|vrai|faux)$/
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-|^(?=.*\d)(?=.*[a-z])[0-9a-z]{15,24}$/i
const PHONE = /^(?:\+|00|\()?[\d\s()./-]{7,24}$/
const LONG_TEXT_CHARS = 80

/** Whether a cell says that there is no value: "n/a", "-", "keine Angabe". */
export const isPlaceholder = (cell: string) => cell.length < 24 && PLACEHOLDER.test(cell.trim())

/** Reads the cells of each column, and yields to the event loop between columns because a file may have many. */
export async function readColumns(rows: readonly (readonly string[])[], width: number): Promise<ReadCell[][]> {
  const columns: ReadCell[][] = []
  const pause = yieldToEventLoop()
  for (let at = 0; at < width; at++) {
    await pause()
    columns.push(rows.map((row) => readCell(row[at] ?? '')))
  }
  return columns
}

function readCell(cell: string): ReadCell {
  const text = cutText(cell.trim(), MAX_CELL_CHARS)
  if (text === '' || isPlaceholder(text)) return null
  if (text.length > LONG_TEXT_CHARS && /\s/.test(text)) return { kind: 'long text', value: text, text }
  const address = readCompanyAddress(text) ?? readCompanyAddress(text.split(/[\s,;|]+/, 1)[0] as string)
  if (address) {
    const { kind, domain } = address
    if (kind === 'site' || kind === 'email') return { kind, value: domain, text }
    return { kind: kind === 'free email' ? 'email' : kind, value: text, text }
  }
  return { kind: kindOf(text, foldText(text)), value: text, text }
}

function kindOf(text: string, folded: string): CellKind {
  if (FLAG.test(folded)) return 'flag'
  if (NUMBER.test(text)) return 'number'
  if (DATE.test(text)) return 'date'
  if (HEADCOUNT.test(folded)) return 'range'
  if (PHONE.test(text)) return 'phone'
  if (ID.test(text)) return 'id'
  return findCountryCode(text) === null ? 'text' : 'country'
}

/** Lower-case words without accents: "companyDomainName", "COMPANY_DOMAIN_NAME" and "Company-Domain-Name" are equal. */
const foldHeader = (header: string) =>
  searchFold(cutText(header, MAX_HEADER_CHARS).replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
    // Split like camel case, but one word.
    .replaceAll('linked in', 'linkedin')

const words = (folded: string) => folded.split(' ')

function strip(folded: string, about: ImportField['about']): string {
  const ignored = about === 'company' ? COMPANY_WORDS : PERSON_WORDS
  return words(folded)
    .filter((word) => !ignored.has(word) && !FILLER_WORDS.has(word))
    .join(' ')
}

type HeaderMatch = { field: string; score: number; isExact: boolean }
type HeaderIndex = Map<string, HeaderMatch[]>
const headerIndexes = new WeakMap<ImportFields, HeaderIndex>()

const strippedKey = (about: ImportField['about'], folded: string) => `${about}: ${strip(folded, about)}`

/** The fields by header, exact and without words such as "Company". Built once for each kind of record. */
function indexHeaders(known: ImportFields): HeaderIndex {
  const done = headerIndexes.get(known)
  if (done) return done
  const index: HeaderIndex = new Map()
  const add = (key: string, match: HeaderMatch) => index.set(key, [...(index.get(key) ?? []), match])
  for (const [field, { headers, about, isSecond }] of Object.entries(known)) {
    // The name of the field itself is a header, as in our own exports.
    for (const [rank, header] of [...headers, field].entries()) {
      const folded = foldHeader(header)
      const less = rank * SCORES.perRank + (isSecond ? SCORES.second : 0)
      add(folded, { field, score: SCORES.exact - less, isExact: true })
      if (strip(folded, about) !== '')
        add(strippedKey(about, folded), { field, score: SCORES.stripped - less, isExact: false })
    }
  }
  headerIndexes.set(known, index)
  return index
}

/** The fields that a header names, also without text in parentheses, "Website (URL)", or by a part: "Tags/Labels". */
function headerMatches(given: string, known: ImportFields): Map<string, HeaderMatch> {
  const header = cutText(given, MAX_HEADER_CHARS)
  const index = indexHeaders(known)
  const found = new Map<string, HeaderMatch>()
  const folded = foldHeader(header)
  const plain = header.includes('(') ? foldHeader(header.replaceAll(/\([^)]*\)/g, ' ')) : folded
  const add = (form: string, less: number) => {
    const keys = [form, strippedKey('company', form), strippedKey('person', form)]
    for (const match of keys.flatMap((key) => index.get(key) ?? [])) {
      const score = match.score - less
      if (score > (found.get(match.field)?.score ?? 0)) found.set(match.field, { ...match, score })
    }
  }
  for (const form of new Set([folded, plain])) add(form, 0)
  if (found.size === 0 && header.length < MAX_HEADER_CHARS) {
    for (const part of header.split(/[/|:]/, MAX_HEADER_PARTS)) add(foldHeader(part), SCORES.part)
  }
  return found
}

import type { StoredImportOptions } from '../db/company-tables.ts'
import { cutText, isStorable, NOT_STORABLE } from '../engine/text/storable.ts'
import { SetupError } from '../shared/errors.ts'
import { type ColumnMapping, guessColumns, guessColumnsByContent, isHeader } from './columns.ts'
import { type CsvRecord, parseCsvRecords } from './csv-records.ts'
import { decodeText, replaceInvalidUtf8 } from './encoding.ts'
import { unstorableReason } from './fields.ts'
import { type ImportSource, openImportFile } from './source.ts'

export type CsvRow = {
  /** Where the record stands in the file, for the report. */
  line: number
  /** Part of the file read so far, 0 to 1; null when its size is not known. */
  progress: number | null
  /** A line that cannot be read has a reason instead of fields. */
} & ({ fields: Record<string, string> } | { reason: string })

/** How a file is laid out, told or guessed. */
export type CsvLayout = Required<Pick<StoredImportOptions, 'encoding' | 'delimiter' | 'has_header'>> & {
  headers: string[]
  /** Which column each field is. */
  columns: Map<string, number>
  /** The first records. */
  sample: string[][]
}

/** As many at once as a piece of the file holds: to wait for each by itself takes longer than to read it. */
export type CsvRows = AsyncIterable<CsvRow[]>
type Records = AsyncGenerator<CsvRecord[]>

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const
type Delimiter = keyof typeof DELIMITERS

/** As many records as tell what the columns of a file without a header hold. */
const SAMPLE = 20
/** A preview remembers the domain of each, and packed there is room for a hundred times as many. */
export const MAX_CSV_ROWS = 1_000_000

/**
 * Reads a CSV file record by record, whatever its size. The separator is guessed from the header line. Throws
 * SetupError when the file cannot be read or has no column it needs.
 */
export async function* readCsv(
  file: string,
  known: ColumnMapping,
  required: string[][],
  given?: Record<string, string>,
): AsyncGenerator<CsvRow[]> {
  yield* readCsvSource(await openImportFile(file), known, required, given)
}

export async function* readCsvSource(
  source: ImportSource,
  known: ColumnMapping,
  required: string[][],
  given?: Record<string, string>,
): AsyncGenerator<CsvRow[]> {
  const delimiter = DELIMITERS[guessDelimiter(source.head)]
  const { first, rest } = await takeFirst(parseCsvRecords(source.name, replaceInvalidUtf8(source.bytes), delimiter), 1)
  const [header] = first
  if (!header) throw new SetupError(`${source.name} is empty.`)
  const found = guessColumns(header.record, known, given)
  requireColumns(found, required, header.record, given !== undefined)
  yield* toRows(source, rest, found)
}

/**
 * The same for a file of which nobody knows how it was saved: what `wanted` leaves open is guessed, also whether it has a
 * header. Throws SetupError.
 */
export async function readCsvWithLayout(
  source: ImportSource,
  known: ColumnMapping,
  wanted: StoredImportOptions,
): Promise<{ layout: () => CsvLayout; rows: AsyncGenerator<CsvRow[]> }> {
  const text = await decodeText(source.bytes, wanted.encoding)
  const delimiter = wanted.delimiter ?? guessDelimiter(text.head.replace(/^\ufeff/, ''))
  const { first, rest } = await takeFirst(parseCsvRecords(source.name, text.bytes, DELIMITERS[delimiter]), SAMPLE + 1)
  if (first.length === 0) throw new SetupError(`${source.name} is empty.`)
  const cells = first.map(({ record }) => record)
  const has_header = wanted.has_header ?? isHeader(cells[0] ?? [], known)
  const sample = has_header ? cells.slice(1) : cells
  const width = Math.max(...cells.map(({ length }) => length))
  const numbered = Array.from({ length: width }, (_, at) => `Column ${at + 1}`)
  const headers = numbered.map((name, at) => (has_header && cells[0]?.[at]) || name)
  const columns = has_header
    ? guessColumns(headers, known, wanted.columns)
    : guessColumnsByContent(headers, sample, known, wanted.columns)
  async function* all(): Records {
    yield has_header ? first.slice(1) : first
    let left = MAX_CSV_ROWS - first.length + (has_header ? 1 : 0)
    for await (const records of rest) {
      yield records.slice(0, left)
      left -= records.length
      if (left < 0) throw new SetupError(`${source.name} has more than ${MAX_CSV_ROWS} rows. Send it in parts.`)
    }
  }
  return {
    layout: () => ({ encoding: text.encoding(), delimiter, has_header, headers, columns, sample }),
    rows: toRows(source, all(), columns),
  }
}

/** The first records, and those after them. What is wrong is thrown where it stands, at once behind a header alone. */
async function takeFirst(records: Records, count: number): Promise<{ first: CsvRecord[]; rest: Records }> {
  const first: CsvRecord[] = []
  let broken: unknown
  try {
    while (first.length < count) {
      const { value, done } = await records.next()
      if (done) break
      for (const record of value) first.push(record)
    }
  } catch (error) {
    if (first.length < 2) throw error
    broken = error
  }
  const ahead = first.splice(count)
  async function* rest(): Records {
    yield ahead
    if (broken) throw broken
    yield* records
  }
  return { first, rest: rest() }
}

async function* toRows(
  { progress }: ImportSource,
  records: Records,
  found: Map<string, number>,
): AsyncGenerator<CsvRow[]> {
  const columns = [...found]
  const toRow = ({ record, line }: CsvRecord): CsvRow => {
    const fields: Record<string, string> = {}
    for (const [field, at] of columns) fields[field] = record[at] ?? ''
    const reason = unstorableReason(fields)
    return reason === null ? { line, progress: progress(), fields } : { line, progress: progress(), reason }
  }
  for await (const some of records) yield some.map(toRow)
}

/** Each of `required` is a set of fields of which one must be there. */
function requireColumns(
  columns: Map<string, number>,
  required: string[][],
  headers: string[],
  canBeNamed: boolean,
): void {
  for (const choices of required) {
    if (!choices.some((field) => columns.has(field))) {
      const all = headers.join(', ')
      // Most often a spreadsheet's "Unicode text", which is UTF-16.
      if (!isStorable(all)) throw new SetupError(`The first line of the file ${NOT_STORABLE}. Save it as UTF-8.`)
      const hint = canBeNamed ? ` Name one with --column ${choices[0]}=HEADER.` : ''
      const shown = cutText(all, 1_000)
      throw new SetupError(`The file has no column for ${choices.join(' or ')}. It has: ${shown}.${hint}`)
    }
  }
}

/** By what stands in the first line outside of quotes. */
function guessDelimiter(head: string): Delimiter {
  const line = (head.split('\n', 1)[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const counts = Object.entries(DELIMITERS).map(([name, char]) => ({ name, count: line.split(char).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.name as Delimiter
}

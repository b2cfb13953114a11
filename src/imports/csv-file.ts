import type { StoredImportOptions } from '../db/company-tables.ts'
import { cutText, isStorable, NOT_STORABLE } from '../engine/text/storable.ts'
import { SetupError } from '../shared/errors.ts'
import type { ImportFields } from './column-names.ts'
import { guessColumns, isHeader, readColumns } from './columns.ts'
import { type CsvRecord, parseCsvRecords } from './csv-records.ts'
import { decodeImportBytes, replaceInvalidUtf8 } from './encoding.ts'
import { unstorableReason } from './fields.ts'
import { type ImportSource, openImportFile } from './source.ts'

export type CsvRow = {
  /** Line number of the record, for the report. */
  line: number
  /** Part of the file read so far, 0 to 1; null when its size is not known. */
  progress: number | null
  /** An unreadable line has a reason instead of fields. */
} & ({ fields: Record<string, string> } | { reason: string })

/** Layout of a file, given by the caller or guessed. */
export type CsvLayout = Required<Pick<StoredImportOptions, 'encoding' | 'delimiter' | 'has_header'>> & {
  headers: string[]
  /** The column of each field. */
  columns: Map<string, number>
  /** The first records. */
  sample: string[][]
}

/** Yields the rows of one chunk of the file at once, because awaiting each row takes longer than parsing it. */
export type CsvRows = AsyncIterable<CsvRow[]>
type Records = AsyncGenerator<CsvRecord[]>

const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const
type Delimiter = keyof typeof DELIMITERS

/** Number of records by whose content the columns are guessed. */
const SAMPLE = 50
/** A preview keeps the domain of each row in memory, and a compressed file can contain far more rows. */
export const MAX_CSV_ROWS = 1_000_000

/**
 * Streams a CSV file record by record. The delimiter is guessed from the header line. Throws SetupError when the file
 * cannot be read or lacks a required column.
 */
export async function* readCsv(
  file: string,
  known: ImportFields,
  required: string[][],
  given?: Record<string, string>,
): AsyncGenerator<CsvRow[]> {
  yield* readCsvSource(await openImportFile(file), known, required, given)
}

export async function* readCsvSource(
  source: ImportSource,
  known: ImportFields,
  required: string[][],
  given?: Record<string, string>,
): AsyncGenerator<CsvRow[]> {
  const delimiter = DELIMITERS[guessDelimiter(source.head)]
  const records = parseCsvRecords(source.name, replaceInvalidUtf8(source.bytes), delimiter)
  const { first, rest } = await takeFirst(records, SAMPLE + 1)
  const [header, ...sample] = first
  if (!header) throw new SetupError(`${source.name} is empty.`)
  const headers = header.record
  const columns = await readColumns(
    sample.map(({ record }) => record),
    headers.length,
  )
  const found = await guessColumns({ headers, has_header: true, columns }, known, given)
  requireColumns(found, required, headers, given !== undefined)
  yield* toRows(source, concatenate(sample, rest), found)
}

/**
 * Streams a CSV file of unknown layout: encoding, delimiter, header and columns are guessed unless given in `wanted`.
 * Throws SetupError.
 */
export async function readCsvWithLayout(
  source: ImportSource,
  known: ImportFields,
  wanted: StoredImportOptions,
): Promise<{ layout: () => CsvLayout; rows: AsyncGenerator<CsvRow[]> }> {
  const text = await decodeImportBytes(source.bytes, wanted.encoding)
  const delimiter = wanted.delimiter ?? guessDelimiter(text.head.replace(/^\ufeff/, ''))
  const { first, rest } = await takeFirst(parseCsvRecords(source.name, text.bytes, DELIMITERS[delimiter]), SAMPLE + 1)
  if (first.length === 0) throw new SetupError(`${source.name} is empty.`)
  const cells = first.map(({ record }) => record)
  const width = Math.max(...cells.map(({ length }) => length))
  const read = await readColumns(cells, width)
  const below = read.map((column) => column.slice(1))
  const has_header = wanted.has_header ?? (await isHeader(cells[0] ?? [], below, known))
  const sample = has_header ? cells.slice(1) : cells
  const numbered = Array.from({ length: width }, (_, at) => `Column ${at + 1}`)
  const headers = numbered.map((name, at) => (has_header && cells[0]?.[at]) || name)
  const columns = await guessColumns({ headers, has_header, columns: has_header ? below : read }, known, wanted.columns)
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

/** Splits off the first records. A parse error is thrown at its position in the stream; with fewer than two records, at once. */
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

async function* concatenate(first: CsvRecord[], rest: Records): Records {
  yield first
  yield* rest
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

/** Each entry of `required` is a set of fields of which one must be present. */
function requireColumns(
  columns: Map<string, number>,
  required: string[][],
  headers: string[],
  canBeNamed: boolean,
): void {
  for (const choices of required) {
    if (!choices.some((field) => columns.has(field))) {
      const all = headers.join(', ')
      // Usually a spreadsheet's "Unicode text", which is UTF-16.
      if (!isStorable(all)) throw new SetupError(`The first line of the file ${NOT_STORABLE}. Save it as UTF-8.`)
      const hint = canBeNamed ? ` Name one with --column ${choices[0]}=HEADER.` : ''
      const shown = cutText(all, 1_000)
      throw new SetupError(`The file has no column for ${choices.join(' or ')}. It has: ${shown}.${hint}`)
    }
  }
}

/** Guesses by the characters of the first line outside of quotes. */
function guessDelimiter(head: string): Delimiter {
  const line = (head.split('\n', 1)[0] ?? '').replaceAll(/"[^"]*"/g, '')
  const counts = Object.entries(DELIMITERS).map(([name, char]) => ({ name, count: line.split(char).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.name as Delimiter
}

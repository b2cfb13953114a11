import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { cutText, isStorable, NOT_TEXT, storable } from '../engine/storable.ts'
import { SetupError } from '../errors.ts'
import { type Columns, guessColumns } from './columns.ts'
import { unstorableReason } from './fields.ts'
import { markForeignBytes } from './foreign-bytes.ts'
import { openSource, type Source } from './source.ts'

const MAX_RECORD_BYTES = 1024 * 1024

export type Row = {
  /** Where the record stands in the file, for the report. */
  line: number
  /** Part of the file read so far, 0 to 1; null when its size is not known. */
  progress: number | null
  /** A line that cannot be read has a reason instead of fields. */
} & ({ fields: Record<string, string> } | { reason: string })

/**
 * Reads a CSV file record by record, whatever its size. The separator is guessed from the header line. Throws
 * SetupError when the file cannot be read or has no column it needs.
 */
export async function* readCsv(
  file: string,
  known: Columns,
  required: string[][],
  given?: Record<string, string>,
): AsyncGenerator<Row> {
  yield* readCsvSource(await openSource(file), known, required, given)
}

export async function* readCsvSource(
  source: Source,
  known: Columns,
  required: string[][],
  given?: Record<string, string>,
): AsyncGenerator<Row> {
  const parser = parse({
    bom: true,
    delimiter: guessDelimiter(source.head),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: MAX_RECORD_BYTES,
  })
  // A failure of the source is thrown where the parser is read.
  pipeline(source.bytes, markForeignBytes, parser, () => {})
  let columns: [string, number][] | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (!columns) {
        const found = guessColumns(record, known, given)
        requireColumns(found, required, record, given !== undefined)
        columns = [...found]
        continue
      }
      const fields: Record<string, string> = {}
      for (const [field, at] of columns) fields[field] = record[at] ?? ''
      const reason = unstorableReason(fields)
      yield { line: info.lines, progress: source.progress(), ...(reason === null ? { fields } : { reason }) }
    }
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`${source.name} cannot be read as CSV: ${storable((error as Error).message)}`)
  }
  if (!columns) throw new SetupError(`${source.name} is empty.`)
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
      if (!isStorable(all)) throw new SetupError(`The first line of the file ${NOT_TEXT}. Save it as UTF-8.`)
      const hint = canBeNamed ? ` Name one with --column ${choices[0]}=HEADER.` : ''
      const shown = cutText(all, 1_000)
      throw new SetupError(`The file has no column for ${choices.join(' or ')}. It has: ${shown}.${hint}`)
    }
  }
}

function guessDelimiter(head: string): string {
  const header = head.split('\n', 1)[0] ?? ''
  const counts = [',', ';', '\t'].map((char) => ({ char, count: header.split(char).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.char ?? ','
}

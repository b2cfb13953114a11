import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { parse } from 'csv-parse'
import { SetupError } from '../errors.ts'
import { type Columns, guessColumns } from './columns.ts'

const MAX_RECORD_BYTES = 1024 * 1024

export type Row = {
  /** Where the record stands in the file, for the report. */
  line: number
  fields: Record<string, string>
  /** Part of the file read so far, 0 to 1. */
  progress: number
}

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
  const { size, delimiter } = await peek(file)
  const source = createReadStream(file)
  const parser = source.pipe(
    parse({
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: MAX_RECORD_BYTES,
    }),
  )
  source.on('error', (error) => parser.destroy(error))
  let columns: Map<string, number> | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (!columns) {
        columns = guessColumns(record, known, given)
        requireColumns(columns, required, record)
        continue
      }
      const cells = [...columns].map(([field, at]) => [field, record[at] ?? ''] as const)
      yield { line: info.lines, fields: Object.fromEntries(cells), progress: size === 0 ? 1 : source.bytesRead / size }
    }
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`${file} cannot be read as CSV: ${(error as Error).message}`)
  }
  if (!columns) throw new SetupError(`${file} is empty.`)
}

/** Each of `required` is a set of fields of which one must be there. */
function requireColumns(columns: Map<string, number>, required: string[][], headers: string[]): void {
  for (const choices of required) {
    if (!choices.some((field) => columns.has(field))) {
      throw new SetupError(
        `The file has no column for ${choices.join(' or ')}. It has: ${headers.join(', ')}. Name one with --column ${choices[0]}=HEADER.`,
      )
    }
  }
}

async function peek(file: string): Promise<{ size: number; delimiter: string }> {
  try {
    await using handle = await open(file)
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
    const header = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? ''
    const counts = [',', ';', '\t'].map((char) => ({ char, count: header.split(char).length }))
    return { size, delimiter: counts.toSorted((a, b) => b.count - a.count)[0]?.char ?? ',' }
  } catch (error) {
    throw new SetupError(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}.`,
    )
  }
}

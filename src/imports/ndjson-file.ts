import { StringDecoder } from 'node:string_decoder'
import { NOT_STORABLE } from '../engine/text/storable.ts'
import { SetupError } from '../shared/errors.ts'
import type { ImportFields } from './column-names.ts'
import { guessColumns } from './columns.ts'
import type { CsvRow } from './csv-file.ts'
import { replaceInvalidUtf8 } from './encoding.ts'
import { unstorableReason } from './fields.ts'
import type { ImportSource } from './source.ts'

/** A line is parsed synchronously, which blocks the event loop. */
const MAX_LINE_CHARS = 64 * 1024
const MAX_NAMES = 500
/** Limits the memory of the cache of object shapes. */
const MAX_SHAPES = 1_000
const MAX_SHAPE_CHARS = 2_000

/**
 * Streams a file with one JSON object per line. Property names are matched like column headers, and may differ between
 * objects. Throws SetupError when the file cannot be read.
 */
export async function* readNdjson(
  source: ImportSource,
  known: ImportFields,
  given?: Record<string, string>,
): AsyncGenerator<CsvRow[]> {
  const contentOf = objectReader(known, given)
  let line = 0
  try {
    for await (const texts of lines(source)) {
      const rows: CsvRow[] = []
      for (const text of texts) {
        line++
        if (text?.trim() !== '') rows.push({ line, progress: source.progress(), ...(await contentOf(text)) })
      }
      yield rows
    }
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`${source.name} cannot be read: ${(error as Error).message}`)
  }
  if (line === 0) throw new SetupError(`${source.name} is empty.`)
}

type Content = { fields: Record<string, string> } | { reason: string }

/** Returns a function that parses a line; null represents a line that is too long. */
function objectReader(known: ImportFields, given?: Record<string, string>): (text: string | null) => Promise<Content> {
  const named = new Map<string, [string, string][]>()
  return async (text) => {
    if (text === null) return { reason: `it is longer than ${MAX_LINE_CHARS} characters` }
    const record = parseObject(text)
    // JSON text contains no NUL, so it stems from invalid UTF-8.
    if (!record) return { reason: text.includes('\0') ? `it ${NOT_STORABLE}` : 'it is not a JSON object' }
    const names = Object.keys(record)
    if (names.length > MAX_NAMES) return { reason: `it has more than ${MAX_NAMES} names` }
    const shape = names.join('\n')
    const columns = named.get(shape) ?? (await columnsOf(names, known, given))
    if (named.size < MAX_SHAPES && shape.length < MAX_SHAPE_CHARS) named.set(shape, columns)
    const fields: Record<string, string> = {}
    for (const [field, name] of columns) fields[field] = textOf(record[name])
    const reason = unstorableReason(fields)
    return reason === null ? { fields } : { reason }
  }
}

async function columnsOf(
  names: string[],
  known: ImportFields,
  given: Record<string, string> = {},
): Promise<[string, string][]> {
  const here = Object.entries(given).filter(([, name]) => names.includes(name))
  // By names only: one object is too little content to judge by.
  const found = await guessColumns({ headers: names, has_header: true, columns: [] }, known, Object.fromEntries(here))
  return [...found].map(([field, at]) => [field, names[at] as string])
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Yields the lines of one chunk at once. Null represents a line that is too long, which is not kept in memory. */
async function* lines({ bytes }: ImportSource): AsyncGenerator<(string | null)[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let isTooLong = false
  const add = (more: string) => {
    isTooLong ||= rest.length + more.length > MAX_LINE_CHARS
    rest = isTooLong ? '' : rest + more
  }
  for await (const chunk of replaceInvalidUtf8(bytes)) {
    const text = decoder.write(chunk)
    const ended: (string | null)[] = []
    let from = 0
    // Only the new text can contain the end of the line that `rest` begins.
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      add(text.slice(from, end))
      ended.push(isTooLong ? null : rest)
      rest = ''
      isTooLong = false
      from = end + 1
    }
    yield ended
    add(text.slice(from))
  }
  add(decoder.end())
  if (isTooLong) yield [null]
  else if (rest !== '') yield [rest]
}

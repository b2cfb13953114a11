import { StringDecoder } from 'node:string_decoder'
import { NOT_STORABLE } from '../engine/text/storable.ts'
import { SetupError } from '../shared/errors.ts'
import { type ColumnMapping, guessColumns } from './columns.ts'
import type { CsvRow } from './csv-file.ts'
import { replaceInvalidUtf8 } from './encoding.ts'
import { unstorableReason } from './fields.ts'
import type { ImportSource } from './source.ts'

/** Of one line: all of it is taken in at once, while others wait. */
const MAX_LINE_CHARS = 64 * 1024
const MAX_NAMES = 500
/** Objects of endless different shapes, and shapes of endless length, must not fill the memory. */
const MAX_SHAPES = 1_000
const MAX_SHAPE_CHARS = 2_000

/**
 * Reads one JSON object a line, whatever the size of the file. Names are guessed as those of columns are; an object may
 * have other names than the one before. Throws SetupError when the file cannot be read.
 */
export async function* readNdjson(
  source: ImportSource,
  known: ColumnMapping,
  given?: Record<string, string>,
): AsyncGenerator<CsvRow[]> {
  const contentOf = objectReader(known, given)
  let line = 0
  try {
    for await (const texts of lines(source)) {
      const rows: CsvRow[] = []
      for (const text of texts) {
        line++
        if (text?.trim() !== '') rows.push({ line, progress: source.progress(), ...contentOf(text) })
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

/** Reads lines; null is one that is too long. */
function objectReader(known: ColumnMapping, given?: Record<string, string>): (text: string | null) => Content {
  const named = new Map<string, [string, string][]>()
  return (text) => {
    if (text === null) return { reason: `it is longer than ${MAX_LINE_CHARS} characters` }
    const record = parseObject(text)
    // JSON has no NUL but as an escape: it stands where bytes were not UTF-8.
    if (!record) return { reason: text.includes('\0') ? `it ${NOT_STORABLE}` : 'it is not a JSON object' }
    const names = Object.keys(record)
    if (names.length > MAX_NAMES) return { reason: `it has more than ${MAX_NAMES} names` }
    const shape = names.join('\n')
    const columns = named.get(shape) ?? columnsOf(names, known, given)
    if (named.size < MAX_SHAPES && shape.length < MAX_SHAPE_CHARS) named.set(shape, columns)
    const fields: Record<string, string> = {}
    for (const [field, name] of columns) fields[field] = textOf(record[name])
    const reason = unstorableReason(fields)
    return reason === null ? { fields } : { reason }
  }
}

function columnsOf(names: string[], known: ColumnMapping, given: Record<string, string> = {}): [string, string][] {
  const here = Object.entries(given).filter(([, name]) => names.includes(name))
  const found = guessColumns(names, known, Object.fromEntries(here))
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

/** As many at once as a piece holds. Null for one that is too long; nobody holds on to it. */
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
    // Only what is new can hold the end of the line that the rest began.
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

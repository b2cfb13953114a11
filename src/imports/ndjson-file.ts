import { StringDecoder } from 'node:string_decoder'
import { NOT_TEXT } from '../engine/storable.ts'
import { SetupError } from '../errors.ts'
import { type Columns, guessColumns } from './columns.ts'
import type { Row } from './csv-file.ts'
import { unstorableReason } from './fields.ts'
import { markForeignBytes } from './foreign-bytes.ts'
import type { Source } from './source.ts'

const MAX_LINE_CHARS = 1024 * 1024

/**
 * Reads one JSON object a line, whatever the size of the file. Names are guessed as those of columns are; an object may
 * have other names than the one before. Throws SetupError when the file cannot be read.
 */
export async function* readNdjson(source: Source, known: Columns, given?: Record<string, string>): AsyncGenerator<Row> {
  const named = new Map<string, [string, string][]>()
  let line = 0
  try {
    for await (const text of lines(source)) {
      line++
      if (text.trim() === '') continue
      const progress = source.progress()
      const record = parseObject(text)
      if (!record) {
        // JSON has no NUL but as an escape: it stands where bytes were not UTF-8.
        yield { line, reason: text.includes('\0') ? `it ${NOT_TEXT}` : 'it is not a JSON object', progress }
        continue
      }
      const names = Object.keys(record)
      const shape = names.join('\n')
      const columns = named.get(shape) ?? columnsOf(names, known, given)
      // Objects of endless different shapes must not fill the memory.
      if (named.size < 1000) named.set(shape, columns)
      const fields: Record<string, string> = {}
      for (const [field, name] of columns) fields[field] = textOf(record[name])
      const reason = unstorableReason(fields)
      yield { line, progress, ...(reason === null ? { fields } : { reason }) }
    }
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`${source.name} cannot be read: ${(error as Error).message}`)
  }
  if (line === 0) throw new SetupError(`${source.name} is empty.`)
}

function columnsOf(names: string[], known: Columns, given: Record<string, string> = {}): [string, string][] {
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

async function* lines({ bytes, name }: Source): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of markForeignBytes(bytes)) {
    const text = decoder.write(chunk)
    let from = 0
    // Only what is new can hold the end of the line that the rest began.
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      yield rest + text.slice(from, end)
      rest = ''
      from = end + 1
    }
    rest += text.slice(from)
    if (rest.length > MAX_LINE_CHARS) throw new SetupError(`${name} has a line of more than a million characters.`)
  }
  rest += decoder.end()
  if (rest !== '') yield rest
}

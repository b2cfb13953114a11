import { pipeline } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { cutText, toStorable } from '../engine/text/storable.ts'
import { SetupError } from '../shared/errors.ts'

/** The line is the one it ends on. */
export type CsvRecord = { record: string[]; line: number }

const MAX_RECORD_BYTES = 1024 * 1024
/** A file with more is refused: all cells of a line are read at once, and a line of a megabyte may have half a million. */
const MAX_COLUMNS = 1_000
/** The parser works through what it is handed at once, and that is not to take long. */
const SLICE_CHARS = 16 * 1024
/** A record that is not whole is looked at again with every piece of the file. */
const MAX_PIECES = 4

const QUOTE = 0x22
const NEWLINE = 0x0a
const RETURN = 0x0d

/**
 * The records of a CSV file in UTF-8, as many at once as a piece of it holds. Throws SetupError where it cannot be read.
 *
 * Those that are written as most are, also with quotes, are cut out of the text here, which takes a sixth of the time that
 * csv-parse takes. The first that is not, and all behind it, are left to csv-parse, which also says what is wrong.
 */
export async function* parseCsvRecords(
  name: string,
  bytes: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<CsvRecord[]> {
  const plain = new PlainRecordParser(name, delimiter)
  const pieces = bytes[Symbol.asyncIterator]()
  try {
    while (!plain.isStuck) {
      const { value, done = false } = await pieces.next()
      yield plain.read(done ? '' : value.toString('utf8'), done)
      if (done && !plain.isStuck) return
    }
    yield* parseWithLibrary(name, plain, pieces, delimiter)
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw new SetupError(`${name} cannot be read as CSV: ${toStorable((error as Error).message).replace(/\.?$/, '.')}`)
  } finally {
    await pieces.return?.()
  }
}

/** Cuts records out of text that comes piece by piece. */
class PlainRecordParser {
  /** What is not cut yet; it begins with a record. */
  rest = ''
  /** How many lines stand before it. */
  lines = 0
  /** How records end, which the first one tells. */
  ending: '\n' | '\r\n' | null = null
  /** Whether the rest begins with what is not plain. */
  isStuck = false
  #pieces = 0
  #isBeginning = true
  readonly #name: string
  readonly #delimiter: string

  constructor(name: string, delimiter: string) {
    this.#name = name
    this.#delimiter = delimiter
  }

  /** The records that are whole with this piece. */
  read(piece: string, isEnd: boolean): CsvRecord[] {
    if (this.#isBeginning && piece !== '') {
      this.rest = piece.replace(/^\ufeff/, '')
      this.#isBeginning = false
    } else this.rest += piece
    const records = isEnd || piece.includes('\n') ? this.#cut(isEnd) : []
    this.#pieces = records.length > 0 ? 0 : this.#pieces + 1
    this.isStuck ||= this.#pieces > MAX_PIECES
    return records
  }

  #cut(isEnd: boolean): CsvRecord[] {
    const text = this.rest
    const code = this.#delimiter.charCodeAt(0)
    const records: CsvRecord[] = []
    const find = (what: string, from: number) => {
      const at = text.indexOf(what, from)
      return at < 0 ? text.length : at
    }
    // Each is looked for again only when it was passed: in a file without quotes that is once.
    let quote = -1
    let newline = -1
    let delimiter = -1
    let begin = 0
    while (begin < text.length) {
      const record: string[] = []
      let isQuoted = false
      let inside = 0
      let at = begin
      let end = -1
      while (end < 0) {
        if (record.length >= MAX_COLUMNS) throw tooWide(this.#name, this.lines + 1)
        if (text.charCodeAt(at) === QUOTE) {
          isQuoted = true
          let isDoubled = false
          let close = text.indexOf('"', at + 1)
          while (close >= 0 && text.charCodeAt(close + 1) === QUOTE) {
            isDoubled = true
            close = text.indexOf('"', close + 2)
          }
          // One at the end of the text may be the first of two.
          if (close < 0 || (close + 1 === text.length && !isEnd)) break
          const cell = text.slice(at + 1, close)
          record.push(isDoubled ? cell.replaceAll('""', '"') : cell)
          if (newline < at) newline = find('\n', at)
          for (; newline < close; newline = find('\n', newline + 1)) inside++
          const next = text.charCodeAt(close + 1)
          if (next === code) at = close + 2
          else if (next === NEWLINE || close + 1 === text.length) end = close + 1
          else if (next === RETURN && text.charCodeAt(close + 2) === NEWLINE) end = close + 2
          else {
            this.isStuck = next !== RETURN || close + 2 < text.length || isEnd
            break
          }
        } else {
          if (delimiter < at) delimiter = find(this.#delimiter, at)
          if (newline < at) newline = find('\n', at)
          if (quote < at) quote = find('"', at)
          const cellEnd = Math.min(delimiter, newline)
          if (cellEnd === text.length && !isEnd) break
          this.isStuck = quote < cellEnd
          if (this.isStuck) break
          record.push(text.slice(at, cellEnd).trim())
          if (delimiter < newline) at = delimiter + 1
          else end = newline
        }
      }
      // At the end of the file only a quote that is not closed has no end.
      this.isStuck ||= end < 0 && isEnd
      if (end < 0 || !this.#endsAsOthers(text, begin, end)) break
      this.lines += inside + 1
      begin = end + 1
      if (record.length > 1 || record[0] !== '' || isQuoted) {
        records.push({ record, line: this.lines })
      }
    }
    this.rest = text.slice(begin)
    return records
  }

  /** Whether a record ends as the first one did. Without a line feed only the last can. */
  #endsAsOthers(text: string, begin: number, end: number): boolean {
    const hasReturn = end > begin && text.charCodeAt(end - 1) === RETURN
    if (this.ending === null) {
      const first = text.indexOf('\r', begin)
      // Returns alone may be what ends a line.
      this.isStuck = first >= 0 && first < (hasReturn && end < text.length ? end - 1 : end)
      if (!this.isStuck) this.ending = hasReturn ? '\r\n' : '\n'
    } else this.isStuck = this.ending === '\r\n' && !hasReturn && end < text.length
    return !this.isStuck
  }
}

async function* parseWithLibrary(
  name: string,
  { rest, lines, ending }: PlainRecordParser,
  pieces: AsyncIterator<Buffer>,
  delimiter: string,
): AsyncGenerator<CsvRecord[]> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: MAX_RECORD_BYTES,
    ...(ending && { record_delimiter: ending }),
    // Here and not later: the parser keeps several records ready.
    on_record: ((row: ParsedRecord) => {
      if (row.record.length > MAX_COLUMNS) throw tooWide(name, row.info.lines)
      return row
    }) as never,
  })
  Object.assign(parser.info, { lines: lines + 1 })
  async function* all() {
    for (let at = 0; at < rest.length; ) {
      const slice = cutText(rest.slice(at, at + SLICE_CHARS + 1), SLICE_CHARS)
      yield Buffer.from(slice)
      at += slice.length
      await setImmediate()
    }
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
  }
  // A failure of the source is thrown where the parser is read.
  pipeline(all(), parser, () => {})
  for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) yield [{ record, line: info.lines }]
}

/** A type of its own, because the parser's does not know that `info` hands it more than a record. */
type ParsedRecord = { record: string[]; info: { lines: number } }

const tooWide = (name: string, line: number) =>
  new SetupError(
    `${name} has more than ${MAX_COLUMNS} columns in line ${line}. Leave out those that are not needed, and send it again.`,
  )

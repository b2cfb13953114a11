import type { CopiedRows } from '../db/copy.ts'
import type { StoredHeader, TableOfSnapshot, TableToLoad } from '../db/snapshot.ts'
import { SetupError } from '../shared/errors.ts'
import { ByteReader } from './byte-reader.ts'

// The inner layer of a backup: records of a type, a length and a body. One manifest; for each table its rows in COPY's text
// format and its totals; the end.

export type Manifest = StoredHeader & {
  version: string
  created_at: string
  /** The text of DATA_DIR/secrets.key; null when SECRETS_KEY was set. */
  secrets_key: string | null
}

export type TableTotals = { name: string; rows: number }

const TYPES = { manifest: 1, rows: 2, table_end: 3, end: 4 } as const
const HEADER_BYTES = 5
const DAMAGED = 'The backup is damaged: its records are not complete. Use another one.'

function record(type: keyof typeof TYPES, body: object | Buffer): Buffer[] {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = TYPES[type]
  header.writeUInt32BE(bytes.length, 1)
  return [header, bytes]
}

/** Writes all records of a backup. */
export async function* writeRecords(
  manifest: Manifest,
  read: (table: TableOfSnapshot) => AsyncIterable<CopiedRows>,
  onTable: (totals: TableTotals) => void,
): AsyncGenerator<Buffer> {
  yield* record('manifest', manifest)
  for (const table of manifest.tables) {
    const totals = { name: table.name, rows: 0 }
    for await (const { rows, data } of read(table)) {
      totals.rows += rows
      yield* record('rows', data)
    }
    onTable(totals)
    yield* record('table_end', totals)
  }
  yield* record('end', {})
}

/** Each row is a line: COPY escapes line breaks inside values. */
function countLines(data: Buffer): number {
  let count = 0
  for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) count++
  return count
}

/** Reads the records of a backup in their order. */
export class RecordReader {
  readonly #reader: ByteReader
  readonly totals: TableTotals[] = []
  #manifest: Manifest | null = null

  constructor(source: AsyncIterable<Buffer>) {
    this.#reader = new ByteReader(source)
  }

  async manifest(): Promise<Manifest> {
    this.#manifest ??= (await this.#expect('manifest')) as Manifest
    return this.#manifest
  }

  /** The tables with their rows. The rows of a table must be read before the next table; their number is checked. */
  async *tables(): AsyncGenerator<TableToLoad> {
    const rows = () => this.totals.at(-1)?.rows ?? 0
    for (const table of (await this.manifest()).tables) yield { ...table, data: this.#rowsOf(table), rows }
    await this.#expect('end')
    if (!(await this.#reader.isAtEnd())) throw new SetupError(DAMAGED)
  }

  async *#rowsOf({ name }: TableOfSnapshot): AsyncGenerator<Buffer> {
    let rows = 0
    for (;;) {
      const { type, body } = await this.#next()
      if (type === TYPES.rows) {
        rows += countLines(body)
        yield body
        continue
      }
      if (type !== TYPES.table_end) throw new SetupError(DAMAGED)
      const totals = JSON.parse(body.toString()) as TableTotals
      if (totals.name !== name || totals.rows !== rows) throw new SetupError(DAMAGED)
      this.totals.push(totals)
      return
    }
  }

  async #expect(type: keyof typeof TYPES): Promise<unknown> {
    const found = await this.#next()
    if (found.type !== TYPES[type]) throw new SetupError(DAMAGED)
    return JSON.parse(found.body.toString())
  }

  async #next(): Promise<{ type: number; body: Buffer }> {
    const header = await this.#reader.readUpTo(HEADER_BYTES)
    if (header.length < HEADER_BYTES) throw new SetupError(DAMAGED)
    const size = header.readUInt32BE(1)
    const body = await this.#reader.readUpTo(size)
    if (body.length < size) throw new SetupError(DAMAGED)
    return { type: header[0] as number, body }
  }
}

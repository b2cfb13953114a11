// Files of companies, accounts and people as spreadsheets, exports and accidents produce them: an import ends with consistent
// counts, or reports why the file cannot be read; an export read back has the same cells.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc, { type Arbitrary } from 'fast-check'
import { isStorable } from '../../src/engine/text/storable.ts'
import { importAccounts } from '../../src/imports/accounts.ts'
import { ACCOUNT_COLUMNS, COMPANY_COLUMNS, PEOPLE_COLUMNS } from '../../src/imports/column-names.ts'
import { importCompanies } from '../../src/imports/companies.ts'
import { type CsvRows, readCsvSource } from '../../src/imports/csv-file.ts'
import { importUploadedCompanies } from '../../src/imports/import-uploads.job.ts'
import { readNdjson } from '../../src/imports/ndjson-file.ts'
import { importPeople } from '../../src/imports/people.ts'
import { type ImportSource, openImportStream } from '../../src/imports/source.ts'
import { SetupError } from '../../src/shared/errors.ts'
import { scene } from '../support/scene.ts'
import { testService } from '../support/service.ts'
import { fuzz } from './support.ts'
import { damaged, edits, ODD, PROSE } from './wild-texts.ts'

const service = await testService()
const { db, pool, secrets } = service.deps
const world = await scene(service, { accounts: ['acme.com', 'globex.com'] })

const CELLS = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      'acme.com',
      'https://www.globex.com/x',
      'wick.example',
      'x@acme.com',
      'Ada Pike',
      '1.200',
    ),
    weight: 6,
  },
  { arbitrary: fc.nat(400).map((n) => `c${n}.example`), weight: 4 },
  {
    arbitrary: fc.constantFrom(
      '',
      ' ',
      'Germany',
      'DE',
      'Software',
      '51-200',
      '2019-04-01',
      'CFO',
      'a;b,c|d',
      '=1+1',
      '"',
      '""',
    ),
    weight: 4,
  },
  { arbitrary: ODD, weight: 3 },
  { arbitrary: PROSE, weight: 2 },
  { arbitrary: fc.constantFrom('x'.repeat(300), 'x'.repeat(301)), weight: 2 },
)
/** More than the limit of a cell, a line or a chunk. */
const LONG = fc.constantFrom('y\n'.repeat(50_000), 'z'.repeat(1_100_000))
const HEADERS = fc.oneof(
  fc.constantFrom(
    'domain',
    'Website',
    'name',
    'Company Name',
    'E-Mail',
    'First Name',
    'last name',
    'country',
    'Employees',
  ),
  fc.constantFrom('industry', 'tags', 'owner', 'phone', 'title', 'linkedin', 'founded', 'constructor', '__proto__', ''),
  ODD,
)

/** Rows of cells; mostly with a column that an import needs. */
const TABLE = fc
  .tuple(
    fc.tuple(
      fc.oneof({ arbitrary: fc.constant(['domain', 'name']), weight: 8 }, fc.constant([])),
      fc.array(HEADERS, { maxLength: 5 }),
    ),
    fc.array(fc.array(CELLS, { maxLength: 8 }), { maxLength: 12 }),
    fc.oneof({ arbitrary: fc.constant([]), weight: 30 }, fc.tuple(fc.constant('long.example'), LONG)),
  )
  .map(([[needed, more], rows, long]) => [[...needed, ...more], ...rows, ...(long.length > 0 ? [long, ...rows] : [])])

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

const CSV: Arbitrary<string> = fc
  .tuple(
    TABLE,
    fc.constantFrom(',', ';', '\t', '|'),
    fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
    fc.constantFrom('all', 'needed', 'none'),
    fc.boolean(),
  )
  .map(([table, delimiter, end, quoting, bom]) => {
    const written = (cell: string) =>
      quoting === 'all' || (quoting === 'needed' && /["\r\n,;\t|]/.test(cell)) ? quoted(cell) : cell
    return `${bom ? '\ufeff' : ''}${table.map((row) => row.map(written).join(delimiter)).join(end)}${end}`
  })

const NDJSON: Arbitrary<string> = fc
  .array(
    fc.oneof(
      {
        arbitrary: fc.dictionary(HEADERS, fc.oneof(CELLS, fc.double(), fc.constant(null), fc.constant({ a: [1] }))),
        weight: 3,
      },
      { arbitrary: fc.record({ domain: CELLS, name: CELLS, employees: fc.oneof(CELLS, fc.integer()) }), weight: 6 },
      { arbitrary: fc.constantFrom<unknown>(1, null, [], 'x'), weight: 1 },
    ),
    { maxLength: 12 },
  )
  .map((records) => records.map((record) => JSON.stringify(record)).join('\n'))

/** A file's bytes: in one of several encodings, possibly damaged, compressed or truncated. */
const asFile = (texts: Arbitrary<string>): Arbitrary<Buffer> =>
  fc
    .tuple(
      texts,
      fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, edits(ODD, 3)),
      fc.oneof(
        { arbitrary: fc.constant('utf8' as const), weight: 8 },
        fc.constantFrom('utf16le' as const, 'latin1' as const),
      ),
      fc.oneof(
        { arbitrary: fc.constant('plain'), weight: 4 },
        fc.constantFrom('gzip', 'cut gzip', 'two gzips', 'gzip and more'),
      ),
    )
    .map(([text, changes, encoding, packing]) => {
      const bytes = Buffer.from(damaged(text, changes), encoding)
      if (packing === 'plain') return bytes
      const packed = gzipSync(bytes, { level: 1 })
      if (packing === 'cut gzip') return packed.subarray(0, Math.floor(packed.length * 0.7))
      if (packing === 'two gzips') return Buffer.concat([packed, packed])
      return packing === 'gzip' ? packed : Buffer.concat([packed, Buffer.from('more')])
    })

const PIECES = fc.constantFrom(1, 2, 3, 7, 64, 1_000, 65_536)

/** The bytes in chunks of a size: characters and lines are split anywhere. */
function source(bytes: Buffer, size: number): Promise<ImportSource> {
  // A megabyte byte by byte would only be slow.
  const step = bytes.length > 5_000 ? Math.max(size, 16_385) : size
  const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, n) =>
    bytes.subarray(n * step, (n + 1) * step),
  )
  return openImportStream('The file', Readable.from(pieces), () => null)
}

/** The result of an import; null when the file cannot be read, which must be reported with a reason. */
async function orRefused<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    assert.ok(error instanceof SetupError, `${(error as Error).stack}`)
    assert.match(error.message, /\w/)
    assert.ok(isStorable(error.message), `not storable: ${JSON.stringify(error.message)}`)
    return null
  }
}

const companiesOf = async (workspaceId: string) =>
  Number(
    (
      await db
        .selectFrom('companies')
        .select(db.fn.countAll().as('n'))
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
    ).n,
  )

for (const [format, texts, read] of [
  ['CSV', CSV, (given: ImportSource) => readCsvSource(given, COMPANY_COLUMNS, [['domain']])],
  ['NDJSON', NDJSON, (given: ImportSource) => readNdjson(given, COMPANY_COLUMNS)],
] as const) {
  fuzz(
    `an import of companies from ${format} ends with counts that add up`,
    { share: 0.2, least: 30 },
    fc.asyncProperty(asFile(texts), PIECES, fc.boolean(), async (bytes, size, dryRun) => {
      const before = await companiesOf(world.workspaceId)
      const client = await pool.connect()
      let refused = 0
      const onRejected = ({ line, reason }: { line: number; reason: string }) => {
        refused++
        assert.ok(line > 0 && isStorable(reason), reason)
      }
      const report = await orRefused(async () =>
        importCompanies(client, world.workspaceId, read(await source(bytes, size)), {
          dryRun,
          session: true,
          onRejected,
        }),
      ).finally(() => client.release())
      if (!report) return
      assert.equal(report.rows, report.created + report.existing + report.rejected, JSON.stringify(report))
      assert.equal(report.rejected, refused)
      assert.equal(await companiesOf(world.workspaceId), before + (dryRun ? 0 : report.created))
    }),
  )
}

fuzz(
  'an import of accounts or people ends with counts that add up',
  { share: 0.2, least: 30 },
  fc.asyncProperty(asFile(CSV), PIECES, fc.boolean(), fc.boolean(), async (bytes, size, dryRun, isPeople) => {
    const read = async (): Promise<CsvRows> => {
      const given = await source(bytes, size)
      if (!isPeople) return readCsvSource(given, ACCOUNT_COLUMNS, [['name', 'domain']])
      return readCsvSource(given, PEOPLE_COLUMNS, [
        ['full_name', 'first_name', 'last_name'],
        ['domain', 'email'],
      ])
    }
    let refused = 0
    const onRejected = ({ line, reason }: { line: number; reason: string }) => {
      refused++
      assert.ok(line > 0 && reason, reason)
    }
    const report = await orRefused(async () =>
      isPeople
        ? importPeople({ db, secrets }, world.workspaceId, await read(), { dryRun, onRejected })
        : importAccounts(service.deps, world.workspaceId, await read(), { dryRun, onRejected }),
    )
    if (!report) return
    assert.equal(report.rows, report.created + report.existing + report.rejected, JSON.stringify(report))
    assert.equal(report.rejected, refused)
  }),
)

fuzz(
  'a file sent over the API ends done or failed, and its counts add up',
  { share: 0.2, least: 30 },
  fc.asyncProperty(
    fc.oneof(asFile(CSV), asFile(NDJSON)),
    fc.constantFrom('text/csv', 'application/x-ndjson', 'text/csv; charset=utf-16'),
    async (body, type) => {
      const { client, workspaceId: workspace_id } = world
      const answer = await client.post('/v1/companies/import', undefined, { body, headers: { 'content-type': type } })
      if (body.length === 0) return assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.status, 202, answer.text)
      const import_id: string = answer.data.id
      await service.run(importUploadedCompanies, { workspace_id, import_id })
      const done = await client.expect(200, 'GET', `/v1/companies/imports/${import_id}`)
      assert.ok(
        done.status === 'done' ? done.failure === null : done.status === 'failed' && done.failure,
        JSON.stringify(done),
      )
      assert.equal(done.rows, done.created + done.existing + done.rejected, JSON.stringify(done))
      assert.ok(done.errors.length <= Math.min(20, done.rejected))
    },
  ),
)

/** Values that a person may type into a field and the API accepts. */
const TYPED = fc
  .oneof(
    fc.constantFrom('=1+1', '+49 30 12', '-', '@x', "'", '"', ';', ',', 'a\nb', 'a\r\nb', '\ta', '\u2028', '\u{1f411}'),
    ODD,
    PROSE,
  )
  .map((text) => `${text}`.slice(0, 180).toWellFormed().replaceAll('\0', '').trim())
  .filter((text) => /\S/.test(text))

/** Without the apostrophes that prevent formulas, at the start of each part of a text. */
const plain = (cell: string) => cell.replaceAll(/(^|[;\t\r\n])'+/g, '$1')

fuzz(
  'an export read back has the cells that the list shows',
  { share: 0.2, least: 20 },
  fc.asyncProperty(
    fc.array(
      fc.record({
        name: TYPED,
        tags: fc.uniqueArray(
          TYPED.map((tag) => tag.slice(0, 50).toWellFormed().trim()),
          { maxLength: 3 },
        ),
        industry: fc.option(TYPED),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    async (accounts) => {
      const { client, ids } = await scene(service, {
        accounts: accounts.map(({ name, tags }) => ({ name, tags: tags.filter(Boolean) })),
      })
      for (const [at, { industry }] of accounts.entries())
        await client.expect(200, 'PATCH', `/v1/accounts/${ids[at]}`, { industry })
      const rows = await client.expect(200, 'GET', '/v1/accounts?per_page=100')
      const { text } = await client.get('/v1/accounts', { headers: { accept: 'text/csv' } })
      const cells: Record<string, string>[] = parse(text, { columns: true, record_delimiter: '\r\n' })
      assert.equal(cells.length, rows.length)
      for (const [at, row] of rows.entries()) {
        for (const [column, cell] of Object.entries(cells[at] as Record<string, string>)) {
          const value = row[column]
          const shown =
            value === null || value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value)
          assert.equal(plain(cell), plain(shown), column)
        }
      }
    },
  ),
)

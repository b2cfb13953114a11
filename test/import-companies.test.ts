import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { importUploadedCompanies, maintainImports } from '../src/imports/import-uploads.job.ts'
import { refused } from './support/client.ts'
import { commands } from './support/commands.ts'
import { eventually } from './support/eventually.ts'
import { beside, run } from './support/process.ts'
import { ADMIN_KEY, testService } from './support/service.ts'

const service = await testService()
const { db } = service.deps
const env = beside(service)
const { cli, json } = commands(env)
const folder = mkdtempSync(join(tmpdir(), 'bellwether-companies-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const imported = (path: string) => json('import', 'companies', path)

const stored = (domain: string) =>
  db.selectFrom('companies').selectAll().where('domain', '=', domain).executeTakeFirst()

test('companies are imported from CSV; columns, countries, industries and headcounts are parsed in common forms', async () => {
  const path = file(
    'companies.csv',
    '\ufeffCompany Name;Website;Country Code;Sector;Headcount;City;Year founded\n' +
      '"Müller; Söhne GmbH";https://www.mueller.de/x;DEU;Maschinenbau;1.200;Köln;1921\n' +
      'Wick;wick.example;uk;Candle making;51-200;;\n' +
      'Spree;spree.example;;B2B SaaS;40;Berlin, Germany;2019-04-01\n' +
      'Nowhere;nowhere.example;Atlantis;;;;\n',
  )
  const report = await imported(path)
  assert.deepEqual([report.rows, report.created, report.existing, report.rejected], [4, 4, 0, 0])
  const mueller = await stored('mueller.de')
  assert.deepEqual(
    [mueller?.name, mueller?.name_key, mueller?.country_code, mueller?.country, mueller?.industry_key],
    ['Müller; Söhne GmbH', 'müller söhne', 'DE', 'Germany', 'machinery'],
  )
  assert.deepEqual([mueller?.employees, mueller?.founded_year, mueller?.location], [1200, 1921, 'Köln'])
  const wick = await stored('wick.example')
  assert.deepEqual(
    [wick?.country_code, wick?.industry_key, wick?.industry_words, wick?.employees],
    ['GB', '', 'candle making', 126],
  )
  const spree = await stored('spree.example')
  assert.deepEqual([spree?.country_code, spree?.industry_key, spree?.founded_year], ['DE', 'saas', 2019])
  const nowhere = await stored('nowhere.example')
  assert.deepEqual([nowhere?.country_code, nowhere?.country, nowhere?.employees], ['', 'Atlantis', null])
})

test('importing again updates the values of the file and keeps the others', async () => {
  const before = await stored('mueller.de')
  const path = file(
    'again.csv',
    'domain,employees,industry\nmueller.de,1300,\nwick.example,,Software\nnew.example,1,\n',
  )
  const report = await imported(path)
  assert.deepEqual([report.created, report.existing], [1, 2])
  const mueller = await stored('mueller.de')
  assert.deepEqual(
    [mueller?.employees, mueller?.industry, mueller?.name, mueller?.position],
    [1300, 'Maschinenbau', 'Müller; Söhne GmbH', before?.position],
  )
  const wick = await stored('wick.example')
  assert.deepEqual([wick?.industry, wick?.industry_key, wick?.industry_words], ['Software', 'software', null])
  assert.equal((await stored('new.example'))?.name, 'new.example')
  const facet = await db
    .selectFrom('company_facets')
    .selectAll()
    .where('id', '=', wick?.facet_id as number)
    .executeTakeFirstOrThrow()
  assert.deepEqual([facet.country_code, facet.industry_key, facet.size_band], ['GB', 'software', 3])
})

test('companies are imported from NDJSON, compressed or from standard input; the last row of a domain wins', async () => {
  const lines = [
    { name: 'One', domain: 'json-one.example', employees: 5, country: 'FR', note: { nested: true } },
    { company: 'Two', website: 'www.json-two.example', 'linkedin url': 'https://network.example/two' },
    { domain: 'json-one.example', name: 'One again', employees: 9 },
  ]
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n[1]\n{"domain": 1}\n{"domain"\n`
  const report = await imported(file('companies.ndjson.gz', gzipSync(text)))
  assert.deepEqual([report.rows, report.created, report.existing, report.rejected], [6, 2, 1, 3])
  assert.deepEqual(report.sample, [
    { line: 5, reason: 'it is not a JSON object' },
    { line: 6, reason: '"1" is not a domain' },
    { line: 7, reason: 'it is not a JSON object' },
  ])
  const one = await stored('json-one.example')
  assert.deepEqual([one?.name, one?.employees, one?.country_code], ['One again', 9, 'FR'])
  assert.equal((await stored('json-two.example'))?.network_url, 'https://network.example/two')
  const piped = run(['import', 'companies', '-', '--json'], { env })
  piped.child.stdin.end('name,domain\nPiped,piped.example\n')
  assert.equal(await piped.exited, 0, piped.output())
  const { rows, created } = JSON.parse(piped.output())
  assert.deepEqual([rows, created], [1, 1])
})

test('a row with text that cannot be stored or is too long is rejected and does not affect others', async () => {
  const lines = [
    '{"domain": "half.example", "name": "\\ud800"}',
    '{"domain": "nul.example", "description": "a\\u0000b"}',
    '{"domain": "latin.example", "name": "M\xfcller"}',
    `{"domain": "long.example", "name": "${'x'.repeat(301)}"}`,
    `{"domain": "wide.example", ${Array.from({ length: 500 }, (_, n) => `"${n}": 1`)}}`,
    `{"domain": "endless.example", "unknown": "${'x'.repeat(2_000_000)}"}`,
    '{"domain": "sheep.example", "name": "\\ud83d\\udc11", "unknown": "\\ud800"}',
  ]
  const { created, rejected, sample } = await imported(file('text.ndjson', Buffer.from(lines.join('\n'), 'latin1')))
  assert.deepEqual([created, rejected], [1, 6])
  const reasons = sample.map(({ line, reason }: { line: number; reason: string }) => [
    line,
    reason.split(' ', 2).join(' '),
  ])
  assert.deepEqual(reasons, [
    [1, 'name contains'],
    [2, 'short_description contains'],
    [3, 'it contains'],
    [4, 'name has'],
    [5, 'it has'],
    [6, 'it is'],
  ])
  assert.equal((await stored('sheep.example'))?.name, '🐑')
})

test('a dry run counts new companies and stores nothing; all rejected rows are in the report', async () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => `dry-${n % 11_000}.example,Dry ${n}`)
  const path = file('dry.csv', `domain,name\n${rows.join('\n')}\n,none\nmueller.de,known\n${'bad,x\n'.repeat(30)}`)
  const report = join(folder, 'report.csv')
  const { code, output } = await cli('import', 'companies', path, '--dry-run', '--report', report)
  assert.equal(code, 0)
  assert.match(
    output,
    /12032 rows read \(dry run: nothing was stored\)\n11000 companies would be added, 1001 existed already, 31 rejected/,
  )
  assert.match(output, /line 12002: it has no domain\n {2}line 12004: "bad" is not a domain/)
  assert.match(output, /… and 11 more\n/)
  assert.equal(readFileSync(report, 'utf8').trim().split('\r\n').length, 32)
  assert.equal(await stored('dry-0.example'), undefined)
})

test('a file without domains, a missing file and an empty one are rejected with one line', async () => {
  const refusal = async (path: string) => {
    const { code, output } = await cli('import', 'companies', path)
    assert.deepEqual([code, output.trim().split('\n').length], [1, 1], output)
    return output
  }
  assert.match(await refusal(file('none.csv', 'name\nA\n')), /^The file has no column for domain. It has: name./)
  assert.match(await refusal(join(folder, 'absent.csv')), /cannot be read: ENOENT/)
  assert.match(await refusal(file('empty.csv', '')), /is empty/)
  assert.match(await refusal(file('broken.gz', gzipSync('domain\na.example\n').subarray(0, 20))), /cannot be read/)
})

const upload = (type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  service.admin.post('/v1/companies/import', undefined, { body, headers: { 'content-type': type, ...headers } })

/** Sends a file, has it imported as a worker would, and answers what became of it. */
async function sent(type: string, body: string | Buffer) {
  const answer = await upload(type, body)
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.data.status, 'running')
  await service.run(importUploadedCompanies, { workspace_id: service.workspaceId, import_id: answer.data.id })
  return service.admin.expect(200, 'GET', `/v1/companies/imports/${answer.data.id}`)
}

test('companies are uploaded as CSV or NDJSON, plain or compressed, and the import reports the outcome of the rows', async () => {
  const csv = `Company;Website;Land\nAlp;alp.example;CH\nNone;;AT\nBad;not a domain;AT\nNul\0;nul.example;DE\n`
  const done = await sent('text/csv; charset=utf-8', csv)
  assert.deepEqual(
    [done.status, done.format, done.progress, done.rows, done.created, done.existing, done.rejected],
    ['done', 'csv', 1, 4, 1, 0, 3],
  )
  assert.deepEqual(done.errors, [
    { line: 3, reason: 'it has no domain' },
    { line: 4, reason: '"not a domain" is not a domain' },
    {
      line: 5,
      reason: 'name contains characters that cannot be stored: NUL, half a surrogate pair, or bytes that are not UTF-8',
    },
  ])
  assert.equal((await stored('alp.example'))?.country_code, 'CH')
  const lines =
    '{"domain":"alp.example","employees":7}\n{"domain":"berg.example"}\n{"domain":"x.example","name":"\\ud800"}\n'
  const packed = await sent('application/x-ndjson', gzipSync(lines))
  assert.deepEqual([packed.rows, packed.created, packed.existing, packed.rejected], [3, 1, 1, 1])
  assert.equal((await stored('alp.example'))?.employees, 7)
  const [newest, before] = await service.admin.expect(200, 'GET', '/v1/companies/imports')
  assert.deepEqual([newest.id, before.id], [packed.id, done.id])
  const left = await db.selectFrom('import_chunks').select('position').execute()
  assert.equal(left.length, 0)
})

test('an unreadable file fails with a reason; a body of another type, an empty and a too large one are rejected', async () => {
  const nameless = await sent('text/csv', 'name\nA\n')
  assert.deepEqual([nameless.status, nameless.rows], ['failed', 0])
  assert.equal(nameless.failure, 'The file has no column for domain. It has: name.')
  const bomb = await sent('text/csv', gzipSync(Buffer.concat([Buffer.from('domain'), Buffer.alloc(20_000_000, '\n')])))
  assert.deepEqual(
    [bomb.status, bomb.failure],
    ['failed', 'The file unpacks to more than 100 times its size. Send it unpacked.'],
  )
  // A spreadsheet's "Unicode text".
  const wide = await sent('text/csv', Buffer.from('\ufeffdomain,name\nwide.example,W\n', 'utf16le'))
  assert.deepEqual([wide.status, wide.rows], ['failed', 0])
  assert.match(
    wide.failure,
    /^The first line of the file contains characters that cannot be stored.* Save it as UTF-8\.$/,
  )
  // Longer than a chunk: the rest of it is still to be fetched when the error is met.
  const broken = await sent('text/csv', `domain\nbroken"quote\n${'x'.repeat(1_100_000)}`)
  assert.match(broken.failure, /cannot be read as CSV: Invalid Opening Quote/)
  refused(await upload('application/json', '{}'), 415, 'unsupported_media_type')
  refused(await upload('text/csv', ''), 400, 'invalid_request')
  const large = request(`${service.address}/v1/companies/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'text/csv', 'content-length': 600 * 1024 * 1024 },
  })
  large.flushHeaders()
  const [tooLarge] = await once(large, 'response')
  assert.equal(tooLarge.statusCode, 413)
  large.destroy()
  const { client } = await service.member()
  const member = await client.post('/v1/companies/import', undefined, {
    body: 'x',
    headers: { 'content-type': 'text/csv' },
  })
  refused(member, 403, 'forbidden')
  const stranger = await service.stranger()
  refused(await stranger.client.get(`/v1/companies/imports/${nameless.id}`), 404, 'not_found')
  // A repeat of the call with its key sends nothing twice.
  const key = { 'idempotency-key': 'companies-once' }
  const first = await upload('text/csv', 'domain\nonce.example\n', key)
  const again = await upload('text/csv', 'domain\nonce.example\n', key)
  assert.deepEqual([again.status, again.data.id], [202, first.data.id])
})

test('an interrupted import continues after the stored rows and counts no row twice; a failed one reports the stored rows', async () => {
  const rows = Array.from({ length: 13_000 }, (_, n) => (n === 12_000 ? 'poison.example' : `cut-${n}.example`))
  rows[5] = 'none'
  rows[9_000] = 'nor this'
  const csv = `domain\n${rows.join('\n')}\n`
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin if new.domain = 'poison.example' then raise 'not now'; end if; return new; end $$`.execute(db)
  await sql`create trigger refuse before insert on companies for each row execute function refuse()`.execute(db)
  const ids = [(await upload('text/csv', csv)).data.id, (await upload('text/csv', csv)).data.id]
  const payloads = ids.map((import_id) => ({ workspace_id: service.workspaceId, import_id }))
  const [first, second] = payloads as [(typeof payloads)[number], (typeof payloads)[number]]
  const read = (id: string) => service.admin.expect(200, 'GET', `/v1/companies/imports/${id}`)
  await assert.rejects(service.run(importUploadedCompanies, first), /not now/)
  const half = await read(first.import_id)
  // The first batch ends in the middle of the file, with the second bad line before it.
  assert.deepEqual([half.status, half.rows, half.created, half.rejected], ['running', 10_002, 10_000, 2])
  assert.ok(half.progress > 0.5 && half.progress <= 1)
  assert.deepEqual(
    half.errors.map(({ line }: { line: number }) => line),
    [7, 9_002],
  )

  const last = { signal: new AbortController().signal, attempt: 5, progressed: async () => {} }
  await assert.rejects(importUploadedCompanies.run(service.deps, second, last), /not now/)
  const given = await read(second.import_id)
  assert.deepEqual([given.status, given.rows, given.created, given.existing], ['failed', 10_002, 0, 10_000])
  assert.match(given.failure, /internal error/)

  const lost = { workspace_id: service.workspaceId, import_id: (await upload('text/csv', csv)).data.id }
  await importUploadedCompanies.onLost?.(service.deps, lost)
  const dead = await read(lost.import_id)
  assert.equal(dead.status, 'failed')
  assert.match(dead.failure, /died or stopped responding twice .* Send the rest of the file again\.$/)

  await sql`drop trigger refuse on companies`.execute(db)
  // However long the service was down, the file is still there.
  await sql`update imports set created_at = now() - interval '3 days' where id = ${first.import_id}`.execute(db)
  await service.run(maintainImports, { idle: 0 })
  const { rows: queued } = await sql`select from pgboss.job where name = 'import-uploaded-companies'
    and data ->> 'import_id' = ${first.import_id}`.execute(db)
  assert.equal(queued.length, 2)
  await service.run(importUploadedCompanies, first)
  const done = await read(first.import_id)
  assert.deepEqual(
    [done.status, done.rows, done.created, done.existing, done.rejected, done.errors.length],
    ['done', 13_000, 12_998, 0, 2, 2],
  )
  assert.ok(await stored('poison.example'))
})

test('an aborted upload leaves nothing', async () => {
  const before = await service.admin.expect(200, 'GET', '/v1/companies/imports?per_page=100')
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const aborter = new AbortController()
  async function* body() {
    yield Buffer.from('domain\n')
    yield Buffer.alloc(3 * 1024 * 1024, 'cut.example\n')
    begin()
    await new Promise(() => {})
  }
  const sending = fetch(`${service.address}/v1/companies/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'text/csv' },
    body: ReadableStream.from(body()),
    duplex: 'half',
    signal: aborter.signal,
  } as RequestInit)
  await begun
  await eventually('the first bytes are kept', async () => (await receiving()) === 1)
  aborter.abort()
  await assert.rejects(sending)
  await eventually('they are gone', async () => (await receiving()) === 0)
  assert.deepEqual(await service.admin.expect(200, 'GET', '/v1/companies/imports?per_page=100'), before)
})

async function receiving(): Promise<number> {
  const rows = await db.selectFrom('imports').select('id').where('status', '=', 'receiving').execute()
  return rows.length
}

test('the universe is counted by country, industry and size, and each workspace sees its own', async () => {
  const { client, workspaceId } = await service.stranger()
  assert.deepEqual(await client.expect(200, 'GET', '/v1/companies/facets'), {
    total: 0,
    countries: [],
    industries: [],
    sizes: [],
  })
  const csv =
    'domain,country,industry,employees\na.example,DE,SaaS,7\nb.example,Germany,Software,11\nc.example,FR,Candle making,20000\nd.example,,,\n'
  const { data } = await client.post('/v1/companies/import', undefined, {
    body: csv,
    headers: { 'content-type': 'text/csv' },
  })
  await service.run(importUploadedCompanies, { workspace_id: workspaceId, import_id: data.id })
  assert.deepEqual(await client.expect(200, 'GET', '/v1/companies/facets'), {
    total: 4,
    countries: [
      { code: 'DE', count: 2 },
      { code: 'FR', count: 1 },
    ],
    // What belongs to an industry counts for it, as it does in a run.
    industries: [
      { name: 'software', count: 2 },
      { name: 'technology', count: 2 },
      { name: 'candle making', count: 1 },
      { name: 'saas', count: 1 },
    ],
    sizes: [
      { min: 0, max: 10, count: 1 },
      { min: 11, max: 50, count: 1 },
      { min: 10_001, max: null, count: 1 },
    ],
  })
})

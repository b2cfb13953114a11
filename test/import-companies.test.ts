import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { commands } from './support/commands.ts'
import { beside, run } from './support/process.ts'
import { testService } from './support/service.ts'

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

test('companies come from CSV; columns, countries, industries and headcounts are read as people write them', async () => {
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
    ['GB', '', 'candle making', null],
  )
  const spree = await stored('spree.example')
  assert.deepEqual([spree?.country_code, spree?.industry_key, spree?.founded_year], ['DE', 'saas', 2019])
  const nowhere = await stored('nowhere.example')
  assert.deepEqual([nowhere?.country_code, nowhere?.country, nowhere?.employees], ['', 'Atlantis', null])
})

test('importing again changes what the file says and keeps the rest', async () => {
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
  assert.deepEqual([facet.country_code, facet.industry_key, facet.size_band], ['GB', 'software', 0])
})

test('companies come as one JSON object a line, packed or from standard input; the last word on a domain counts', async () => {
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

test('a line whose text cannot be stored as it is, or is too long, is refused and holds up no other', async () => {
  const lines = [
    '{"domain": "half.example", "name": "\\ud800"}',
    '{"domain": "nul.example", "description": "a\\u0000b"}',
    '{"domain": "latin.example", "name": "M\xfcller"}',
    `{"domain": "long.example", "name": "${'x'.repeat(301)}"}`,
    '{"domain": "sheep.example", "name": "\\ud83d\\udc11", "unknown": "\\ud800"}',
  ]
  const { created, rejected, sample } = await imported(file('text.ndjson', Buffer.from(lines.join('\n'), 'latin1')))
  assert.deepEqual([created, rejected], [1, 4])
  const reasons = sample.map(({ line, reason }: { line: number; reason: string }) => [
    line,
    reason.split(' ', 2).join(' '),
  ])
  assert.deepEqual(reasons, [
    [1, 'name holds'],
    [2, 'short_description holds'],
    [3, 'it holds'],
    [4, 'name has'],
  ])
  assert.equal((await stored('sheep.example'))?.name, '🐑')
})

test('a dry run counts what is new and stores nothing; all rejected lines go to the report', async () => {
  const rows = Array.from({ length: 45_000 }, (_, n) => `dry-${n % 30_000}.example,Dry ${n}`)
  const path = file('dry.csv', `domain,name\n${rows.join('\n')}\n,none\nmueller.de,known\n${'bad,x\n'.repeat(30)}`)
  const report = join(folder, 'report.csv')
  const { code, output } = await cli('import', 'companies', path, '--dry-run', '--report', report)
  assert.equal(code, 0)
  assert.match(
    output,
    /45032 rows read \(dry run: nothing was stored\)\n30000 companies would be added, 15001 were there already, 31 rejected/,
  )
  assert.match(output, /line 45002: it has no domain\n {2}line 45004: "bad" is not a domain/)
  assert.match(output, /… and 11 more\n/)
  assert.equal(readFileSync(report, 'utf8').trim().split('\r\n').length, 32)
  assert.equal(await stored('dry-0.example'), undefined)
})

test('a file without domains, one that is not there and an empty one are refused in one line', async () => {
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

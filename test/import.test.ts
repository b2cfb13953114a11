import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commands } from './support/commands.ts'
import { beside } from './support/process.ts'
import { testService } from './support/service.ts'

const service = await testService()
const { admin } = service
const { cli, json } = commands(beside(service))
const folder = mkdtempSync(join(tmpdir(), 'bellwether-import-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('accounts are imported; columns are found by common header names', async () => {
  const { email, id } = (await admin.expect(200, 'GET', '/v1/members'))[0]
  const path = file(
    'accounts.csv',
    `\ufeffCompany Name;Website;Industry;Number of Employees;Labels;Account Owner\n"Müller; Söhne";https://www.mueller.de/x;Rail;1.200;"vip, rail";${email}\nNo Domain;;;51-200;;\n;only-domain.com;;;;\n`,
  )
  const report = await json('import', 'accounts', path)
  assert.deepEqual([report.rows, report.created, report.existing, report.rejected], [3, 3, 0, []])
  const accounts = await admin.expect(200, 'GET', '/v1/accounts?sort=created_at&order=asc')
  const muller = accounts.find(({ domain }: { domain: string }) => domain === 'mueller.de')
  assert.deepEqual(
    [muller.name, muller.industry, muller.employees, muller.tags, muller.owner_id],
    ['Müller; Söhne', 'Rail', 1200, ['vip', 'rail'], id],
  )
  assert.equal((await admin.expect(200, 'GET', `/v1/accounts/${muller.id}`)).source, 'import')
  assert.ok(accounts.some(({ name }: { name: string }) => name === 'Only Domain'))
  // The middle of the range.
  assert.equal(accounts.find(({ name }: { name: string }) => name === 'No Domain').employees, 126)
  const again = await json('import', 'accounts', path)
  assert.deepEqual([again.created, again.existing], [0, 3])
  const [{ id: last }, { file_name, id: first }] = await admin.expect(200, 'GET', '/v1/accounts/imports')
  assert.equal(file_name, 'accounts.csv')
  assert.equal((await admin.expect(200, 'GET', `/v1/accounts?import_id=${first}`)).length, 3)
  assert.deepEqual(await admin.expect(200, 'GET', `/v1/accounts?import_id=${last}`), [])
})

test('rejected rows are reported with line and reason, and do not affect others', async () => {
  const path = file(
    'bad.csv',
    'name,domain,owner\nGood,good-one.com,\nBad,not a domain,\n,,\nOwned,owned.com,nobody@x.com\n"Line\nbreak",line-break.com,\nLast,nodot,\n',
  )
  const report = join(folder, 'report.csv')
  const { code, output } = await cli('import', 'accounts', path, '--report', report)
  assert.equal(code, 0)
  assert.match(output, /6 rows read\n3 accounts added, 0 existed already, 3 rejected/)
  assert.match(output, /line 3: "not a domain" is not a domain/)
  assert.match(output, /line 4: it has neither a name nor a domain/)
  assert.match(output, /line 8: "nodot" is not a domain/)
  assert.equal(readFileSync(report, 'utf8').trim().split('\r\n').length, 4)
})

test('a text is stored unchanged or its row is rejected: none is repaired or truncated', async () => {
  const tags = Array.from({ length: 101 }, (_, n) => `t${n}`).join(';')
  const lines = [
    'name,domain,industry,tags,note',
    'Latin \xfcber,latin.com,,,',
    'N\0l,nul.com,,,',
    `${'x'.repeat(301)},long.com,,,`,
    `Many,many.com,,${tags},`,
    `Wide,wide.com,,${'x'.repeat(61)},`,
    'Unread,unread.com,,,\xfc',
    'Plain,plain.com,Rail,a;b,',
  ]
  const utf8 = `Schäfer 🐑,schaefer.com,,${'🐑'.repeat(60)},\n`
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\n')}\n`, 'latin1'), Buffer.from(utf8)])
  const { rejected, created } = await json('import', 'accounts', file('foreign.csv', bytes))
  assert.equal(created, 3)
  const noText =
    'name contains characters that cannot be stored: NUL, half a surrogate pair, or bytes that are not UTF-8'
  assert.deepEqual(rejected, [
    { line: 2, reason: noText },
    { line: 3, reason: noText },
    { line: 4, reason: 'name has more than 300 characters' },
    { line: 5, reason: 'it has more than 100 tags' },
    { line: 6, reason: 'tag has more than 60 characters' },
  ])
  const [sheep] = await admin.expect(200, 'GET', '/v1/accounts?domain=schaefer.com')
  assert.deepEqual([sheep.name, sheep.tags], ['Schäfer 🐑', ['🐑'.repeat(60)]])
  assert.equal((await admin.expect(200, 'PATCH', `/v1/accounts/${sheep.id}`, sheep)).name, sheep.name)
  const people = `name,domain,title\nBo,schaefer.com,${'x'.repeat(301)}\nMo,schaefer.com,\n`
  assert.match(
    (await json('import', 'people', file('people.csv', people), '--dry-run')).rejected[0].reason,
    /^title has more than 300/,
  )
})

test('characters that cross a chunk boundary are decoded correctly', async () => {
  // Two bytes each from an odd place on, so that the cuts at even places go through letters.
  const rows = Array.from({ length: 30 }, (_, n) => `${'ü'.repeat(290)}${n},umlaut-${n}.com,${'ü'.repeat(4000)}\n`)
  const path = file('umlauts.csv', `name,domain,description\n${rows.join('')}`)
  assert.deepEqual((await json('import', 'accounts', path)).rejected, [])
  const [account] = await admin.expect(200, 'GET', '/v1/accounts?domain=umlaut-')
  assert.equal(account.short_description, 'ü'.repeat(4000))
})

test('a dry run reports the outcome and stores nothing', async () => {
  const path = file('dry.csv', 'name,domain\nA,dry-a.com\nA2,www.dry-a.com\nGood,good-one.com\nBad,x\n')
  const report = await json('import', 'accounts', path, '--dry-run')
  assert.deepEqual([report.created, report.existing, report.rejected.length, report.dry_run], [1, 2, 1, true])
  assert.deepEqual(await admin.expect(200, 'GET', '/v1/accounts?domain=dry-a'), [])
})

test('a column can be named, and a file without a required one is rejected', async () => {
  const path = file('odd.csv', 'Kunde,Seite\nOdd,odd.com\n')
  const refused = await cli('import', 'accounts', file('unknown.csv', 'Farbe,Form\nrot,rund\n'))
  assert.equal(refused.code, 1)
  assert.match(
    refused.output,
    /^The file has no column for name or domain. It has: Farbe, Form. Name one with --column name=HEADER.\n$/,
  )
  assert.equal((await json('import', 'accounts', path, '--column', 'name=Kunde', 'domain=Seite')).created, 1)
  for (const [args, message] of [
    [['--column', 'colour=Kunde'], /There is no field "colour"/],
    [['--column', 'name=Nope'], /The file has no column "Nope"/],
    [['--column', 'name'], /must be FIELD=HEADER/],
  ] as const) {
    const { code, output } = await cli('import', 'accounts', path, ...args)
    assert.equal(code, 1)
    assert.match(output, message)
  }
  assert.match((await cli('import', 'accounts', join(folder, 'none.csv'))).output, /cannot be read: ENOENT/)
  assert.match((await cli('import', 'accounts', file('empty.csv', ''))).output, /is empty/)
})

test('thousands of rows are imported in batches', async () => {
  const rows = Array.from({ length: 2300 }, (_, n) => `Bulk ${n},bulk-${n}.com`)
  const report = await json('import', 'accounts', file('bulk.csv', `name,domain\n${rows.join('\n')}\n`))
  assert.deepEqual([report.rows, report.created], [2300, 2300])
  assert.equal((await admin.get('/v1/accounts?domain=bulk-')).body.pagination.total, 2300)
})

test('people are matched to accounts by domain; an email from a file is stored as unverified', async () => {
  await admin.expect(201, 'POST', '/v1/accounts', { name: 'Crew', domain: 'crew.com' })
  const path = file(
    'people.csv',
    'First Name,Last Name,Job Title,Company Website,Email Address,LinkedIn URL,Country\nMara,Lind,VP Sales,https://www.crew.com,mara@crew.com,network.example/in/mara,de\nBo,Ek,,,bo@crew.com,,\nNo,Account,,nowhere.com,,,\n,,,crew.com,,,\n',
  )
  const report = await json('import', 'people', path)
  assert.deepEqual(
    [report.created, report.rejected],
    [
      2,
      [
        { line: 4, reason: 'no account has the domain nowhere.com' },
        { line: 5, reason: 'it has no name' },
      ],
    ],
  )
  const people = await admin.expect(200, 'GET', '/v1/people?sort=full_name&order=asc')
  assert.deepEqual(
    people.map(({ full_name }: { full_name: string }) => full_name),
    ['Bo Ek', 'Mara Lind'],
  )
  const mara = people[1]
  assert.deepEqual(
    [mara.title, mara.country_code, mara.email, mara.email_checked_at, mara.source],
    ['VP Sales', 'DE', null, null, 'employee'],
  )
  const again = await json('import', 'people', path)
  assert.deepEqual([again.created, again.existing], [0, 2])
  await admin.expect(200, 'DELETE', `/v1/people/${mara.id}`)
  const erased = await json('import', 'people', path)
  assert.ok(
    erased.rejected.some(
      ({ reason }: { reason: string }) => reason === 'this person was erased and is not stored again',
    ),
  )
  assert.equal((await admin.get('/v1/people')).body.pagination.total, 1)
})

test('the columns of an export of people are found by header and content', async () => {
  await admin.expect(201, 'POST', '/v1/accounts', { name: 'Halden', domain: 'halden.example' })
  const profile = 'https://www.linkedin.com/in/mia-holm'
  const table =
    'First Name,Last Name,URL,Company Linkedin Url,Email Address,Company,Position,Country\n' +
    `Mia,Holm,${profile},https://www.linkedin.com/company/halden,mia@halden.example,Halden,Head of Rail,Norwegen\n`
  const report = await json('import', 'people', file('connections.csv', table))
  assert.deepEqual([report.created, report.rejected], [1, []])
  const [{ id }] = await admin.expect(200, 'GET', '/v1/people?search=Mia%20Holm')
  const person = await admin.expect(200, 'GET', `/v1/people/${id}`)
  assert.deepEqual(
    [person.full_name, person.title, person.network_url, person.country_code],
    ['Mia Holm', 'Head of Rail', profile, 'NO'],
  )
})

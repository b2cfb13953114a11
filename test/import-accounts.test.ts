import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { importUploadedAccounts, importUploadedCompanies, maintainImports } from '../src/imports/import-uploads.job.ts'
import { type Client, refused } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { scene } from './support/scene.ts'
import { ADMIN_KEY, testService } from './support/service.ts'

const service = await testService()
const { db } = service.deps

const send = (client: Client, path: string, body: string | Buffer, query = '') =>
  client.post(`/v1/accounts/${path}${query}`, undefined, { body, headers: { 'content-type': 'text/csv' } })

async function preview(client: Client, body: string | Buffer, query = '') {
  const answer = await send(client, 'import/preview', body, query)
  assert.equal(answer.status, 200, answer.text)
  return answer.data
}

/** Sends a file, has it imported as a worker would, and answers what became of it. */
async function imported(world: { client: Client; workspaceId: string }, body: string | Buffer, query = '') {
  const answer = await send(world.client, 'import', body, query)
  assert.equal(answer.status, 202, answer.text)
  await service.run(importUploadedAccounts, { workspace_id: world.workspaceId, import_id: answer.data.id })
  return world.client.expect(200, 'GET', `/v1/accounts/imports/${answer.data.id}`)
}

const counts = ({ rows, created, existing, rejected }: Record<string, number>) => [rows, created, existing, rejected]
type Column = { header: string; field: string | null; samples: string[] }
const fields = ({ columns }: { columns: Column[] }) => columns.map(({ header, field }) => [header, field])
const names = async (client: Client, query = '') =>
  (await client.expect(200, 'GET', `/v1/accounts?sort=created_at&order=asc${query}`)).map(
    ({ name }: { name: string }) => name,
  )

const TABLE =
  'Firma;Website;Branche;Mitarbeiter;Inhaber\nMüller & Söhne;www.mueller.de;Bäckerei;1.200;x\n"Groß; Co";gross.de;;;\n'

test('a file is read in any spreadsheet layout, and the preview reports the layout', async () => {
  const { client } = await scene(service)
  const utf16be = Buffer.from(`\ufeff${TABLE}`, 'utf16le').swap16()
  const files: [string, Buffer][] = [
    ['utf-8', Buffer.from(TABLE)],
    ['utf-8', Buffer.from(`\ufeff${TABLE}`)],
    ['utf-8', gzipSync(TABLE)],
    ['utf-16le', Buffer.from(`\ufeff${TABLE}`, 'utf16le')],
    ['utf-16le', Buffer.from(TABLE, 'utf16le')],
    ['utf-16be', utf16be],
    ['windows-1252', Buffer.from(TABLE, 'latin1')],
  ]
  for (const [encoding, bytes] of files) {
    const read = await preview(client, bytes)
    assert.deepEqual([read.encoding, read.delimiter, read.has_header], [encoding, 'semicolon', true])
    assert.deepEqual(fields(read), [
      ['Firma', 'name'],
      ['Website', 'domain'],
      ['Branche', 'industry'],
      ['Mitarbeiter', 'employees'],
      ['Inhaber', null],
    ])
    assert.deepEqual(counts(read), [2, 2, 0, 0])
    const [first, second] = read.preview
    assert.deepEqual(
      [
        first.line,
        first.outcome,
        first.account.name,
        first.account.domain,
        first.account.industry,
        first.account.employees,
      ],
      [2, 'created', 'Müller & Söhne', 'mueller.de', 'Bäckerei', 1200],
    )
    assert.equal(second.account.name, 'Groß; Co')
  }
  // The first letter beyond ASCII stands behind what is looked at first.
  const behind = Buffer.from(`Firma;Website\n${'Acme;acme.com\n'.repeat(5_000)}${TABLE}`, 'latin1')
  const far = await preview(client, behind)
  assert.deepEqual([far.encoding, far.delimiter, far.has_header], ['windows-1252', 'semicolon', true])
  assert.deepEqual(counts(far), [5_003, 3, 4_999, 1])
  assert.deepEqual(far.errors, [{ line: 5_002, reason: '"Website" is not a domain' }])
  // Euro sign and typographic quotes are what the alphabet adds to Latin 1.
  const western = await preview(client, Buffer.from('name,domain\n\x93\x80uro\x94,euro.example\n', 'latin1'))
  assert.equal(western.preview[0].account.name, '“€uro”')
  // One damaged letter does not make another alphabet of a file: its line is refused.
  const damaged = Buffer.concat([Buffer.from('name\nMüller Straße\nM'), Buffer.from([0xfc]), Buffer.from('ller\n')])
  const mended = await preview(client, damaged)
  assert.deepEqual([mended.encoding, mended.created, mended.rejected], ['utf-8', 1, 1])
  assert.match(mended.errors[0].reason, /bytes that are not UTF-8/)
  assert.equal((await preview(client, damaged, '?encoding=windows-1252')).rejected, 0)
  const tabs = await preview(client, 'Company\tWeb\nAcme, Inc.\tacme.com\n')
  assert.deepEqual([tabs.delimiter, tabs.preview[0].account.name], ['tab', 'Acme, Inc.'])
  assert.deepEqual(await names(client), [])
})

test('columns without headers are detected by content, and the caller can override them', async () => {
  const world = await scene(service)
  const { client } = world
  const bare = 'Acme,12,https://acme.com/x,Germany\nBeta,7,beta.io,Austria\nNone,,,\n'
  const guessed = await preview(client, bare)
  assert.equal(guessed.has_header, false)
  assert.deepEqual(fields(guessed), [
    ['Column 1', 'name'],
    ['Column 2', null],
    ['Column 3', 'domain'],
    ['Column 4', 'country'],
  ])
  assert.deepEqual(guessed.columns[2].samples, ['https://acme.com/x', 'beta.io'])
  assert.deepEqual(counts(guessed), [3, 3, 0, 0])
  assert.ok(guessed.fields.includes('employees'))
  const query = `?column=${encodeURIComponent('employees=Column 2')}&column=country=&tag=${encodeURIComponent(' fair ')}`
  const said = await preview(client, bare, query)
  assert.deepEqual(
    fields(said).map(([, field]) => field),
    ['name', 'employees', 'domain', null],
  )
  const first = said.preview[0].account
  assert.deepEqual([first.employees, first.country, first.tags], [12, null, ['fair']])
  // A line of words over addresses is a header, although its words are unknown. Over words it is data.
  const odd = 'Wer,Wo\nAcme,acme.com\n'
  const content = await preview(client, odd)
  assert.deepEqual([content.has_header, ...fields(content)], [true, ['Wer', 'name'], ['Wo', 'domain']])
  assert.deepEqual(counts(await preview(client, 'Wer,Was\nAcme,Stahl\n')), [2, 2, 0, 0])
  const named = '?has_header=true&column=name=wer&column=domain=Wo'
  assert.deepEqual(counts(await preview(client, odd, named)), [1, 1, 0, 0])
  assert.equal((await preview(client, 'name;x\nA,B;1\n', '?delimiter=comma')).columns.length, 2)
  refused(await send(client, 'import/preview', odd, '?column=nothing=x'), 400, 'invalid_request')
  refused(await send(client, 'import/preview', odd, '?has_header=true&column=name=none'), 400, 'invalid_request')
  refused(await send(client, 'import/preview', odd, '?encoding=ebcdic'), 400, 'invalid_request')

  const done = await imported(world, bare, query)
  assert.deepEqual([done.status, done.tag, ...counts(done)], ['done', 'fair', 3, 3, 0, 0])
  assert.deepEqual((await names(client, '&tag=fair')).sort(), ['Acme', 'Beta', 'None'])
  const [account] = await client.expect(200, 'GET', '/v1/accounts?search=acme')
  assert.deepEqual([account.domain, account.employees, account.country], ['acme.com', 12, null])
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${account.id}`)).source, 'import')
})

test('the preview counts equal those of the import; rejected rows are reported and do not affect others', async () => {
  const world = await scene(service, { accounts: ['there.com'] })
  const { client } = world
  const [{ email, id }] = await client.expect(200, 'GET', '/v1/members')
  const table = [
    'Name,Domain,Owner,Tags',
    `One,one.com,${email},a;b`,
    'Two,there.com,,',
    'Three,not a domain,,',
    'Four,four.com,nobody@x.example,',
    'One again,ONE.com,,',
    ',,,c',
    `<script>alert(1)</script>,five.com,${id},`,
  ].join('\r\n')
  const seen = await preview(client, table)
  assert.deepEqual(counts(seen), [7, 3, 2, 2])
  assert.deepEqual(seen.warnings, [
    {
      code: 'unknown_owner',
      message: 'Owner not in this workspace: 1 row. These accounts are imported without an owner.',
    },
  ])
  assert.deepEqual(seen.errors, [
    { line: 4, reason: '"not a domain" is not a domain' },
    { line: 7, reason: 'it has neither a name nor a domain' },
  ])
  assert.deepEqual(
    seen.preview.map(({ line, outcome }: { line: number; outcome: string }) => `${line} ${outcome}`),
    ['2 created', '3 existing', '4 rejected', '5 created', '6 existing', '7 rejected', '8 created'],
  )
  assert.deepEqual(await names(client), ['there'])
  const done = await imported(world, table)
  assert.deepEqual(counts(done), counts(seen))
  assert.deepEqual(done.errors, seen.errors)
  assert.deepEqual((await names(client)).sort(), ['<script>alert(1)</script>', 'Four', 'One', 'there'])
  // Unreadable from the beginning, and after what fills more than a piece of the file.
  refused(await send(client, 'import/preview', 'name,domain\n"b\nC,c.com\n'), 400, 'invalid_request')
  const good = Array.from({ length: 4_000 }, (_, n) => `G${n},good-${n % 10}.com`)
  const broken = `name,domain\n${good.join('\n')}\nB,"b\nC,c.com\n`
  const half = await preview(client, broken)
  assert.deepEqual([half.created, /cannot be read as CSV: Quote Not Closed/.test(half.failure)], [10, true])
  const failed = await imported(world, broken)
  assert.deepEqual([failed.status, failed.created, failed.failure], ['failed', 10, half.failure])
  const [newest] = await client.expect(200, 'GET', '/v1/accounts/imports')
  assert.equal(newest.id, failed.id)
  assert.deepEqual(await client.expect(200, 'GET', '/v1/companies/imports'), [])
  refused(await client.get(`/v1/companies/imports/${failed.id}`), 404, 'not_found')
  const stranger = await service.stranger()
  refused(await stranger.client.get(`/v1/accounts/imports/${failed.id}`), 404, 'not_found')
  for (const path of ['import', 'import/preview']) {
    refused(await send(client, path, ''), 400, 'invalid_request')
    refused(await client.post(`/v1/accounts/${path}`, {}), 415, 'unsupported_media_type')
    const large = request(`${service.address}/v1/accounts/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'text/csv', 'content-length': 65 * 1024 * 1024 },
    })
    large.flushHeaders()
    const [tooLarge] = await once(large, 'response')
    assert.equal(tooLarge.statusCode, 413)
    large.destroy()
  }
})

test('an interrupted import of accounts continues after the stored rows, and adds no row twice', async () => {
  const { client, workspaceId } = await scene(service)
  // Without domains nothing but the count keeps an account from being added again.
  const rows = Array.from({ length: 1_700 }, (_, n) => (n === 1_600 ? 'poison' : n % 100 === 7 ? '""' : `cut ${n}`))
  await sql`create function refuse_account() returns trigger language plpgsql as
    $$ begin if new.name = 'poison' then raise 'not now'; end if; return new; end $$`.execute(db)
  await sql`create trigger refuse before insert on accounts for each row execute function refuse_account()`.execute(db)
  const answer = await send(client, 'import', `name,note\n${rows.map((name) => `${name},x`).join('\n')}\n`)
  const payload = { workspace_id: workspaceId, import_id: answer.data.id }
  const read = () => client.expect(200, 'GET', `/v1/accounts/imports/${payload.import_id}`)
  await assert.rejects(service.run(importUploadedAccounts, payload), /not now/)
  const half = await read()
  assert.equal(half.status, 'running')
  assert.deepEqual([half.created, half.rejected, half.errors.length], [1_500, 16, 16])
  // Lines of a megabyte are not kept until there are as many as of others.
  const long = `name,domain\nShort,\n${`Long,${'a '.repeat(450_000)}\n`.repeat(10)}poison,\n`
  const large = await send(client, 'import', long)
  const largeId = { workspace_id: workspaceId, import_id: large.data.id }
  await assert.rejects(service.run(importUploadedAccounts, largeId), /not now/)
  const stored = await client.expect(200, 'GET', `/v1/accounts/imports/${largeId.import_id}`)
  assert.deepEqual(counts(stored), [11, 1, 0, 10])
  await sql`drop trigger refuse on accounts`.execute(db)
  await service.run(maintainImports, { idle: 0 })
  const { rows: queued } = await sql`select from pgboss.job where name = 'import-uploaded-accounts'
    and data ->> 'import_id' = ${payload.import_id}`.execute(db)
  assert.equal(queued.length, 2)
  await service.run(importUploadedAccounts, payload)
  const done = await read()
  assert.deepEqual([done.status, ...counts(done), done.errors.length], ['done', 1_700, 1_683, 0, 17, 17])
  assert.equal((await client.get('/v1/accounts')).body.pagination.total, 1_684)
  const left = await db
    .selectFrom('import_chunks')
    .select('position')
    .where('import_id', '=', payload.import_id)
    .execute()
  assert.equal(left.length, 0)
})

test('of two workers at one import, each row is stored by one; the other is retried, and the import does not fail', async () => {
  const { client, workspaceId } = await scene(service)
  // Without domains, a row that is stored twice would be two accounts.
  const rows = Array.from({ length: 1_700 }, (_, n) => `Halden ${n}`)
  const { data } = await send(client, 'import', `name\n${rows.join('\n')}\n`)
  const payload = { workspace_id: workspaceId, import_id: data.id }
  const context = { signal: new AbortController().signal, attempt: 5 }
  const work = (progressed: () => Promise<void>) =>
    importUploadedAccounts.run(service.deps, payload, { ...context, progressed })
  let other: Promise<void> | undefined
  // Within the transaction of the first batch: the other worker begins with the same rows and waits for its end.
  await work(async () => {
    if (other) return
    other = assert.rejects(
      work(async () => {}),
      /Another worker/,
    )
    await eventually('the other worker waits', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length > 0
    })
  })
  await other
  const state = await client.expect(200, 'GET', `/v1/accounts/imports/${data.id}`)
  assert.deepEqual([state.status, ...counts(state)], ['done', 1_700, 1_700, 0, 0])
  assert.equal((await client.get('/v1/accounts')).body.pagination.total, 1_700)
})

test('a hostile file is read within limits', async () => {
  const { client } = await scene(service)
  const bomb = await preview(client, gzipSync(Buffer.alloc(20_000_000, `${'a'.repeat(9_999)}\n`)))
  assert.match(bomb.failure, /unpacks to more than 100 times its size/)
  for (const wide of [`Acme,${','.repeat(1_200)}acme.example\n`, `${'ab,'.repeat(130_000)}\n`]) {
    const answer = await send(client, 'import/preview', wide)
    refused(answer, 400, 'invalid_request')
    assert.match(answer.error.message, /^The file has more than 1000 columns in line 1\. Leave out those/)
  }
  const repeated = await preview(client, gzipSync('name,country\na,Peru\na,Chile\na,Peru\nb,\na,Peru\n'))
  assert.deepEqual(counts(repeated), [5, 2, 3, 0])
  assert.deepEqual(
    repeated.duplicates.map(({ line, same_as_line }: Record<string, number>) => [line, same_as_line]),
    [
      [3, 2],
      [4, 2],
      [6, 2],
    ],
  )
  const long = await preview(client, `domain,owner\n${'a '.repeat(99_000)},\nacme.example,${'a'.repeat(99_000)}\n`)
  assert.deepEqual(
    long.errors.map(({ reason }: { reason: string }) => reason.length < 200),
    [true],
    'a reason quotes as much as tells what is meant',
  )
  const unread = await send(client, 'import/preview', '"aaaa'.repeat(1_000_000))
  refused(unread, 400, 'invalid_request')
  assert.equal(unread.headers.get('connection'), 'close', 'what was not read stands before the next request')
})

test('links in a file must be web addresses: one without a scheme gets https, any other is dropped', async () => {
  const world = await scene(service)
  const links = {
    'a.example': ['https://network.example/a', 'https://network.example/a'],
    'b.example': ['network.example/company/b', 'https://network.example/company/b'],
    'c.example': ['javascript:alert(1)', null],
    'd.example': ['data:text/html;base64,PHNjcmlwdD4=', null],
    'e.example': ['n/a', null],
  }
  const lines = Object.entries(links).map(([domain, [link]]) => `${domain},"${link}"`)
  const file = `domain,network_url\n${lines.join('\n')}\n`
  const shown = (await preview(world.client, file)).preview.map(
    ({ account }: { account: { domain: string; network_url: string } }) => [account.domain, account.network_url],
  )
  const wanted = Object.entries(links).map(([domain, [, link]]) => [domain, link])
  assert.deepEqual(shown, wanted)
  assert.deepEqual(counts(await imported(world, file)), [5, 5, 0, 0])
  const listed = await world.client.expect(200, 'GET', '/v1/accounts?sort=created_at&order=asc')
  assert.deepEqual(
    listed.map(({ domain, network_url }: Record<string, string>) => [domain, network_url]).sort(),
    wanted,
  )
})

test('imported companies are the own list: marked by their file, scored for fit, and no suggestions', async () => {
  const world = await scene(service, { accounts: ['there.example'] })
  const { client } = world
  await client.expect(201, 'POST', '/v1/knowledge-base', {
    type: 'icp',
    title: 'Who',
    content_md: 'Logistics companies in Germany with 50 to 500 employees.',
  })
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 2 })
  const table = [
    'Company,Website,Industry,Size,Country',
    'Fits,fits.example,Logistics,51-200,DE',
    'Misses,misses.example,Banking,9000,Peru',
    'Open,,,,',
  ].join('\n')
  const done = await imported(world, table, '?file_name=fair.csv')
  assert.deepEqual([done.file_name, ...counts(done)], ['fair.csv', 3, 3, 0, 0])
  const mine = `/v1/accounts?import_id=${done.id}`
  const list = await client.expect(200, 'GET', mine)
  assert.deepEqual(
    list.map(({ name, status, qualified, country }: Record<string, unknown>) => [name, status, qualified, country]),
    [
      ['Fits', 'new', true, 'Germany'],
      ['Open', 'new', false, null],
      ['Misses', 'new', false, 'Peru'],
    ],
  )
  assert.ok(list[0].score > list[1].score && list[1].score > list[2].score, 'sorted by fit')
  const full = await client.expect(200, 'GET', `/v1/accounts/${list[0].id}`)
  assert.deepEqual(full.import, { id: done.id, file_name: 'fair.csv' })
  assert.deepEqual(await names(client, '&status=suggested'), ['there'])
  const stranger = await service.stranger()
  assert.deepEqual(await stranger.client.expect(200, 'GET', mine), [])

  const { ids } = await client.expect(200, 'GET', `/v1/accounts/ids?import_id=${done.id}`)
  const bulk = await client.expect(200, 'POST', '/v1/accounts/bulk', { ids, action: 'activate' })
  assert.deepEqual([bulk.done, bulk.results.length, bulk.results[0].code], [2, 1, 'plan_limit_reached'])
  assert.match(bulk.results[0].message, /^All 2 activations of this period are used\./)
  assert.deepEqual((await names(client, '&status=active')).sort(), ['Fits', 'Open'])
  // Undoing returns them to the list, not to the suggestions.
  await client.expect(200, 'POST', '/v1/accounts/bulk', { ids: ids.slice(0, 1), action: 'deactivate' })
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)).status, 'new')
})

test('the preview warns about missing domains and shows which rows repeat an account or a line', async () => {
  const world = await scene(service, { accounts: [{ name: 'Known', domain: 'known.example' }, { name: 'Bare' }] })
  const { client } = world
  const companies = 'domain,name\nnorth.example,North GmbH\ntwin-a.example,Twin\ntwin-b.example,Twin\n'
  const upload = { body: companies, headers: { 'content-type': 'text/csv' } }
  const { data } = await client.post('/v1/companies/import', undefined, upload)
  await service.run(importUploadedCompanies, { workspace_id: world.workspaceId, import_id: data.id })

  const table = 'Company name,City\nNorth,Oslo\nTwin,Rome\nKNOWN,Paris\nbare,Bonn\nFresh,Kiel\nfresh,Kiel\n'
  const seen = await preview(client, table)
  assert.deepEqual([...counts(seen), seen.without_domain, seen.completable], [6, 3, 3, 0, 6, 2])
  assert.equal(seen.warnings[0].code, 'no_domain_column')
  assert.match(seen.warnings[0].message, /2 rows can be completed by company name\.$/)
  const duplicate = ({ line, account, same_as_line }: Record<string, { domain: string; name: string }>) => [
    line,
    account?.name ?? null,
    same_as_line,
  ]
  assert.deepEqual(seen.duplicates.map(duplicate), [
    [4, 'Known', null],
    [5, 'Bare', null],
    [7, null, 6],
  ])
  const filled = await preview(client, table, '?fill_domains=true')
  assert.equal(filled.preview[0].account.domain, 'north.example')
  assert.deepEqual([filled.without_domain, filled.completable], [5, 1])
  assert.deepEqual(counts(await imported(world, table, '?fill_domains=true')), counts(filled))
  assert.equal((await client.expect(200, 'GET', '/v1/accounts?domain=north.example')).length, 1)

  // Importing the own export again adds nothing.
  const { text } = await client.get('/v1/accounts/export')
  assert.deepEqual(counts(await imported(world, text)), [5, 0, 5, 0])
  assert.equal((await client.get('/v1/accounts')).body.pagination.total, 5)
})

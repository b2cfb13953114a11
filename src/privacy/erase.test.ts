import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { createGate } from '../../sandbox/waiters.ts'
import { article, readAbout } from '../../test/support/documents.ts'
import { testReceiver } from '../../test/support/receiver.ts'
import { scene, unique } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { up as keepCompaniesOfErased } from '../db/migrations/0022-erasure.ts'
import type { Deps } from '../deps/deps.ts'
import { LimitExceeded } from '../engine/threads/pool.ts'
import { importUploadedAccounts } from '../imports/import-uploads.job.ts'
import { redactEvents } from '../people/redact/redact-findings.ts'
import { readContext } from '../research/context.ts'
import { detectAndRecord } from '../research/detect-and-record.ts'
import { insertUnresolved } from '../research/discovery/unresolved-store.ts'
import { redactAndIngest } from '../research/ingest.ts'
import { markExample } from '../research/signals/examples.ts'
import { reportUnread } from '../research/source-reports.ts'
import type { Member } from '../shared/member.ts'
import { redactErasedPeople } from './redact.job.ts'

const receiver = await testReceiver()
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })
const { deps } = service
const { db } = deps

type Proof = { quote: string; details: { people: unknown[]; position: { text: string; start: number; end: number } } }
type World = Awaited<ReturnType<typeof scene>>

/** Returns all rows of a workspace as text, except encrypted responses. */
async function dump(workspaceId: string): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id' and table_name <> 'members'`.execute(db)
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(name)} as t where workspace_id = ${workspaceId}`.execute(db)
      return rows.map(({ row }) => `${name}: ${row}`).join('\n')
    }),
  )
  return texts.join('\n')
}

const erase = (world: World, id: string | undefined) => world.client.expect(200, 'DELETE', `/v1/people/${id}`)

test('an erased person stays erased when the account is deleted and added again under another domain', async () => {
  const world = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }, 'other.com'] })
  const { client, save, ids, add } = world
  const ada = { full_name: 'Ada Pike', title: 'CEO' }
  const [saved] = await save([ada])
  await erase(world, saved?.id)
  const gone = async (id: string) => client.expect(200, 'DELETE', `/v1/accounts/${id}`)
  await gone(ids[0] as string)
  const again = await add({ name: 'Acme', domain: 'https://www.acme.com/' })
  assert.deepEqual(await save([{ ...ada, account_id: again.id }]), [], 'the same domain')
  const jobs = await add({ name: 'Acme Careers', domain: 'jobs.acme.com' })
  assert.deepEqual(await save([{ full_name: 'ada b. pike', account_id: jobs.id }]), [], 'a host of the same site')
  await client.expect(200, 'PATCH', `/v1/accounts/${again.id}`, { domain: 'acme.io' })
  assert.deepEqual(await save([{ ...ada, account_id: again.id }]), [], 'another domain')
  await gone(again.id)
  for (const domain of ['acme.io', 'acme.com']) {
    const { id } = await add({ name: 'Acme', domain })
    assert.deepEqual(await save([{ ...ada, account_id: id }]), [], `${domain} after the change`)
  }
  const bare = await add({ name: 'ACME' })
  assert.deepEqual(await save([{ ...ada, account_id: bare.id }]), [], 'the same name without a domain')
  assert.equal((await save([{ ...ada, account_id: ids[1] as string }])).length, 1, 'a namesake elsewhere')

  const nameless = await add({ name: 'Quill & Co' })
  const [bea] = await save([{ full_name: 'Bea Lund', account_id: nameless.id }])
  await erase(world, bea?.id)
  await gone(nameless.id)
  const { id } = await add({ name: 'QUILL & co', domain: 'quill.example' })
  assert.deepEqual(await save([{ full_name: 'Bea Lund', account_id: id }]), [], 'a company known by name alone')
})

test('a person erased before scopes were stored stays erased when the account is deleted', async () => {
  const { client, save, workspaceId, ids, add } = await scene(service, {
    accounts: [{ name: 'Acme', domain: 'acme.com' }],
  })
  const { secrets } = deps
  const hash = createHmac('sha256', secrets.suppressionKey).update(`${workspaceId}\n${ids[0]} name:ada pike`).digest()
  await db.insertInto('people_suppressions').values({ workspace_id: workspaceId, hash }).execute()
  await sql`drop function carry_erasure_scopes cascade`.execute(db)
  await sql`drop table erasure_scopes`.execute(db)
  await sql`drop function erasure_company`.execute(db)
  await sql`drop index deliveries_record, push_rows_record`.execute(db)
  await keepCompaniesOfErased(db as unknown as Kysely<unknown>)
  await client.expect(200, 'DELETE', `/v1/accounts/${ids[0]}`)
  const { id } = await add({ name: 'Acme', domain: 'acme.com' })
  assert.deepEqual(await save([{ full_name: 'Ada Pike', title: 'CEO', account_id: id }]), [])
})

test('an erased person is removed from every text, stored or read later; the events remain', async () => {
  const name = 'Halden Robotics'
  const company = { name, domain: `${unique('halden')}.example` }
  const world = await scene(service, {
    accounts: [company, { name: 'Vantor', domain: 'vantor.example' }],
    active: true,
  })
  const { client, save, ids, workspaceId } = world
  const [account, partner] = ids as [string, string]
  const [mira] = await save([
    {
      full_name: 'Mira Beate Solberg',
      title: 'Chief Financial Officer',
      network_url: 'https://no.linkedin.com/in/mira-s',
      email: 'mira.solberg@halden.example',
      phone: '+4940123456',
    },
  ])
  const told =
    'Halden Robotics today appointed Mira Solberg as Chief Financial Officer, effective immediately. Solberg joins from Osterley. ' +
    'Contact: Solberg, Mira, MIRA.SOLBERG@halden.example, 040 123-456 or +49 (0)40 123456, https://www.linkedin.com/in/mira-s/. ' +
    'Halden Robotics builds robots in Kristiansand.'
  const site = `https://${company.domain}`
  await readAbout(deps, world, account, company, [
    article(`${site}/news/mira-solberg-is-cfo`, 'Halden Robotics appoints Mira Solberg as CFO', told),
  ])
  await readAbout(deps, world, partner, { name: 'Vantor', domain: 'vantor.example' }, [
    article('https://vantor.example/1', 'Panel', 'On the panel: Mira Solberg of Halden Robotics.'),
    article('https://vantor.example/2', 'Award', 'The prize goes to Mira Solberg of Skien Opera.'),
  ])
  const signals = async () =>
    (await client.expect(200, 'GET', `/v1/accounts/${account}/signals?present=true`)) as {
      id: string
      evidence: Proof[]
    }[]
  const [before] = await signals()
  assert.match(JSON.stringify(before), /Mira Solberg/)
  // As long as it may be: it is longer without her.
  const reason = `Mira Solberg told us. ${'Solberg said so. '.repeat(30)}`.slice(0, 500)
  await client.expect(200, 'PUT', `/v1/accounts/${account}/signals/${before?.id}/feedback`, {
    verdict: 'right',
    reason,
  })

  const event = { status: 'changed', url: `${site}/team`, reason: 'One new person: "Mira Solberg, CFO".' } as const
  const seen = { ...event, search_status: 'skipped', meaningful: true, confidence: 1, id: crypto.randomUUID() } as const
  const run_id = crypto.randomUUID()
  await db
    .insertInto('monitor_events')
    .values({ workspace_id: workspaceId, account_id: account, run_id, ...seen })
    .execute()

  const run = {
    id: run_id,
    name: 'Discovery',
    mode: 'discovery',
    status: 'running',
    workspace_id: workspaceId,
  } as const
  await db.insertInto('runs').values(run).execute()
  const attempts = ['skien.example uses another name (Mira Solberg)']
  const lead = {
    name: 'Mira Solberg',
    signal_id: 'funding',
    source: 'News',
    url: 'https://vantor.example/mira-solberg',
  }
  await insertUnresolved(db, workspaceId, run_id, [{ ...lead, attempts }])

  // What research knows stays beneath what a person has set instead.
  const short_description = 'Halden Robotics is led by Mira Solberg.'
  const network_url = 'https://no.linkedin.com/in/mira-s'
  await db.updateTable('accounts').set({ short_description, network_url }).where('id', '=', account).execute()
  const own = { short_description: 'Robots for cold stores.', network_url: 'https://network.example/halden' }
  await client.expect(200, 'PATCH', `/v1/accounts/${account}`, own)

  await erase(world, mira?.id)
  const takenBack = { short_description: null, network_url: null }
  const shown = await client.expect(200, 'PATCH', `/v1/accounts/${account}`, takenBack)
  assert.deepEqual([shown.short_description, shown.network_url], ['Halden Robotics is led by [erased].', null])
  const [now, ...more] = await signals()
  assert.ok(now)
  assert.deepEqual([now.id, more.length], [before?.id, 0])
  assert.match(JSON.stringify(now), /\[erased\]/)
  const [{ quote, details }] = now.evidence as [Proof]
  assert.equal(details.people.length, 0)
  assert.equal(quote.slice(details.position.start, details.position.end), details.position.text)
  const namesHer = /mira(?!ge)|solberg|40\W*123\W*456/i
  const stored = async () => (await dump(workspaceId)).split('\n').filter((row) => namesHer.test(row))
  assert.deepEqual(
    (await stored()).filter((row) => !row.includes('vantor.example')),
    [],
  )
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: account })
  const left = await stored()
  assert.ok(left.length === 1 && left[0]?.includes('Skien Opera'), left.join('\n'))

  // Read again, and for the first time.
  await readAbout(deps, world, account, company, [
    article(`${site}/news/mira-solberg-is-cfo`, 'Halden Robotics appoints Mira Solberg as CFO', told),
    article(`${site}/about`, 'SOLBERG, MIRA', 'Our CFO is Mira B. Solberg. Ask Solberg: mira.solberg@halden.example.'),
  ])
  assert.equal((await signals()).length, 1, 'the same event')
  assert.equal((await stored()).length, 1)
  const [later] = await redactEvents(deps, workspaceId, account, [event])
  assert.equal(later?.reason, 'One new person: "[erased], CFO".')
  const texts = await db
    .selectFrom('documents')
    .select('text')
    .where('account_id', '=', account)
    .orderBy('id')
    .execute()
  assert.match(texts[0]?.text ?? '', /Halden Robotics builds robots in Kristiansand/)
  assert.equal(texts[1]?.text, 'Our CFO is [erased]. Ask [erased]: [erased].')

  // The imported universe fills what nothing else knows.
  await db.updateTable('accounts').set({ short_description: null }).where('id', '=', account).execute()
  const target = { workspace_id: workspaceId, account_id: account, run_id: null }
  const found = { firmographics: [], universe: { short_description } }
  await redactAndIngest(deps, await readContext(deps, workspaceId), target, found, 'nothing')
  const filled = await client.expect(200, 'GET', `/v1/accounts/${account}`)
  assert.equal(filled.short_description, 'Halden Robotics is led by [erased].')
})

test('research in progress during an erasure does not store the erased person', async () => {
  const company = { name: 'Quarry', domain: `${unique('quarry')}.example` }
  const world = await scene(service, { accounts: [company], active: true })
  const account = world.ids[0] as string
  const [ada] = await world.save([{ full_name: 'Ada Pike' }])
  const gate = createGate()
  const texts = [article(`https://${company.domain}/x`, 'News', 'Ada Pike speaks at Quarry.')]
  const reading = readAbout(deps, world, account, company, texts, () => gate.pass())
  await gate.untilHeld(1)
  const erasing = erase(world, ada?.id)
  // The response arrives while the erasure waits for the account lock, or before; in both cases the text is stored later.
  await world.client.expect(200, 'GET', '/v1/members')
  gate.open()
  await Promise.all([reading, erasing])
  assert.match(await dump(world.workspaceId), /\[erased\] speaks at Quarry/)
  assert.doesNotMatch(await dump(world.workspaceId), /Ada|Pike/)
})

/** The same service, but for something that happens whenever texts were redacted and are not stored yet. */
function whenRedacted(happens: (count: number) => Promise<unknown> | undefined): Deps {
  let count = 0
  const reading = Object.create(deps.parserPool, {
    run: {
      async value(...args: Parameters<typeof deps.parserPool.run>) {
        const done = await deps.parserPool.run(...args)
        if (args[0] === 'redact') await happens(++count)
        return done
      },
    },
  })
  return { ...deps, parserPool: reading }
}

test('a person erased between redaction and storage is in no stored text', async () => {
  const company = { name: 'Quarry', domain: `${unique('quarry')}.example` }
  const world = await scene(service, { accounts: [company], active: true })
  const names = ['Ada Pike', 'Bea Rook', 'Cleo Finch', 'Dora Wren', 'Eve Crane', 'Fay Heron']
  const saved = await world.save(names.map((full_name) => ({ full_name })))
  const idOf = (name: string) => saved.find(({ full_name }) => full_name === name)?.id
  const [first, ...others] = names.map((name) => () => erase(world, idOf(name)))
  await first?.()
  const account = world.ids[0] as string
  const context = await readContext(deps, world.workspaceId)
  const target = { workspace_id: world.workspaceId, account_id: account, run_id: null }
  const texts = [article(`https://${company.domain}/x`, 'News', `At Quarry: ${names.join('; ')}; and Gus Swift.`)]
  const erasing: (Promise<unknown> | undefined)[] = []
  // One after the other, each between the redaction and the lock; the last ones have to wait until the text is stored.
  const along = whenRedacted((count) => {
    if (count <= 3) return others[count - 1]?.()
    erasing.push(others[count - 1]?.())
    return undefined
  })
  await detectAndRecord(along, context, target, company, texts)
  await Promise.all(erasing)
  const [{ text } = { text: '' }] = await db
    .selectFrom('documents')
    .select('text')
    .where('account_id', '=', account)
    .execute()
  assert.equal(text, `At Quarry: ${'[erased]; '.repeat(5)}Fay Heron; and Gus Swift.`)
})

test('a document that could not be searched for erased people is not stored, nor are its findings', async () => {
  const company = { name: 'Halden Robotics', domain: `${unique('halden')}.example` }
  const world = await scene(service, { accounts: [company], active: true })
  const [ada] = await world.save([{ full_name: 'Ada Pike' }])
  await erase(world, ada?.id)
  const bad = `https://${company.domain}/ada-pike`
  const reading = Object.create(deps.parserPool, {
    run: {
      value: (...[name, input, options]: Parameters<typeof deps.parserPool.run>) =>
        name === 'redact' && JSON.stringify(input).includes('/ada-pike')
          ? Promise.resolve(new LimitExceeded('It took too long to read.'))
          : deps.parserPool.run(name, input, options),
    },
  })
  const told = 'Halden Robotics today appointed Ada Pike as Chief Financial Officer, effective immediately.'
  const documents = [article(bad, 'News', told), article(`https://${company.domain}/x`, 'More', 'Ada Pike spoke.')]
  const context = await readContext(deps, world.workspaceId)
  const target = { workspace_id: world.workspaceId, account_id: world.ids[0] as string, run_id: null }
  let report: unknown
  await detectAndRecord({ ...deps, parserPool: reading }, context, target, company, documents, {
    along: async (_, __, unread) => {
      report = reportUnread([{ name: 'website', outcome: 'items', items: 2, reason: null }], documents, unread)[0]
        ?.reason
    },
  })
  assert.equal(
    report,
    `1 of 2 documents could not be searched for signals, such as one of https://${company.domain}/: It could not be searched for people who were erased. It took too long to read.`,
  )
  const kept = await dump(world.workspaceId)
  assert.match(kept, /\[erased\] spoke/)
  assert.doesNotMatch(kept, /ada-pike|Ada|Pike|Chief Financial Officer/)
  assert.deepEqual(await world.client.expect(200, 'GET', `/v1/accounts/${world.ids[0]}/signals?present=true`), [])
})

test('pages that repeat an erased name are redacted in a thread of the pool and truncated', async (t) => {
  const company = { name: 'Quarry', domain: `${unique('quarry')}.example` }
  const world = await scene(service, { accounts: [company], active: true })
  const account = world.ids[0] as string
  const [ada] = await world.save([{ full_name: 'Ada Pike' }])
  const pages = [1, 2].map((n) => article(`https://${company.domain}/${n}`, 'News', 'Pike, Ada '.repeat(40_000)))
  await readAbout(deps, world, account, company, pages)
  const { mock } = t.mock.method(deps.parserPool, 'run')
  await erase(world, ada?.id)
  await service.run(redactErasedPeople, { workspace_id: world.workspaceId, account_id: account })
  await readAbout(deps, world, account, company, pages)
  // Once for the stored pages and once for those that are read again.
  const redacted = mock.calls.flatMap(({ arguments: [task, input] }) =>
    task === 'redact' ? JSON.stringify(input) : [],
  )
  assert.ok(redacted.filter((input) => input.includes('Pike, Ada Pike, Ada')).length >= 2)
  assert.doesNotMatch(await dump(world.workspaceId), /Ada|Pike/)
  const texts = await db.selectFrom('documents').select('text').where('account_id', '=', account).execute()
  assert.deepEqual(
    texts.map(({ text }) => text.trim()),
    [1, 2].map(() => '[erased] '.repeat(1_000).trim()),
  )
})

test('idempotency responses, search queries and receiver responses do not name erased people', async () => {
  const world = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }], active: true })
  const { client, save, workspaceId, ids } = world
  const [ada] = await save([{ full_name: 'Ada Pike', title: 'CFO', email: 'ada.pike@acme.com', phone: '+4940123456' }])
  const id = ada?.id as string
  const headers = { 'idempotency-key': unique('key') }
  const reveal = () => client.post(`/v1/people/${id}/email`, undefined, { headers })
  assert.equal((await reveal()).data.email, 'ada.pike@acme.com')
  const listed = { headers: { 'idempotency-key': unique('key') } }
  const list = () => client.post('/v1/people/lists', { name: 'Ask ada.pike@acme.com,\nAda Pike' }, listed)
  await client.expect(200, 'DELETE', `/v1/people/lists/${(await list()).data.id}`)
  const activated = { headers: { 'idempotency-key': unique('key') } }
  const firm = `/v1/accounts/${(await world.add({ name: 'Quill' })).id}`
  await client.expect(200, 'PATCH', firm, { employees: 40123456 })
  const activate = () => client.post(`${firm}/activate`, undefined, activated)
  await activate()
  await client.expect(200, 'DELETE', firm)
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO like Ada Pike', account_ids: ids })
  const hasty = await client.expect(200, 'POST', '/v1/people/find', { query: 'cfo like ada pike', account_ids: ids })
  const destination = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Hook',
    url: `${receiver.url}/hook`,
  })
  await client.expect(200, 'POST', '/v1/people/webhook-push', { destination_id: destination.id, contact_ids: [id] })
  await db
    .updateTable('deliveries')
    .set({ answer: '{"saved":"Ada Pike"}' })
    .where('workspace_id', '=', workspaceId)
    .execute()
  await client.expect(200, 'POST', `/v1/webhook-destinations/${destination.id}/test`)
  await sql`update deliveries set answer = 'taken' where workspace_id = ${workspaceId} and record_id is null`.execute(
    db,
  )
  const tried = () =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('record_id', 'is', null)
      .execute()
  const before = await tried()
  assert.equal(before[0]?.answer, 'taken')
  const { data: imported } = await client.post('/v1/accounts/import', undefined, {
    body: 'name,domain\nAcme,acme.com\nX,Ada Pike of Acme\n',
    headers: { 'content-type': 'text/csv' },
  })
  await service.run(importUploadedAccounts, { workspace_id: workspaceId, import_id: imported.id })
  const reasons = async (): Promise<string> =>
    JSON.stringify((await client.expect(200, 'GET', `/v1/accounts/imports/${imported.id}`)).errors)
  assert.match(await reasons(), /Ada Pike of Acme/)
  const signal = { name: 'Robots', description: 'The company orders robots for a warehouse' }
  const examples = `/v1/signals/${(await client.expect(201, 'POST', '/v1/signals', signal)).id}/examples`
  const marked = { sentence: 'Acme has ordered robots, says Ada Pike of Acme.', verdict: 'right' }
  await client.expect(201, 'POST', examples, marked)
  await client.expect(200, 'PATCH', '/v1/me/profile', { sample_messages: ['Hi Ada Pike, how is Acme?', 'Hi Bo'] })
  const { signal_examples } = await client.expect(200, 'GET', `/v1/people/${id}/export`)
  assert.match(JSON.stringify(signal_examples), /says Ada Pike of Acme/)

  await erase(world, id)
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: ids[0] as string })
  assert.equal((await reveal()).status, 404, 'a stored response about an erased person')
  const sentences = async () =>
    (await client.expect(200, 'GET', examples)).map(({ sentence }: { sentence: string }) => sentence)
  assert.deepEqual(await sentences(), ['Acme has ordered robots, says [erased] of Acme.'])
  await client.expect(201, 'POST', examples, marked)
  assert.deepEqual(await sentences(), ['Acme has ordered robots, says [erased] of Acme.'], 'it does not come back')
  const { sample_messages } = await client.expect(200, 'GET', '/v1/me/profile')
  assert.deepEqual(sample_messages, ['Hi [erased], how is Acme?', 'Hi Bo'])
  assert.match(await reasons(), /^(?!.*pike).*\[erased\]/i)
  const repeated = await list()
  assert.deepEqual(
    [repeated.headers.get('idempotent-replayed'), repeated.data.name],
    ['true', 'Ask [erased],\n[erased]'],
  )
  assert.equal((await client.expect(200, 'GET', `/v1/people/searches/${found.search_id}`)).query, 'CFO like [erased]')
  assert.equal((await client.expect(200, 'GET', `/v1/people/searches/${hasty.search_id}`)).query, 'cfo like [erased]')
  const { data } = await activate()
  assert.deepEqual([data.name, data.employees], ['Quill', 40123456])
  assert.deepEqual(await tried(), before, 'a test call has no person')
  assert.doesNotMatch(await dump(workspaceId), /Ada|Pike/)
})

test('a redacted example sentence fits the length limit', async () => {
  const world = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }] })
  const { client, save, ids, workspaceId } = world
  const [bo] = await save([{ full_name: 'Bo Li' }])
  const signal = { name: 'Robots', description: 'The company orders robots for a warehouse' }
  const examples = `/v1/signals/${(await client.expect(201, 'POST', '/v1/signals', signal)).id}/examples`
  const said = (word: string, end: string) =>
    `Bo Li of Acme said: ${word.repeat(200)}`.slice(0, 1000 - end.length) + end
  // Behind three characters more, the limit is in the middle of the last one.
  await client.expect(201, 'POST', examples, { sentence: said('robots, ', '🤖ab'), verdict: 'right' })
  await erase(world, bo?.id)
  await service.run(redactErasedPeople, { workspace_id: workspaceId, account_id: ids[0] as string })
  await client.expect(201, 'POST', examples, { sentence: said('orders, ', ''), verdict: 'right' })
  const kept: { sentence: string }[] = await client.expect(200, 'GET', examples)
  assert.deepEqual(
    kept.map(({ sentence }) => [sentence.slice(0, 21), sentence.length]),
    [
      ['[erased] of Acme said', 1000],
      ['[erased] of Acme said', 999],
    ],
  )
  assert.ok(kept.every(({ sentence }) => sentence.isWellFormed()))
})

test('an example that could not be searched is rejected, and an erasure waits for one that is being stored', async () => {
  const world = await scene(service, { accounts: [{ name: 'Acme', domain: 'acme.com' }] })
  const { client, save, workspaceId } = world
  const [bo, ada] = await save([{ full_name: 'Bo Li' }, { full_name: 'Ada Pike' }])
  const signal = { name: 'Robots', description: 'The company orders robots for a warehouse' }
  const { id } = await client.expect(201, 'POST', '/v1/signals', signal)
  await erase(world, bo?.id)
  const { id: memberId } = await db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const mark = (run: (...asked: Parameters<typeof deps.parserPool.run>) => Promise<unknown>) => {
    const reading = Object.create(deps.parserPool, { run: { value: run } })
    const member = { workspace_id: workspaceId, id: memberId } as Member
    return markExample({ ...deps, parserPool: reading }, member, id, {
      sentence: 'Ada Pike of Acme orders robots.',
      verdict: 'right',
    })
  }
  await assert.rejects(
    mark(async () => new LimitExceeded('It took too long to read.')),
    { code: 'unavailable', message: /took too long/ },
  )
  assert.deepEqual(await client.expect(200, 'GET', `/v1/signals/${id}/examples`), [])
  let erased: Promise<unknown> | undefined
  let isErased = false
  await mark(async (...asked) => {
    erased = erase(world, ada?.id).then(() => {
      isErased = true
    })
    await new Promise((passed) => setTimeout(passed, 300))
    assert.equal(isErased, false)
    return deps.parserPool.run(...asked)
  })
  await erased
})

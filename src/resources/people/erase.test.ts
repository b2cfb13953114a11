import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { createGate } from '../../../sandbox/waiters.ts'
import { refused } from '../../../test/support/client.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene, unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { up as keepCompaniesOfErased } from '../../db/migrations/0022-erasure.ts'
import { importUploadedAccounts } from '../../imports/import-uploads.job.ts'
import { eventsWithoutErased } from '../../people/redact/found.ts'
import { redactErased } from '../../people/redact/redact.job.ts'
import { readContext } from '../../research/context.ts'
import { detectAndRecord } from '../../research/detect-and-record.ts'

const receiver = await testReceiver()
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })
const { deps } = service
const { db } = deps

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const article = (url: string, title: string, text: string) => ({
  url,
  kind: 'article' as const,
  source: 'website',
  title,
  text,
  published_date: day(5),
  published_by: 'byline',
  language: 'en',
})

type Proof = { quote: string; details: { people: unknown[]; position: { text: string; start: number; end: number } } }
type World = Awaited<ReturnType<typeof scene>>

/** Has documents read about an account, as a scan does. */
async function read(
  { workspaceId }: World,
  accountId: string,
  company: { name: string; domain: string },
  documents: ReturnType<typeof article>[],
  along?: () => Promise<void>,
) {
  const context = await readContext(deps, workspaceId)
  const target = { workspace_id: workspaceId, account_id: accountId, run_id: null }
  return detectAndRecord(deps, context, target, company, documents, along ? { along } : {})
}

/** Everything a workspace holds, as the text of its rows, but for sealed answers. */
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

test('an erased person stays erased when the account is deleted and added again, whatever its address is then', async () => {
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

test('whoever was erased before companies were kept stays erased when their account is deleted', async () => {
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

test('an erased person is taken out of every text, stored before or read later; what happened stays', async () => {
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
  await read(world, account, company, [
    article(`${site}/news/mira-solberg-is-cfo`, 'Halden Robotics appoints Mira Solberg as CFO', told),
  ])
  await read(world, partner, { name: 'Vantor', domain: 'vantor.example' }, [
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
  await db
    .insertInto('monitor_events')
    .values({ workspace_id: workspaceId, account_id: account, ...seen })
    .execute()

  await erase(world, mira?.id)
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
  await service.run(redactErased, { workspace_id: workspaceId, account_id: account })
  const left = await stored()
  assert.ok(left.length === 1 && left[0]?.includes('Skien Opera'), left.join('\n'))

  // Read again, and for the first time.
  await read(world, account, company, [
    article(`${site}/news/mira-solberg-is-cfo`, 'Halden Robotics appoints Mira Solberg as CFO', told),
    article(`${site}/about`, 'SOLBERG, MIRA', 'Our CFO is Mira B. Solberg. Ask Solberg: mira.solberg@halden.example.'),
  ])
  assert.equal((await signals()).length, 1, 'the same event')
  assert.equal((await stored()).length, 1)
  const [later] = await eventsWithoutErased(deps, workspaceId, account, [event])
  assert.equal(later?.reason, 'One new person: "[erased], CFO".')
  const texts = await db
    .selectFrom('documents')
    .select('text')
    .where('account_id', '=', account)
    .orderBy('id')
    .execute()
  assert.match(texts[0]?.text ?? '', /Halden Robotics builds robots in Kristiansand/)
  assert.equal(texts[1]?.text, 'Our CFO is [erased]. Ask [erased]: [erased].')
})

test('research under way at the erasure names nobody who was erased', async () => {
  const company = { name: 'Quarry', domain: `${unique('quarry')}.example` }
  const world = await scene(service, { accounts: [company], active: true })
  const account = world.ids[0] as string
  const [ada] = await world.save([{ full_name: 'Ada Pike' }])
  const gate = createGate()
  const texts = [article(`https://${company.domain}/x`, 'News', 'Ada Pike speaks at Quarry.')]
  const reading = read(world, account, company, texts, () => gate.pass())
  await gate.holds(1)
  const erasing = erase(world, ada?.id)
  // Answered while the erasure waits for the account, or before it came that far: either way the text is there later.
  await world.client.expect(200, 'GET', '/v1/members')
  gate.open()
  await Promise.all([reading, erasing])
  assert.match(await dump(world.workspaceId), /\[erased\] speaks at Quarry/)
  assert.doesNotMatch(await dump(world.workspaceId), /Ada|Pike/)
})

test('what is kept for repeated requests, of searches and of what receivers answered names nobody who was erased', async () => {
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
    body: 'name,domain,owner\nAcme,acme.com,ada.pike@acme.com\nX,Ada Pike of Acme,\n',
    headers: { 'content-type': 'text/csv' },
  })
  await service.run(importUploadedAccounts, { workspace_id: workspaceId, import_id: imported.id })
  const reasons = async (): Promise<string> =>
    JSON.stringify((await client.expect(200, 'GET', `/v1/accounts/imports/${imported.id}`)).errors)
  assert.match(await reasons(), /ada\.pike@acme\.com.*Ada Pike/)

  await erase(world, id)
  await service.run(redactErased, { workspace_id: workspaceId, account_id: ids[0] as string })
  assert.equal((await reveal()).status, 404, 'an answer about somebody who is gone')
  assert.match(await reasons(), /^(?!.*pike).*\[erased\].*\[erased\]/i)
  const repeated = await list()
  assert.deepEqual(
    [repeated.headers.get('idempotent-replayed'), repeated.data.name],
    ['true', 'Ask [erased],\n[erased]'],
  )
  assert.equal((await client.expect(200, 'GET', `/v1/people/searches/${found.search_id}`)).query, 'CFO like [erased]')
  assert.equal((await client.expect(200, 'GET', `/v1/people/searches/${hasty.search_id}`)).query, 'cfo like [erased]')
  const { data } = await activate()
  assert.deepEqual([data.name, data.employees], ['Quill', 40123456])
  assert.deepEqual(await tried(), before, 'a test call is about nobody')
  assert.doesNotMatch(await dump(workspaceId), /Ada|Pike/)
})

test('an export finds what an erasure would, in other spellings of the name', async () => {
  const company = { name: 'Halden Robotics', domain: `${unique('halden')}.example` }
  const world = await scene(service, { accounts: [company, 'vantor.example'], active: true })
  const { client, save, workspaceId, ids } = world
  const [account, partner] = ids as [string, string]
  const url = 'https://vantor.example/'
  const seen = { status: 'changed', search_status: 'skipped', meaningful: true, confidence: 1, url } as const
  for (const [full_name, written] of [
    ['Jose Garcia', 'José García'],
    ["Ada O'Neill-Pike", 'Ada Pike'],
    ["Bea O'Neill-Rook", 'Bea O’Neill'],
    ['Jörg Müller', 'Joerg Mueller'],
  ] as const) {
    const [person] = await save([{ full_name }])
    const told = `Halden Robotics today appointed ${written} as Chief Financial Officer.`
    await read(world, account, company, [article(`https://${company.domain}/${unique('a')}`, 'News', told)])
    const event = { ...seen, id: crypto.randomUUID(), reason: `Halden Robotics: ${written} spoke.` }
    await db
      .insertInto('monitor_events')
      .values({ workspace_id: workspaceId, account_id: partner, ...event })
      .execute()
    const held = await client.expect(200, 'GET', `/v1/people/${person?.id}/export`)
    for (const kind of ['documents', 'detections', 'monitor_events'])
      assert.ok(JSON.stringify(held[kind]).includes(written), `${full_name}: ${kind}`)
  }
})

test('everything that is held on a person is exported, and to nobody who may not see them', async () => {
  const company = { name: 'Halden Robotics', domain: `${unique('halden')}.example` }
  const { member, admin, workspaceId } = service
  const world = await scene(service, {
    accounts: [company, 'vantor.example'],
    active: true,
    owner: { client: admin, workspaceId },
  })
  const { client, save, ids } = world
  const [account, partner] = ids as [string, string]
  const network_url = 'https://network.example/in/mira'
  const [mira] = await save([
    {
      full_name: 'Mira Solberg',
      title: 'CFO',
      network_url,
      given_email: 'mira@halden.example',
      published_email: 'mira.solberg@halden.example',
      published_url: 'https://halden.example/team',
      phone: '+4940123456',
    },
  ])
  const id = mira?.id as string
  const [twin] = await save([{ full_name: 'M. Solberg', network_url, account_id: partner }])
  const list = await client.expect(201, 'POST', '/v1/people/lists', { name: unique('List') })
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: [id] })
  const destination = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: unique('Hook'),
    url: `${receiver.url}/hook`,
  })
  await client.expect(200, 'POST', '/v1/people/webhook-push', { destination_id: destination.id, contact_ids: [id] })
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO', account_ids: [account] })
  await db
    .insertInto('crm_contacts')
    .values({
      workspace_id: workspaceId,
      provider: 'crm_one',
      portal: '1',
      crm_id: '501',
      person_id: id,
      written: '{}',
    })
    .execute()
  const filler = 'Nothing of note happened. '.repeat(40)
  await read(world, account, company, [
    article(
      `https://${company.domain}/1`,
      'Halden Robotics appoints a CFO',
      `Halden Robotics today appointed Mira Solberg as Chief Financial Officer. ${filler}`,
    ),
  ])
  await read(world, partner, { name: 'vantor', domain: 'vantor.example' }, [
    article('https://vantor.example/1', 'Panel', `${filler} On the panel: Solberg, Mira (Halden Robotics). ${filler}`),
    article('https://vantor.example/2', 'Award', 'The prize goes to Mira Solberg of Skien Opera.'),
  ])

  const held = await client.expect(200, 'GET', `/v1/people/${id}/export`)
  assert.deepEqual(
    [held.person.full_name, held.account.name, held.owner, held.has_more, held.other_records],
    ['Mira Solberg', 'Halden Robotics', null, false, [{ id: twin?.id, account_id: partner }]],
  )
  assert.deepEqual(
    held.contact_points.map(({ value, verified, source_url }: Record<string, unknown>) => [
      value,
      verified,
      source_url,
    ]),
    [
      ['mira@halden.example', false, null],
      ['mira.solberg@halden.example', false, 'https://halden.example/team'],
      ['+4940123456', false, null],
    ],
  )
  assert.deepEqual(held.lists, [{ id: list.id, name: list.name }])
  assert.deepEqual(
    held.searches.map(({ id, query }: Record<string, unknown>) => [id, query]),
    [[found.search_id, 'CFO']],
  )
  assert.deepEqual([held.crm_records[0].crm_id, held.pushes[0].destination], ['501', destination.name])
  assert.ok(held.deliveries.length > 0)
  assert.deepEqual(held.documents.map(({ url }: { url: string }) => url).toSorted(), [
    `https://${company.domain}/1`,
    'https://vantor.example/1',
  ])
  for (const { passages, published_by, language } of held.documents) {
    assert.deepEqual([published_by, language], ['byline', 'en'])
    assert.match(passages.at(-1).text, /Mira/)
    assert.ok(passages.at(-1).text.length < 400, 'a passage, and not the whole text')
  }
  assert.match(JSON.stringify(held.detections), /evidence\.0\.quote[\s\S]*Mira Solberg/)
  const beyond = await client.expect(200, 'GET', `/v1/people/${id}/export?page=2`)
  assert.deepEqual([beyond.person.id, beyond.documents, beyond.lists], [id, [], []])

  const scoped = await member({ visibility: 'scoped' })
  refused(await scoped.client.get(`/v1/people/${id}/export`), 404, 'not_found')
  await client.expect(200, 'PUT', `/v1/people/${id}/owner`, { owner_id: scoped.id })
  const seen = await scoped.client.expect(200, 'GET', `/v1/people/${id}/export`)
  assert.deepEqual([seen.owner.id, seen.other_records], [scoped.id, []])
  assert.deepEqual(seen.searches, [], 'what a colleague typed is not theirs to read')
  refused(await (await service.stranger()).client.get(`/v1/people/${id}/export`), 404, 'not_found')
})

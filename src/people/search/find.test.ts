import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { refused } from '../../../test/support/client.ts'
import { brief, type Contact, DOMAINS, findWorld, namesOf } from '../../../test/support/find-world.ts'
import { home, teamPage } from '../../../test/support/people.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const { env, internet, mail, service, sites, world } = await findWorld()

test('the cascade runs at every active account: ideal role, adjacent roles, fallback', async () => {
  const { client } = await scene(service, { accounts: DOMAINS, active: true })
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP of Sales' })
  assert.deepEqual(brief(found.contacts), [
    ['Ada Pike', 1, 'ada.pike@north.example'],
    ['Noor Falk', 2, 'noor.falk@north.example'],
    ['Tomas Moreno', 3, null],
  ])
  assert.deepEqual([found.found, found.accountsSearched, found.tiers, found.complete], [3, 3, 3, true])
  const reasons = found.contacts.map(({ email_reason }: Contact) => email_reason)
  assert.deepEqual(reasons, [null, null, "Catch-all domain: can't verify."])
  const listed: Contact[] = await client.expect(200, 'GET', '/v1/people')
  const [tomas] = listed.filter(({ full_name }) => full_name === 'Tomas Moreno')
  assert.equal(tomas?.email_reason, "Catch-all domain: can't verify.")
  assert.deepEqual(
    found.cascade.map(({ tier, label }: { tier: number; label: string }) => [tier, label]),
    [
      [1, 'ideal'],
      [2, 'adjacent'],
      [3, 'fallback'],
    ],
  )
})

test('descriptive words never widen a tier, and sort the people within it', async () => {
  sites.set('wide.example', {
    '/': home(),
    '/team': teamPage([
      { name: 'Cleo Hart', title: 'CFO' },
      { name: 'Dora Lund', title: 'Quality Director' },
      { name: 'Emil Berg', title: 'Head of Recruitment' },
      { name: 'Finn Aas', title: 'Chief Pilot' },
      { name: 'Gus Holm', title: 'Director of Engineering, Mobile' },
      { name: 'Hana Ito', title: 'Director of Engineering, Payments' },
    ]),
  })
  const { client } = await scene(service, { accounts: ['wide.example'], active: true })
  const find = (query: string) => client.expect(200, 'POST', '/v1/people/find', { query })
  for (const query of [
    'CFO, someone who owns the budget',
    'someone who owns the budget, ideally the CFO',
    'Chief Financial Officer or head of finance at the company, someone who owns the budget',
    'someone who owns the budget',
  ])
    assert.deepEqual(namesOf((await find(query)).contacts), [['Cleo Hart', 1]], query)
  assert.deepEqual(namesOf((await find('Director of Engineering, the person who runs payments')).contacts), [
    ['Hana Ito', 1],
    ['Gus Holm', 1],
  ])
  const people: Contact[] = await client.expect(200, 'GET', '/v1/people?sort=full_name&order=asc')
  // A search does not change the tier of people it did not return.
  assert.deepEqual(namesOf(people), [
    ['Cleo Hart', 1],
    ['Dora Lund', null],
    ['Emil Berg', null],
    ['Finn Aas', null],
    ['Gus Holm', 1],
    ['Hana Ito', 1],
  ])
})

test('a meaningless request finds no one and returns a message', async () => {
  const { client } = await scene(service, { accounts: DOMAINS, active: true })
  for (const query of ['asdfgh', 'xyzzy plugh', '???']) {
    const found = await client.expect(200, 'POST', '/v1/people/find', { query })
    assert.deepEqual([found.found, found.tiers, found.cascade, found.contacts], [0, 0, [], []], query)
    assert.match(found.message, /names no role/)
  }
  const unknown = await client.expect(200, 'POST', '/v1/people/find', { query: 'people named Zebulon' })
  assert.deepEqual([unknown.found, unknown.tiers], [0, 0])
  assert.match(unknown.message, /No person named "zebulon"/)
  const none = await client.expect(200, 'POST', '/v1/people/find', { query: 'Head of Legal, no CEOs', max_accounts: 1 })
  assert.equal(none.message === null, none.found > 0)
})

test('the head of the company is a hit for a function only if no one else has it', async () => {
  sites.set('money.example', {
    '/': home(),
    '/team': teamPage([
      { name: 'Cleo Hart', title: 'CFO' },
      { name: 'Dora Lund', title: 'VP Finance' },
      { name: 'Emil Berg', title: 'Chief Executive Officer' },
      { name: 'Gus Holm', title: 'Finance Manager' },
    ]),
  })
  sites.set('lone.example', {
    '/': home(),
    '/team': teamPage([
      { name: 'Cleo Hart', title: 'CFO' },
      { name: 'Emil Berg', title: 'Chief Executive Officer' },
    ]),
  })
  const accounts = ['money.example', 'lone.example', 'south.example']
  const { client, id } = await scene(service, { accounts, active: true })
  const find = (query: string, domain: string) =>
    client.expect(200, 'POST', '/v1/people/find', { query, account_ids: [id(domain)] })
  const { contacts } = await find('CFO', 'money.example')
  assert.deepEqual(brief(contacts), [
    ['Cleo Hart', 1, 'cleo.hart@money.example'],
    ['Dora Lund', 2, 'dora.lund@money.example'],
  ])
  for (const query of ['CFO', 'finance', 'who runs finance']) {
    assert.deepEqual(namesOf((await find(query, 'lone.example')).contacts), [['Cleo Hart', 1]], query)
  }
  // A person without a location gets the company's country.
  await client.expect(200, 'PATCH', `/v1/accounts/${id('money.example')}`, { country: 'Norway' })
  assert.deepEqual(namesOf((await find('CFO in Norway', 'money.example')).contacts)[0], ['Cleo Hart', 1])
  assert.deepEqual((await find('CFO in Germany', 'money.example')).contacts, [])
  const named = await find('is there a Dora?', 'money.example')
  assert.deepEqual(namesOf(named.contacts), [['Dora Lund', 1]])
  assert.deepEqual(namesOf((await find('CFO', 'south.example')).contacts), [['Tomas Moreno', 3]])
})

const QUERIES: Record<string, [string, number][]> = {
  'Head of Engineering or CTO': [
    ['Gwen Reed', 1],
    ['Lena Okafor', 1],
    ['Ivo Lindt', 3],
  ],
  'CEOs, no managing directors': [['Ivo Lindt', 1]],
  'warehouse managers': [['Tess Noble', 1]],
}
for (const [query, wanted] of Object.entries(QUERIES)) {
  test(`tiers are as expected: ${query}`, async () => {
    const { client } = await scene(service, { accounts: DOMAINS, active: true })
    const { contacts } = await client.expect(200, 'POST', '/v1/people/find', { query })
    const names = contacts.map(({ full_name, icp_tier }: Contact) => [full_name, icp_tier])
    for (const hit of wanted)
      assert.ok(
        names.some((name: unknown[]) => name.join() === hit.join()),
        `${hit} in ${names}`,
      )
    assert.ok(!names.some(([name]: [string]) => name === 'Hugo Stone'), 'who has left is not found')
  })
}

test('lower tiers are skipped when an account has enough hits', async () => {
  const domain = 'many.example'
  const cards = ['Ada Pike', 'Ben Moss', 'Cleo Hart', 'Dora Lund'].map((name) => ({ name, title: 'VP Sales' }))
  sites.set(domain, { '/': home(), '/team': teamPage([...cards, { name: 'Emil Berg', title: 'CEO' }]) })
  const { client } = await scene(service, { accounts: [domain], active: true })
  const { contacts } = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  assert.deepEqual(
    contacts.map(({ full_name }: Contact) => full_name),
    ['Ada Pike', 'Ben Moss', 'Cleo Hart', 'Dora Lund'],
  )
})

test('a recent roster is not loaded again', async () => {
  const { client } = await scene(service, { accounts: ['north.example'], active: true })
  await client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  const before = internet.requests.length
  const again = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  assert.equal(internet.requests.length, before)
  assert.equal(again.contacts[0].full_name, 'Ada Pike')
  await client.expect(200, 'POST', '/v1/people/find', { query: 'CEO' })
  const asked = internet.requests.slice(before).map(({ url }) => new URL(url).pathname)
  assert.ok(!asked.includes('/team'), 'another role is searched for only beyond the roster')
})

test('a failing account does not end the search, and is reported', async () => {
  sites.set('broken.example', 'drop')
  const { client, id } = await scene(service, { accounts: ['broken.example', 'north.example'], active: true })
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  assert.equal(found.contacts[0].full_name, 'Ada Pike')
  assert.equal(found.complete, false)
  assert.deepEqual(
    found.problems.map(({ account_id }: { account_id: string }) => account_id),
    [id('broken.example')],
  )
})

test('on timeout the search returns its hits so far, and reports the timeout', async () => {
  const hasty = await testService({ env: { ...env, FIND_BUDGET_SECONDS: '8', EMAIL_VERIFY_SECONDS: '30' } })
  sites.set('stuck.example', { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'VP Sales' }]) })
  sites.set('silent.example', 'stall')
  const { client, id } = await scene(hasty, { accounts: ['stuck.example', 'silent.example'], active: true })
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  assert.deepEqual(brief(found.contacts), [['Ada Pike', 1, null]])
  assert.equal(found.complete, false)
  // An account may have more than one.
  assert.deepEqual(
    new Set(found.problems.map(({ account_id }: { account_id: string }) => account_id)),
    new Set([id('stuck.example'), id('silent.example')]),
  )
  const stored = await client.expect(200, 'GET', `/v1/people/${found.contacts[0].id}`)
  assert.deepEqual([stored.icp_tier, stored.email_checked_at], [1, null])
  assert.match(found.contacts[0].email_reason, /timed out/)
})

test('it searches the accounts named, or the latest active ones up to a limit', async () => {
  const { client, id } = await scene(service, { accounts: DOMAINS, active: true })
  const find = (body: object) => client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales', ...body })
  assert.equal((await find({ max_accounts: 1 })).accountsSearched, 1)
  assert.equal((await find({ max_accounts: 500 })).accountsSearched, 3)
  const named = await find({ account_ids: [id('north.example'), id('north.example').toUpperCase()] })
  assert.deepEqual([named.accountsSearched, named.contacts.length], [1, 2])
  await client.expect(200, 'POST', `/v1/accounts/${id('west.example')}/deactivate`)
  const answer = await client.post('/v1/people/find', { query: 'CTO', account_ids: [id('west.example')] })
  refused(answer, 422, 'account_not_searchable')
})

test('all named accounts are searched, and too many are rejected', async () => {
  const domains = Array.from({ length: 25 }, (_, at) => `named${at}.example`)
  for (const domain of domains) sites.set(domain, { '/': home(''), '/team': teamPage([]) })
  const { client, id } = await scene(service, { accounts: domains, active: true })
  const find = (body: object) => client.post('/v1/people/find', { query: 'VP Sales', ...body })
  const { data: all } = await find({ account_ids: domains.map(id) })
  assert.deepEqual([all.accountsSearched, all.complete, all.problems], [25, true, []])
  const fewer = await find({ account_ids: domains.map(id), max_accounts: 20 })
  refused(fewer, 400, 'invalid_request')
  assert.match(fewer.error.message, /25 accounts are named, but max_accounts is 20/)
  assert.equal(fewer.error.details[0].path, 'max_accounts')
  const unknown = Array.from({ length: 26 }, () => crypto.randomUUID())
  const many = await find({ account_ids: [...domains.map(id), ...unknown], max_accounts: 500 })
  refused(many, 400, 'invalid_request')
  assert.match(many.error.message, /51 accounts are named, and one call searches at most 50/)
})

test('hits whose mail server defers the request are rechecked', async () => {
  const names = ['Ada Pike', 'Ben Moss', 'Cleo Hart']
  const cards = names.map((name) => ({ name, title: 'VP Sales' }))
  sites.set('grey.example', { '/': home(), '/team': teamPage(cards) })
  const { client, workspaceId } = await scene(service, { accounts: ['grey.example'], active: true })
  const { contacts } = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  const { rows } = await sql<{ person_id: string }>`select data->>'person_id' as person_id from pgboss.job
    where name = 'recheck-email' and data->>'workspace_id' = ${workspaceId}`.execute(service.deps.db)
  assert.equal(contacts.length, 3)
  assert.deepEqual(rows.map((row) => row.person_id).sort(), contacts.map(({ id }: Contact) => id).sort())
})

test('a roster with a failed source is loaded again', async () => {
  const { client, workspaceId } = await scene(service, { accounts: ['west.example'], active: true })
  const find = () => client.expect(200, 'POST', '/v1/people/find', { query: 'CTO' })
  await find()
  const failed = [{ name: 'website', outcome: 'failed', people: 0, reason: 'It could not be read.' }]
  await service.deps.db
    .updateTable('account_rosters')
    .set({ sources: JSON.stringify(failed) })
    .where('workspace_id', '=', workspaceId)
    .execute()
  const before = internet.requests.length
  await find()
  assert.ok(internet.requests.length > before)
})

test('hits have the tier of this search, even if a concurrent search saves another', async () => {
  sites.set('stuck.example', { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'VP Sales' }]) })
  const { client, workspaceId } = await scene(service, { accounts: ['stuck.example'], active: true })
  mail.asked.length = 0
  const finding = client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  // The hit is saved before its mail server is queried, which does not respond.
  await mail.until(() => mail.asked.some(({ to }) => to.endsWith('@stuck.example')))
  const { db } = service.deps
  await db.updateTable('people').set({ icp_tier: 3 }).where('workspace_id', '=', workspaceId).execute()
  assert.equal((await finding).contacts[0].icp_tier, 1)
})

test('a language model that does not respond leaves time for the search', async () => {
  const slow = { LLM_BASE_URL: 'https://mute.example/v1', LLM_MODEL: 'small', LLM_API_KEY: 'k' }
  const told = await testService({ env: { ...env, ...slow, FIND_BUDGET_SECONDS: '12' } })
  sites.set('mute.example', 'stall')
  const { client } = await scene(told, { accounts: ['north.example'], active: true })
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  assert.equal(found.contacts[0].full_name, 'Ada Pike')
  assert.match(found.notice, /language model/)
})

test('a member with scoped visibility searches their own accounts only', async () => {
  const { client: scoped, id: memberId } = await service.member({ visibility: 'scoped' })
  const { admin, workspaceId } = service
  const { id } = await scene(service, {
    accounts: ['north.example', 'south.example'],
    active: true,
    owner: { client: admin, workspaceId },
  })
  await admin.expect(200, 'PUT', `/v1/accounts/${id('south.example')}/owner`, { owner_id: memberId })
  const found = await scoped.expect(200, 'POST', '/v1/people/find', { query: 'CTO' })
  assert.deepEqual(
    [found.accountsSearched, found.contacts.map(({ full_name }: Contact) => full_name)],
    [1, ['Lena Okafor']],
  )
})

test('a configured language model compiles the request; if it fails, the engine does', async () => {
  const told = await testService({
    env: { ...env, LLM_BASE_URL: 'https://model.example/v1', LLM_MODEL: 'small', LLM_API_KEY: 'k' },
  })
  const cascade = {
    tiers: [{ titles: ['Warehouse Manager'], rules: [] }],
    geographies: [],
    country_codes: [],
    exclude: { keywords: [], job_levels: [], country_codes: [] },
    company: { industries: [], employees_min: null, employees_max: null },
  }
  const answer = (content: string) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] }),
  })
  const { client } = await scene(told, { accounts: ['north.example'], active: true })
  const find = () => client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  sites.set('model.example', { '/v1/chat/completions': answer(JSON.stringify(cascade)) })
  const compiled = await find()
  assert.deepEqual([compiled.tiers, compiled.contacts.map(({ full_name }: Contact) => full_name)], [1, ['Tess Noble']])
  assert.equal(compiled.notice, null)
  const level = { job_levels: ['C-Team', 'VP', 'Director', 'Manager'], department: null, keywords: [] }
  const widened = { ...cascade, tiers: [{ titles: ['VP Sales'], rules: [level] }] }
  sites.set('model.example', { '/v1/chat/completions': answer(JSON.stringify(widened)) })
  const narrow = await find()
  assert.deepEqual(namesOf(narrow.contacts), [['Ada Pike', 1]], 'no level is added to a title')
  assert.deepEqual(narrow.cascade[0].job_levels, [])
  sites.set('model.example', { '/v1/chat/completions': answer('{"tiers": "everybody"}') })
  const fallen = await find()
  assert.equal(fallen.contacts[0].full_name, 'Ada Pike')
  assert.match(fallen.notice, /parsed without it/)
})

test('erased people are not found again', async () => {
  const { client } = await scene(service, { accounts: ['north.example'], active: true })
  const find = () => client.expect(200, 'POST', '/v1/people/find', { query: 'VP Sales' })
  const [{ id }] = (await find()).contacts
  await client.expect(200, 'DELETE', `/v1/people/${id}`)
  const names = (await find()).contacts.map(({ full_name }: Contact) => full_name)
  assert.ok(!names.includes('Ada Pike'))
  // What is kept does not name her; what was typed is searched for all the same.
  for (const [query, kept] of [
    ['VP Sales named Ada Pike', 'VP Sales named [erased]'],
    ['ada pike or noor falk', '[erased] or noor falk'],
    ['Noor Falk', 'Noor Falk'],
  ]) {
    const { search_id } = await client.expect(200, 'POST', '/v1/people/find', { query })
    assert.equal((await client.expect(200, 'GET', `/v1/people/searches/${search_id}`)).query, kept)
  }
  const { message } = await client.expect(200, 'POST', '/v1/people/find', { query: 'somebody called Ada Pike' })
  assert.match(message, /Ada Pike|ada pike/)
})

test('no address is checked twice in one search when the mail server verifies none', async () => {
  mail.asked.length = 0
  const { client } = await scene(service, { accounts: ['south.example'], active: true })
  await client.expect(200, 'POST', '/v1/people/find', { query: 'CTO or managing director' })
  assert.equal(mail.asked.filter(({ to }) => to.endsWith('@south.example')).length, 1)
  world.outages = {}
})

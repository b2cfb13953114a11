import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { startMail } from '../../sandbox/mail.ts'
import type { MailBehaviour } from '../../sandbox/types.ts'
import { refused } from '../../test/support/client.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Card, home, mailAt, PDL, teamPage, ZEROBOUNCE } from '../../test/support/people.ts'
import { type Owner, scene } from '../../test/support/scene.ts'
import { testService } from '../../test/support/service.ts'
import { testWorld } from '../../test/support/world.ts'
import { lockWorkspace } from '../resources/workspaces/store.ts'
import { recheckEmail } from './email/recheck.job.ts'

const BEHAVIOURS: Record<string, MailBehaviour> = {
  'knows.example': 'users',
  'once.example': 'greylist_once',
  'tls.example': 'tls_only',
  'all.example': 'catch_all',
  'later.example': 'greylist_forever',
  'slow.example': 'tarpit',
  'closed.example': 'refusing',
  'blocks.example': 'blocking',
  'never.example': 'no_mail',
}
const OTHERS = [
  'learnt.example',
  'namesakes.example',
  'roles.example',
  'single.example',
  'again.example',
  'asking.example',
  'gone.example',
  'twins.example',
  'moved.example',
  'aol.com',
]
const { env, sites, world, mail } = await testWorld({
  mail: [
    ...Object.entries(BEHAVIOURS).map(([domain, behaviour]) => mailAt(domain, ['ada.pike', 'sales'], behaviour)),
    ...OTHERS.map((domain) => mailAt(domain, [])),
  ],
})
const service = await testService({ env })
const { db } = service.deps

const setUsers = (domain: string, users: string[]) => mail.domains.set(domain, mailAt(domain, users))
const askedAt = (domain: string) =>
  mail.asked.filter(({ to }) => to.endsWith(`@${domain}`)).map(({ to }) => to.split('@')[0])

/** A company with a team page, its roster loaded. */
async function company(domain: string, cards: readonly Card[], on = service, owner?: Owner) {
  sites.set(domain, { '/': home(), '/team': teamPage(cards) })
  const workspace = await scene(on, { accounts: [domain], active: true, owner })
  const { client, id } = workspace
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
  const shown = await client.expect(200, 'GET', '/v1/people?per_page=100')
  const idOf = (name: string): string => shown.find((one: { full_name: string }) => one.full_name === name)?.id
  const email = (name: string) => client.expect(200, 'POST', `/v1/people/${idOf(name)}/email`)
  const phone = (name: string) => client.expect(200, 'POST', `/v1/people/${idOf(name)}/phone`)
  const read = (name: string) => client.expect(200, 'GET', `/v1/people/${idOf(name)}`)
  return { ...workspace, idOf, email, phone, read }
}

const ADA = { name: 'Ada Pike', title: 'Head of Sales' }

for (const [domain, behaviour] of Object.entries(BEHAVIOURS)) {
  const isVerified = ['users', 'greylist_once', 'tls_only'].includes(behaviour)
  test(`${behaviour}: ${isVerified ? 'the address of an existing mailbox is verified' : 'no address is returned'}`, async () => {
    const { email, read } = await company(domain, [ADA, { name: 'Ben Moss', title: 'CTO' }])
    const found = await email('Ada Pike')
    assert.equal(found.email, isVerified ? `ada.pike@${domain}` : null)
    if (isVerified) assert.equal(found.reason, null)
    else assert.match(found.reason, /\w.*\.$/)
    const stored = await read('Ada Pike')
    assert.deepEqual([stored.email, stored.email_source], [found.email, isVerified ? 'smtp' : null])
    assert.notEqual(stored.email_checked_at, null)
    assert.equal((await email('Ben Moss')).email, null)
  })
}

test('an admin sets the sender address without a restart; until then no server is queried and responses state it', async () => {
  setUsers('asking.example', ['ada.pike'])
  const silent = await testService({ env: { ...env, EMAIL_VERIFY_FROM: '' } })
  const { client, email, id } = await company('asking.example', [ADA], silent)
  mail.asked.length = 0
  const search = { query: 'head of sales', account_ids: [id('asking.example')] }
  const before = await email('Ada Pike')
  assert.deepEqual([before.email, mail.asked], [null, []])
  for (const said of [before.reason, (await client.expect(200, 'POST', '/v1/people/find', search)).notice])
    assert.match(said, /PUT \/integrations\/email-verification/)
  const path = '/v1/integrations/email-verification'
  for (const from of ['nobody', 'a@b', 'a@b.example>\r\nDATA', '', 7])
    refused(await client.put(path, { from }), 400, 'invalid_request')
  const set = await client.expect(200, 'PUT', path, { from: 'asks@team.example' })
  assert.deepEqual([set.enabled, set.from, set.set_by, set.problem], [true, 'asks@team.example', 'workspace', null])
  assert.deepEqual((await client.expect(200, 'GET', '/v1/integrations')).email_verification, set)
  assert.deepEqual(await client.expect(200, 'GET', path), set)
  assert.equal((await email('Ada Pike')).email, 'ada.pike@asking.example')
  assert.ok(mail.asked.length > 0 && mail.asked.every(({ from }) => from === 'asks@team.example'))
  assert.equal((await client.expect(200, 'POST', '/v1/people/find', search)).notice, null)
  // Another workspace has no sender address.
  const other = await silent.stranger()
  assert.equal((await other.client.expect(200, 'GET', '/v1/integrations')).email_verification.enabled, false)
  assert.equal((await client.expect(200, 'PUT', path, { from: null })).enabled, false)
})

test('a stored address or a stored null is returned without another lookup', async () => {
  const { email, idOf } = await company('again.example', [ADA, { name: 'Ben Moss', title: 'CTO' }])
  setUsers('again.example', ['ada.pike'])
  for (const name of ['Ada Pike', 'Ben Moss']) await email(name)
  mail.asked.length = 0
  assert.equal((await email('Ada Pike')).email, 'ada.pike@again.example')
  const { email: none, reason } = await email('Ben Moss')
  assert.deepEqual([none, typeof reason], [null, 'string'])
  assert.deepEqual(askedAt('again.example'), [])
  const long = new Date(Date.now() - 31 * 86_400_000).toISOString()
  await db.updateTable('people').set({ email_checked_at: long }).where('id', '=', idOf('Ben Moss')).execute()
  setUsers('again.example', ['ben.moss'])
  assert.equal((await email('Ben Moss')).email, 'ben.moss@again.example')
})

test('concurrent lookups of one person in several processes share one lookup', async () => {
  const domain = 'single.example'
  // Slow enough that all requests arrive before the first response.
  await using slow = await startMail([mailAt(domain, ['ada.pike'])], { latencyMs: 50 })
  const connectTo = env.OUTBOUND_CONNECT_TO.split(',').filter((pair) => pair.startsWith('*:443'))
  const slowEnv = {
    ...env,
    OUTBOUND_CONNECT_TO: [...connectTo, slow.connectTo].join(','),
    DNS_SERVER: slow.dns,
    EMAIL_VERIFY_SECONDS: '30',
  }
  const first = await testService({ env: slowEnv })
  const second = await testService({ env: slowEnv, databaseUrl: first.databaseUrl })
  const owner = { client: first.admin, workspaceId: first.workspaceId }
  const { idOf } = await company(domain, [ADA], first, owner)
  const path = `/v1/people/${idOf('Ada Pike')}/email`
  const answers = await Promise.all([1, 2, 3, 4].flatMap(() => [first.admin.post(path), second.admin.post(path)]))
  assert.ok(answers.every(({ data }) => data.email === `ada.pike@${domain}`))
  assert.equal(slow.asked.filter(({ to }) => to.startsWith('ada.pike@')).length, 1)
})

test('the pattern of a domain is learnt from its known addresses', async () => {
  const domain = 'learnt.example'
  const { email } = await company(domain, [
    { name: 'Cleo Hart', title: 'COO', more: `<a href="mailto:hart.cleo@${domain}">Write</a>` },
    { name: 'Dora Lund', title: 'CMO' },
  ])
  setUsers(domain, ['hart.cleo', 'lund.dora'])
  mail.asked.length = 0
  assert.equal((await email('Dora Lund')).email, `lund.dora@${domain}`)
  assert.equal(askedAt(domain)[1], 'lund.dora')
})

test('an address that also fits a colleague is not used', async () => {
  const domain = 'namesakes.example'
  setUsers(domain, ['jsmith', 'j.smith', 'jane'])
  const { email } = await company(domain, [
    { name: 'Jane Smith', title: 'CFO' },
    { name: 'John Smith', title: 'CTO' },
  ])
  assert.equal((await email('Jane Smith')).email, null)
  setUsers(domain, ['jsmith', 'john.smith'])
  assert.equal((await email('John Smith')).email, `john.smith@${domain}`)
})

test('an address published for a person by name is used, unless the mail server rejects it', async () => {
  const card = (domain: string, user: string) => ({ ...ADA, more: `<a href="mailto:${user}@${domain}">Write</a>` })
  for (const domain of ['all.example', 'closed.example']) {
    const { email, read } = await company(domain, [card(domain, 'a.pike')])
    assert.equal((await email('Ada Pike')).email, `a.pike@${domain}`)
    assert.equal((await read('Ada Pike')).email_source, 'published')
  }
  const { email } = await company('knows.example', [card('knows.example', 'apike')])
  assert.equal((await email('Ada Pike')).email, 'ada.pike@knows.example')
  setUsers('again.example', [])
  const stale = await company('again.example', [card('again.example', 'ada.pike')])
  assert.equal((await stale.email('Ada Pike')).email, null)
})

test('an address that is no longer published is not used', async () => {
  const domain = 'all.example'
  const { client, id, email, idOf } = await company(domain, [
    { ...ADA, more: `<a href="mailto:ada.pike@${domain}">Write</a>` },
  ])
  sites.set(domain, { '/': home(), '/team': teamPage([ADA]) })
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
  assert.ok(idOf('Ada Pike'))
  assert.equal((await email('Ada Pike')).email, null)
})

test('a mail server that defers for too long is queried again later', async () => {
  const domain = 'later.example'
  const { email, read, idOf, workspaceId } = await company(domain, [ADA])
  assert.equal((await email('Ada Pike')).email, null)
  const { rows } = await sql<{ data: object }>`select data from pgboss.job where name = 'recheck-email'`.execute(db)
  const payload = { workspace_id: workspaceId, person_id: idOf('Ada Pike') }
  assert.ok(rows.some(({ data }) => isDeepStrictEqual(data, payload)))
  const forgotten = mail.domains.get(domain)
  setUsers(domain, ['ada.pike'])
  await service.run(recheckEmail, payload)
  assert.equal((await read('Ada Pike')).email, `ada.pike@${domain}`)
  if (forgotten) mail.domains.set(domain, forgotten)
})

test('role addresses, free providers, other domains and offices are not work emails', async () => {
  const domain = 'roles.example'
  const given = [`sales@${domain}`, 'ada.pike@gmail.com', 'ada.pike@other.example', `berlin@${domain}`]
  for (const address of given) {
    setUsers(domain, ['sales', 'berlin'])
    const { email } = await company(domain, [{ ...ADA, more: `<a href="mailto:${address}">Write</a>` }])
    assert.equal((await email('Ada Pike')).email, null, address)
  }
})

const write = (address: string) => `<a href="mailto:${address}">Write</a>`

test('an address in a person’s card is theirs only if it matches their name', async () => {
  const domain = 'all.example'
  const { email } = await company(domain, [
    { name: 'Ian Cole', title: 'CTO', more: write(`diana.ross@${domain}`) },
    { name: 'William Hart', title: 'COO', more: write(`bill.hart@${domain}`) },
  ])
  assert.equal((await email('Ian Cole')).email, null)
  assert.equal((await email('William Hart')).email, `bill.hart@${domain}`)
})

test('an address published for two people is not used', async () => {
  const domain = 'all.example'
  const { email } = await company(domain, [
    { name: 'Jane Smith', title: 'CFO', more: write(`jsmith@${domain}`) },
    { name: 'John Smith', title: 'CTO', more: write(`jsmith@${domain}`) },
  ])
  for (const name of ['Jane Smith', 'John Smith']) assert.equal((await email(name)).email, null, name)
})

test('an address that fits a colleague’s short name is not used', async () => {
  const domain = 'twins.example'
  setUsers(domain, ['bob', 'robert'])
  const { email, client, id } = await company(domain, [
    { name: 'Robert Jones', title: 'CFO' },
    { name: 'Bob Lind', title: 'CTO' },
  ])
  await client.expect(200, 'PATCH', `/v1/accounts/${id(domain)}`, { employees: 10 })
  for (const name of ['Robert Jones', 'Bob Lind']) assert.equal((await email(name)).email, null, name)
})

test('two namesakes with different profile pages do not get the address of the name', async () => {
  const domain = 'twins.example'
  setUsers(domain, ['ada.pike'])
  const { client, save, id } = await company(domain, [])
  const reveal = async (pages: (string | null)[], name: string) => {
    const people = pages.map((network_url, at) => ({
      account_id: id(domain),
      full_name: name,
      title: `T${at}`,
      network_url,
    }))
    const [one] = await save(people)
    return (await client.expect(200, 'POST', `/v1/people/${one?.id}/email`)).email
  }
  assert.equal(await reveal(['https://network.example/in/a', 'https://network.example/in/b'], 'Ada Pike'), null)
  setUsers(domain, ['ben.moss'])
  assert.equal(await reveal(['https://network.example/in/c', null], 'Ben Moss'), `ben.moss@${domain}`)
})

test('a mail provider’s domain has no work emails', async () => {
  setUsers('aol.com', ['ada.pike'])
  const { email } = await company('aol.com', [ADA])
  const { email: none, reason } = await email('Ada Pike')
  assert.equal(none, null)
  assert.match(reason, /provider/)
})

test('an address published under a former domain of the account is not used', async () => {
  const { email, client, id } = await company('all.example', [{ ...ADA, more: write('ada.pike@all.example') }])
  await client.expect(200, 'PATCH', `/v1/accounts/${id('all.example')}`, { domain: 'moved.example' })
  assert.equal((await email('Ada Pike')).email, null)
})

test('a newly published address or number is looked up, although the last lookup found none', async () => {
  const domain = 'all.example'
  const { client, id, email, phone } = await company(domain, [ADA])
  assert.deepEqual([(await email('Ada Pike')).email, (await phone('Ada Pike')).phone], [null, null])
  const card = { ...ADA, more: `${write(`ada.pike@${domain}`)}<p>+49 40 3003 2255</p>` }
  sites.set(domain, { '/': home(), '/team': teamPage([card]) })
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
  assert.equal((await email('Ada Pike')).email, `ada.pike@${domain}`)
  assert.equal((await phone('Ada Pike')).phone, '+494030032255')
})

test('an imported address is unverified until a lookup verifies it', async () => {
  const domain = 'knows.example'
  const { client, save, id } = await company(domain, [])
  const [right, wrong] = await save([
    { account_id: id(domain), full_name: 'Ada Pike', given_email: `ada.pike@${domain}` },
    { account_id: id(domain), full_name: 'Zed Roe', given_email: `zed@${domain}` },
  ])
  const reveal = async (one: { id: string } | undefined) =>
    (await client.expect(200, 'POST', `/v1/people/${one?.id}/email`)).email
  assert.deepEqual([await reveal(right), await reveal(wrong)], [`ada.pike@${domain}`, null])
})

test('the vendor decides when the mail server does not, and its failure is not stored as a result', async () => {
  const patient = await testService({ env: { ...env, ...ZEROBOUNCE } })
  const refusing = mailAt('closed.example', [], 'refusing')
  world.mail = [mailAt('closed.example', ['ada.pike']), refusing]
  const { email, read } = await company('closed.example', [ADA, { name: 'Ben Moss', title: 'CTO' }], patient)
  assert.equal((await email('Ada Pike')).email, 'ada.pike@closed.example')
  assert.equal((await read('Ada Pike')).email_source, 'zerobounce')
  world.outages = { zerobounce: 'error' }
  const failed = await email('Ben Moss')
  world.outages = {}
  assert.deepEqual([failed.email, (await read('Ben Moss')).email_checked_at], [null, null])
  assert.match(failed.reason, /ZeroBounce/)
})

test('a number published with a person is returned in E.164', async () => {
  const tel = (number: string) => `<p>${number}</p>`
  const { phone, read, client, idOf } = await company('phones.example', [
    { ...ADA, more: tel('+49 40 3003 2255') },
    { name: 'Ben Moss', title: 'CTO', more: tel('+1 415 555 2671') },
    { name: 'Cleo Hart', title: 'COO', more: tel('+1 415 555 2671') },
    { name: 'Dora Lund', title: 'CMO', more: tel('+1 800 555 2671') },
    { name: 'Emil Berg', title: 'CIO' },
  ])
  const proof = { phone: '+494030032255', phone_url: 'https://phones.example/team' }
  assert.deepEqual(await phone('Ada Pike'), { id: idOf('Ada Pike'), ...proof, reason: null })
  for (const name of ['Ben Moss', 'Cleo Hart', 'Dora Lund', 'Emil Berg']) {
    const found = await phone(name)
    assert.equal(found.phone, null, name)
    assert.ok(found.reason && (await read(name)).phone_checked_at)
  }
  assert.deepEqual(await phone('Ada Pike'), { id: idOf('Ada Pike'), ...proof, reason: null }, 'and again')
  const { phone: shown, phone_url } = await read('Ada Pike')
  assert.deepEqual({ phone: shown, phone_url }, proof)
  const { contact_points } = await client.expect(200, 'GET', `/v1/people/${idOf('Ada Pike')}/export`)
  assert.ok(contact_points.every(({ source_url }: { source_url: string }) => source_url === proof.phone_url))
  refused(await client.post('/v1/people/019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87/phone'), 404, 'not_found')
})

test('number, location and headline are taken from the person’s own paragraph or list entry, not from the company’s', async () => {
  const domain = 'own-lines.example'
  const team = `<html><head><title>Our team</title></head><body><header><a href="tel:+49401112223">+49 40 111 2223</a></header>
    <main><h1>Our team</h1><p>Ada Pike, CFO, +49 40 3003 2255</p><p>Ben Moss, CTO, phone +49 40 111 2223</p>
    <dl><dt>Cleo Hart</dt><dd>COO</dd><dd>Tel. 040 3003 2266</dd><dd>Based in Hamburg, Germany</dd><dt>Dora Lund</dt><dd>CMO</dd>
    <dd>Dora has run marketing teams for twenty years.</dd></dl></main></body></html>`
  sites.set(domain, { '/': home(), '/team': team })
  const { client, id } = await scene(service, { accounts: [domain], active: true })
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
  const people = await client.expect(200, 'GET', `/v1/people?account_id=${id(domain)}`)
  const of = (name: string) => people.find((one: { full_name: string }) => one.full_name === name)
  const phone = async (name: string) => {
    const { phone, phone_url } = await client.expect(200, 'POST', `/v1/people/${of(name).id}/phone`)
    return [phone, phone_url]
  }
  const proof = `https://${domain}/team`
  assert.deepEqual(await phone('Ada Pike'), ['+494030032255', proof])
  assert.deepEqual(await phone('Cleo Hart'), ['+494030032266', proof])
  assert.deepEqual(await phone('Ben Moss'), [null, null], 'the switchboard')
  assert.deepEqual([of('Cleo Hart').location, of('Cleo Hart').country_code], ['Hamburg, Germany', 'DE'])
  assert.equal(of('Dora Lund').headline, 'Dora has run marketing teams for twenty years.')
  assert.deepEqual([of('Ada Pike').location, of('Ada Pike').headline], [null, null])
})

test('a number on a contact page or behind a switchboard is revealed with its page, without a request to the vendor', async () => {
  const domain = 'switchboard.example'
  const keyed = await testService({ env: { ...env, ...PDL } })
  const other = { company: { website: domain }, title: { name: 'cfo' }, start_date: '2020-01', end_date: null }
  world.profiles = [
    {
      id: '1',
      full_name: 'ada pike',
      job_title: 'cfo',
      job_company_website: domain,
      mobile_phone: '+14155552699',
      experience: [other],
    },
  ]
  world.outages = { 'people-data-labs': 'error' }
  const card = (name: string, title: string, more: string) =>
    `<div class="card"><h3>${name}</h3><p>${title}</p>${more}</div>`
  const contact = `<html><head><title>Contact</title></head><body><header><a href="tel:+14155550100">(415) 555-0100</a></header>
    <main><h1>Contact</h1><div class="contacts">${card('Ada Pike', 'CFO', '<ul class="contact"><li>Fax: (415) 555-0199</li><li>Direct: (415) 555-2671</li></ul>')}
    ${card('Ben Moss', 'CTO', '<p>Ext. 12</p>')}${card('Cleo Hart', 'COO', '<p>Main: (415) 555-0100</p>')}</div></main></body></html>`
  sites.set(domain, { '/': home('<a href="/contact">Contact us</a>'), '/contact': contact })
  const { client, id } = await scene(keyed, { accounts: [{ name: 'Switchboard', domain }], active: true })
  await client.expect(200, 'PATCH', `/v1/accounts/${id(domain)}`, { country: 'United States' })
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
  const people = await client.expect(200, 'GET', `/v1/people?account_id=${id(domain)}`)
  const idOf = (name: string) => people.find((one: { full_name: string }) => one.full_name === name).id
  const reveal = (name: string) => client.expect(200, 'POST', `/v1/people/${idOf(name)}/phone`)
  const proof = { phone_url: `https://${domain}/contact`, reason: null }
  assert.deepEqual(await reveal('Ada Pike'), { id: idOf('Ada Pike'), phone: '+14155552671', ...proof })
  assert.deepEqual(await reveal('Ben Moss'), { id: idOf('Ben Moss'), phone: '+14155550100;ext=12', ...proof })
  // The vendor is asked only for the person of whom the pages show nothing, and it does not work.
  assert.match((await reveal('Cleo Hart')).reason, /People Data Labs/)
  world.outages = {}
  world.profiles = []
  const stranger = await keyed.stranger()
  refused(await stranger.client.post(`/v1/people/${idOf('Ada Pike')}/phone`), 404, 'not_found')
  // An erased person stays erased with their number when the page is read again.
  await client.expect(200, 'DELETE', `/v1/people/${idOf('Ben Moss')}`)
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
  const { rows } = await sql<{
    found_phone: string
  }>`select found_phone from people where account_id = ${id(domain)}`.execute(keyed.deps.db)
  assert.deepEqual(rows.map(({ found_phone }) => found_phone).toSorted(), ['+14155552671', null])
})

test('the vendor provides numbers and departures', async () => {
  const keyed = await testService({ env: { ...env, ...PDL } })
  const domain = 'gone.example'
  const job = { company: { website: domain }, title: { name: 'cto' }, start_date: '2020-01' }
  world.profiles = [
    {
      id: '1',
      full_name: 'ben moss',
      job_title: 'ceo',
      job_company_website: 'elsewhere.example',
      mobile_phone: '+14155552671',
      experience: [{ ...job, end_date: '2026-03' }],
    },
  ]
  const { phone, read, email } = await company(domain, [{ name: 'Ben Moss', title: 'CTO' }, ADA], keyed)
  assert.equal((await phone('Ben Moss')).phone, '+14155552671')
  assert.equal((await read('Ben Moss')).left_on, '2026-03-01')
  setUsers(domain, ['ben.moss'])
  assert.equal((await email('Ben Moss')).email, null)
  world.outages = { 'people-data-labs': 'error' }
  const failed = await phone('Ada Pike')
  world.outages = {}
  assert.match(failed.reason, /People Data Labs/)
  assert.equal((await read('Ada Pike')).phone_checked_at, null)
})

test('a vendor that rejects the key or has no quota left is reported in every response and in the integrations', async () => {
  const keyed = await testService({ env: { ...env, ...PDL, ...ZEROBOUNCE } })
  world.mail = [mailAt('closed.example', [], 'refusing')]
  world.profiles = []
  const { client, id, email, phone } = await company('closed.example', [ADA], keyed)
  const problems = async () => {
    const answer = await client.get('/v1/integrations')
    for (const key of [PDL.PDL_API_KEY, ZEROBOUNCE.ZEROBOUNCE_API_KEY]) assert.ok(!answer.text.includes(key))
    return answer.body.data.providers.problems.map(({ name, kind }: { name: string; kind: string }) => [name, kind])
  }
  assert.deepEqual(await problems(), [])
  const wordings = { refused: /People Data Labs refuses/, spent: /People Data Labs reports that the quota is used up/ }
  for (const [outage, kind] of [['refused', 'refused'] as const, ['spent', 'quota'] as const]) {
    world.outages = { 'people-data-labs': outage, zerobounce: outage }
    const account_id = id('closed.example')
    assert.match((await email('Ada Pike')).reason, /ZeroBounce (?:refuses|rejected|reports that the quota)/)
    assert.match((await phone('Ada Pike')).reason, wordings[outage])
    const { sources } = await client.expect(200, 'POST', '/v1/people/sync', { account_id })
    const vendor = sources.find(({ name }: { name: string }) => name === 'People Data Labs')
    assert.equal(vendor.outcome, 'failed')
    assert.match(vendor.reason, wordings[outage])
    const enriched = await client.expect(200, 'POST', `/v1/accounts/${account_id}/enrich`)
    assert.match(JSON.stringify(enriched.problems), wordings[outage])
    const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'CEO' })
    assert.match(JSON.stringify(found.problems), wordings[outage])
    const mine = (await problems()).filter(([name]: [string]) => ['People Data Labs', 'ZeroBounce'].includes(name))
    assert.deepEqual(mine, [
      ['People Data Labs', kind],
      ['ZeroBounce', kind],
    ])
  }
  world.outages = {}
  await email('Ada Pike')
  await phone('Ada Pike')
  assert.deepEqual(await problems(), [])
})

test('a member who may not see a person cannot reveal their contact data', async () => {
  const { client } = await service.stranger()
  const { idOf } = await company('knows.example', [ADA])
  refused(await client.post(`/v1/people/${idOf('Ada Pike')}/email`), 404, 'not_found')
  refused(await client.post(`/v1/people/${idOf('Ada Pike')}/phone`), 404, 'not_found')
})

test('a sync waits for an erasure without holding locks that the erasure needs', async () => {
  const domain = 'again.example'
  const { client, workspaceId, id } = await company(domain, [ADA])
  const isWaiting = async () => {
    const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(db)
    return rows.length > 0
  }
  const { loading } = await db.transaction().execute(async (erasing) => {
    await lockWorkspace(erasing, workspaceId)
    const loading = client.post('/v1/people/sync', { account_id: id(domain) })
    await eventually('the load waits for a lock', isWaiting)
    const account = erasing.selectFrom('accounts').select('id').where('id', '=', id(domain))
    assert.ok(await account.forNoKeyUpdate().skipLocked().executeTakeFirst())
    // Within an object, or the transaction would wait for the load that waits for it.
    return { loading }
  })
  assert.equal((await loading).status, 200)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createHubspot, type Hubspot } from '../../../sandbox/vendors/hubspot.ts'
import { createSalesforce, type Salesforce } from '../../../sandbox/vendors/salesforce.ts'
import { type Client, refused } from '../../../test/support/client.ts'
import { assertDocumented, vendorsOnline } from '../../../test/support/crm.ts'
import { savePeopleAs } from '../../../test/support/people.ts'
import { testService } from '../../../test/support/service.ts'

/** Fast enough that nobody waits; the limits themselves are for crm-push-faults.test.ts. */
const hubspot = createHubspot({ searchLagMs: 600_000, limit: { calls: 100_000, ms: 10_000 }, searchesPerSecond: 1000 })
const salesforce = createSalesforce()
const internet = await vendorsOnline(hubspot, salesforce)
const service = await testService({ env: { ...internet.env, PUSH_RETRY_SECONDS: '0,0,0' } })
const { db } = service.deps
after(() => {
  assertDocumented(hubspot)
  assertDocumented(salesforce)
})

const CREDENTIALS = {
  crm_one: { provider: 'crm_one', token: 'sandbox-key' },
  crm_two: { provider: 'crm_two', token: 'sandbox-token', instance_url: salesforce.instanceUrl },
}
type Provider = keyof typeof CREDENTIALS

let serial = 0
const unique = (name: string) => `${name}-${++serial}`

/** A workspace with some accounts and a person at the first, connected to CRMs. */
async function scene(providers: Provider[], accounts = 1, person: Record<string, unknown> | null = {}) {
  const { client, workspaceId } = await service.stranger()
  for (const provider of providers) await client.expect(201, 'POST', '/v1/connections', CREDENTIALS[provider])
  const domains = Array.from({ length: accounts }, () => `${unique('acme')}.com`)
  const created = await client.expect(
    201,
    'POST',
    '/v1/accounts',
    domains.map((domain) => ({ name: `Acme ${domain}`, domain })),
  )
  const ids: string[] = created.map(({ id }: { id: string }) => id)
  const name = unique('mara')
  const fields = {
    full_name: 'Mara Lindqvist',
    title: 'VP Operations',
    email: `${name}@${domains[0]}`,
    network_url: `https://network.example/in/${name}`,
    ...person,
  }
  const [saved] = person
    ? await savePeopleAs(service.deps, workspaceId, 'employee', [{ account_id: ids[0] as string, ...fields }])
    : []
  return { client, workspaceId, domains, ids, fields, personId: saved?.id ?? '' }
}

async function ended(client: Client, id: string) {
  for (;;) {
    const run = await client.expect(200, 'GET', `/v1/push-runs/${id}`)
    if (run.status !== 'running') return run
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What each CRM holds, in the same words. */
const CRMS: Record<
  Provider,
  {
    label: string
    companies: (domain: string) => Record<string, unknown>[]
    contacts: (email: string) => Record<string, unknown>[]
    companyOf: (contact: string) => string[]
    calls: () => number
  }
> = {
  crm_one: {
    label: 'HubSpot',
    companies: (domain) => held(hubspot.records.companies, 'domain', domain),
    contacts: (email) => held(hubspot.records.contacts, 'email', email),
    companyOf: (contact) =>
      [...hubspot.associations].flatMap((pair) =>
        pair.startsWith(`${contact} `) ? [pair.split(' ')[1] as string] : [],
      ),
    calls: () => hubspot.calls.length,
  },
  crm_two: {
    label: 'Salesforce',
    companies: (domain) =>
      [...salesforce.records.Account.values()]
        .filter(({ Website }) => Website === domain)
        .map((row) => ({ ...row, id: row.Id })),
    contacts: (email) =>
      [...salesforce.records.Contact.values()]
        .filter(({ Email }) => Email === email)
        .map((row) => ({ ...row, id: row.Id })),
    companyOf: (contact) => [salesforce.records.Contact.get(contact)?.AccountId as string],
    calls: () => salesforce.calls.length,
  },
}

function held(records: Hubspot['records']['companies'], name: string, value: string) {
  return [...records.values()]
    .filter(({ properties }) => properties[name] === value)
    .map(({ id, properties }) => ({ id, ...properties }))
}

const FIELD: Record<
  Provider,
  Record<'title' | 'phone' | 'score' | 'signals' | 'evidence' | 'why' | 'name' | 'profile', string>
> = {
  crm_one: {
    title: 'jobtitle',
    phone: 'phone',
    score: 'bellwether_score',
    signals: 'bellwether_signals',
    evidence: 'bellwether_evidence',
    why: 'bellwether_why_now',
    name: 'name',
    profile: 'bellwether_profile_url',
  },
  crm_two: {
    title: 'Title',
    phone: 'Phone',
    score: 'Bellwether_Score__c',
    signals: 'Bellwether_Signals__c',
    evidence: 'Bellwether_Evidence__c',
    why: 'Bellwether_Why_Now__c',
    name: 'Name',
    profile: 'Bellwether_Profile_Url__c',
  },
}

function edit(provider: Provider, what: 'company' | 'contact', id: unknown, field: string, value: string) {
  if (provider === 'crm_one')
    hubspot.edit(what === 'company' ? 'companies' : 'contacts', id as string, { [field]: value })
  else salesforce.edit(what === 'company' ? 'Account' : 'Contact', id as string, { [field]: value })
}

async function detect(workspaceId: string, account_id: string) {
  const evidence = [
    { claim: 'Acme raised 20 million.', source_url: 'https://acme.example/news', published_date: '2026-11-01' },
  ]
  await db
    .insertInto('signal_detections')
    .values({
      ...{
        workspace_id: workspaceId,
        id: crypto.randomUUID(),
        account_id,
        signal_id: 'funding',
        detected_at: '2026-11-02',
      },
      ...{
        headline: 'Raised a round',
        signal_present: true,
        alpha: 80,
        icp_fit: 50,
        evidence: JSON.stringify(evidence),
      },
    })
    .execute()
  await db
    .updateTable('accounts')
    .set({ score: 72, why_now_md: 'They have money to spend.' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', account_id)
    .execute()
}

for (const provider of ['crm_one', 'crm_two'] as const) {
  const crm = CRMS[provider]
  const field = FIELD[provider]

  test(`${crm.label}: the first push creates the company with its signals, then the contact at it`, async () => {
    const { client, workspaceId, domains, ids, fields, personId } = await scene([provider])
    await detect(workspaceId, ids[0] as string)
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    assert.deepEqual(answer, {
      ...{ pushed: 1, failed: 0, skippedNoEmail: 0, skipped: 0, providers: [provider] },
      results: [{ contactId: personId, provider, ok: true, created: true, error: null }],
    })
    const [company, ...others] = crm.companies(domains[0] as string)
    const [contact, ...more] = crm.contacts(fields.email)
    assert.deepEqual([others, more], [[], []])
    assert.equal(String(company?.[field.score]), '72')
    assert.equal(company?.[field.why], 'They have money to spend.')
    assert.equal(company?.[field.signals], '2026-11-02 Funding: Raised a round')
    assert.equal(company?.[field.evidence], 'Acme raised 20 million. https://acme.example/news')
    assert.deepEqual([contact?.[field.title], contact?.[field.profile]], [fields.title, fields.network_url])
    assert.deepEqual(crm.companyOf(contact?.id as string), [company?.id])
  })

  test(`${crm.label}: the second push updates; nothing is there twice although the search lags`, async () => {
    const { client, workspaceId, domains, fields, personId, ids } = await scene([provider])
    await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    await detect(workspaceId, ids[0] as string)
    await db.updateTable('people').set({ title: 'SVP Operations' }).where('workspace_id', '=', workspaceId).execute()
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    assert.deepEqual(answer.results, [{ contactId: personId, provider, ok: true, created: false, error: null }])
    assert.equal(crm.companies(domains[0] as string).length, 1)
    const contacts = crm.contacts(fields.email)
    assert.equal(contacts.length, 1)
    // What the service wrote itself it keeps up to date.
    assert.equal(contacts[0]?.[field.title], 'SVP Operations')
    assert.equal(String(crm.companies(domains[0] as string)[0]?.[field.score]), '72')
  })

  test(`${crm.label}: what a person typed is never overwritten, what the service owns is`, async () => {
    const { client, workspaceId, domains, fields, personId } = await scene([provider])
    await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    const [contact] = crm.contacts(fields.email)
    const [company] = crm.companies(domains[0] as string)
    edit(provider, 'contact', contact?.id, field.title, 'Head of Everything')
    edit(provider, 'company', company?.id, field.name, 'ACME Holding')
    edit(provider, 'contact', contact?.id, field.profile, 'https://elsewhere.example/typed')
    const changes = { title: 'COO', phone: '+14155550100' }
    await db.updateTable('people').set(changes).where('workspace_id', '=', workspaceId).execute()
    await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    const [after] = crm.contacts(fields.email)
    assert.deepEqual(
      [
        after?.[field.title],
        after?.[field.phone],
        after?.[field.profile],
        crm.companies(domains[0] as string)[0]?.[field.name],
      ],
      ['Head of Everything', '+14155550100', fields.network_url, 'ACME Holding'],
    )
  })

  test(`${crm.label}: what is there already is found by email and by domain, and filled where it is empty`, async () => {
    const { client, domains, fields, personId } = await scene([provider])
    const [domain] = domains as [string]
    let company: string
    let contact: string
    if (provider === 'crm_one') {
      company = hubspot.add('companies', { name: 'Typed', domain })
      // Made long ago, so that a search sees it.
      for (const state of hubspot.records.companies.get(company)?.history ?? []) state.at = 0
      contact = hubspot.add('contacts', { email: fields.email, lastname: 'Typed' })
    } else {
      company = salesforce.add('Account', { Name: 'Typed', Website: `https://www.${domain}/about` })
      salesforce.add('Account', { Name: 'Another', Website: `not${domain}` })
      contact = salesforce.add('Contact', { Email: fields.email, LastName: 'Typed' })
    }
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    assert.deepEqual(answer.results, [{ contactId: personId, provider, ok: true, created: false, error: null }])
    const [there, ...others] = crm.contacts(fields.email)
    assert.deepEqual([others, there?.id, there?.[field.title]], [[], contact, fields.title])
    assert.equal(there?.lastname ?? there?.LastName, 'Typed')
    assert.deepEqual(crm.companyOf(contact), [company])
  })

  test(`${crm.label}: without an email a person is known by their profile page; without both they are skipped`, async () => {
    const { client, workspaceId, ids, personId, fields } = await scene([provider], 1, { email: null })
    const [nobody] = await savePeopleAs(service.deps, workspaceId, 'employee', [
      { account_id: ids[0] as string, full_name: 'Nobody' },
    ])
    const both = { contact_ids: [personId, nobody?.id] }
    const first = await client.expect(200, 'POST', '/v1/people/crm-push', both)
    assert.deepEqual([first.pushed, first.failed, first.skippedNoEmail, first.results[0].created], [1, 0, 1, true])
    // Its id is forgotten: only the profile page and the service's own id are left to find it by.
    await db.deleteFrom('crm_contacts').where('workspace_id', '=', workspaceId).execute()
    const second = await client.expect(200, 'POST', '/v1/people/crm-push', both)
    assert.deepEqual([second.pushed, second.skippedNoEmail, second.results[0].created], [1, 1, false])
    const email = `${unique('found')}@acme.com`
    await db
      .updateTable('people')
      .set({ email })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', personId)
      .execute()
    await client.expect(200, 'POST', '/v1/people/crm-push', both)
    assert.equal(crm.contacts(email)[0]?.[field.profile], fields.network_url)
  })

  test(`${crm.label}: a record deleted there is made anew`, async () => {
    const { client, fields, personId } = await scene([provider])
    await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    const id = crm.contacts(fields.email)[0]?.id as string
    if (provider === 'crm_one') hubspot.delete('contacts', id)
    else salesforce.delete('Contact', id)
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    assert.deepEqual([answer.pushed, answer.results[0].created], [1, true])
    assert.equal(crm.contacts(fields.email).length, 1)
  })

  test(`${crm.label}: two people of ours with one email are one contact there`, async () => {
    const { client, workspaceId, ids, fields, personId } = await scene([provider], 2)
    const [twin] = await savePeopleAs(service.deps, workspaceId, 'employee', [
      { account_id: ids[1] as string, full_name: 'Mara L.', email: fields.email },
    ])
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId, twin?.id] })
    assert.deepEqual([answer.pushed, answer.failed], [2, 0])
    assert.equal(crm.contacts(fields.email).length, 1)
  })

  test(`${crm.label}: two pushes of the same company at once make one company`, async () => {
    const { client, domains, ids, personId, fields } = await scene([provider])
    const pushes = [
      ...Array.from({ length: 4 }, () => client.post('/v1/accounts/crm-push', { account_ids: ids })),
      ...Array.from({ length: 4 }, () => client.post('/v1/people/crm-push', { contact_ids: [personId] })),
    ]
    for (const { data } of await Promise.all(pushes))
      assert.deepEqual([data.pushed, data.failed], [1, 0], JSON.stringify(data))
    assert.equal(crm.companies(domains[0] as string).length, 1)
    assert.equal(crm.contacts(fields.email).length, 1)
  })

  test(`${crm.label}: a hundred people take tens of calls, and a hundred that have not changed fewer`, async () => {
    const { client, workspaceId, ids } = await scene([provider], 20, null)
    const people = await savePeopleAs(
      service.deps,
      workspaceId,
      'employee',
      Array.from({ length: 100 }, (_, n) => ({
        ...{ account_id: ids[n % 20] as string, full_name: `Person ${n}`, email: `${unique('p')}@acme.com` },
        network_url: `https://network.example/in/${unique('p')}`,
      })),
    )
    const contact_ids = people.map(({ id }) => id)
    let before = crm.calls()
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids })
    assert.deepEqual(
      [answer.pushed, answer.failed],
      [100, 0],
      JSON.stringify(answer.results.find(({ ok }: { ok: boolean }) => !ok)),
    )
    const first = crm.calls() - before
    assert.ok(first <= 20, `${first} calls`)
    before = crm.calls()
    await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids })
    assert.ok(crm.calls() - before < first)
  })
}

test('a push without a provider goes to every connected CRM, one with a provider to that', async () => {
  const { client, domains, ids, personId, fields } = await scene(['crm_one', 'crm_two'])
  const one = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids, provider: 'crm_two' })
  assert.deepEqual(one, {
    ...{ pushed: 1, failed: 0, skipped: 0, providers: ['crm_two'] },
    results: [{ accountId: ids[0], provider: 'crm_two', ok: true, created: true, error: null }],
  })
  const both = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
  assert.deepEqual([both.pushed, both.failed, both.providers], [2, 0, ['crm_one', 'crm_two']])
  for (const crm of Object.values(CRMS)) {
    assert.deepEqual([crm.companies(domains[0] as string).length, crm.contacts(fields.email).length], [1, 1])
  }
})

test('without a connected CRM, or without the one named, a push is refused', async () => {
  const { client, ids, personId } = await scene([])
  refused(await client.post('/v1/accounts/crm-push', { account_ids: ids }), 409, 'crm_not_connected')
  refused(await client.post('/v1/people/crm-push', { contact_ids: [personId] }), 409, 'crm_not_connected')
  await client.expect(201, 'POST', '/v1/connections', CREDENTIALS.crm_one)
  refused(
    await client.post('/v1/people/crm-push', { contact_ids: [personId], provider: 'crm_two' }),
    409,
    'crm_not_connected',
  )
  refused(
    await client.post('/v1/people/crm-push', { contact_ids: [personId], provider: 'crm_three' }),
    400,
    'invalid_request',
  )
})

test('doubled ids are one; unknown, foreign and malformed ones are skipped', async () => {
  const { client, ids } = await scene(['crm_one'])
  const other = await scene([])
  const account_ids = [ids[0], ids[0]?.toUpperCase(), other.ids[0], '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', 'x']
  const answer = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids })
  assert.deepEqual([answer.pushed, answer.failed, answer.skipped], [1, 0, 3])
  assert.equal(CRMS.crm_one.companies(other.domains[0] as string).length, 0)
})

test('a scoped member pushes only the people they may see', async () => {
  const { client, workspaceId, ids, personId, fields } = await scene(['crm_one'])
  const member = await client.expect(201, 'POST', '/v1/members', {
    name: 'S',
    email: 's@x.example',
    visibility: 'scoped',
  })
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'S', member_id: member.id })
  const [mine] = await savePeopleAs(service.deps, workspaceId, 'employee', [
    { account_id: ids[0] as string, full_name: 'Mine', email: `${unique('mine')}@acme.com` },
  ])
  await client.expect(200, 'PUT', `/v1/people/${mine?.id}/owner`, { owner_id: member.id })
  const answer = await service.as(key).expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId, mine?.id] })
  assert.deepEqual([answer.pushed, answer.skipped], [1, 1])
  const many = Array.from({ length: 101 }, () => crypto.randomUUID())
  const started = await service
    .as(key)
    .expect(202, 'POST', '/v1/people/crm-push', { contact_ids: [personId, mine?.id, ...many] })
  const run = await ended(client, started.run_id)
  assert.deepEqual([run.sent, run.skipped, run.failed], [1, 102, 0])
  assert.equal(CRMS.crm_one.contacts(fields.email).length, 0)
})

test('more than 100 ids become a run in the background, with channel crm', async () => {
  const { client, ids, domains } = await scene(['crm_one', 'crm_two'], 230, null)
  const started = await client.expect(202, 'POST', '/v1/accounts/crm-push', { account_ids: [...ids, 'malformed'] })
  assert.deepEqual([started.total, started.status], [231, 'running'])
  const { created_at, finished_at, ...run } = await ended(client, started.run_id)
  assert.ok(created_at < finished_at)
  assert.deepEqual(run, {
    ...{ id: started.run_id, channel: 'crm', record_type: 'accounts', status: 'completed' },
    ...{ total: 231, sent: 230, failed: 0, skipped: 1, error_sample: [] },
  })
  for (const domain of domains) {
    assert.deepEqual([CRMS.crm_one.companies(domain).length, CRMS.crm_two.companies(domain).length], [1, 1])
  }
})

test('fields the service manages are made once, and on crm_two visible', async () => {
  for (let round = 0; round < 2; round++) {
    const { client, ids } = await scene(['crm_one', 'crm_two'])
    await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  }
  assert.equal(hubspot.properties.contacts.get('bellwether_profile_url')?.hasUniqueValue, true)
  assert.equal(hubspot.properties.companies.get('bellwether_id')?.hasUniqueValue, true)
  const made = (path: RegExp) =>
    hubspot.calls.concat(salesforce.calls).filter((call) => call.method === 'POST' && path.test(call.path))
  const properties = made(/properties\/2026-09\/\w+$/).map(
    ({ path, body }) => `${path} ${(body as { name: string }).name}`,
  )
  assert.equal(new Set(properties).size, properties.length)
  for (const name of salesforce.fields.Contact.keys()) assert.ok(salesforce.visible('Contact', name), name)
  assert.ok(salesforce.fields.Contact.get('Bellwether_Profile_Url__c')?.unique)
})

test('a field somebody removed is made again', async () => {
  const { client, ids } = await scene(['crm_one'])
  hubspot.properties.companies.delete('bellwether_score')
  const answer = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  assert.deepEqual([answer.pushed, answer.failed], [1, 0], JSON.stringify(answer))
  assert.ok(hubspot.properties.companies.has('bellwether_score'))
})

test('an erased person leaves nothing behind of what was pushed', async () => {
  const { client, workspaceId, personId } = await scene(['crm_one'])
  await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
  const kept = () => db.selectFrom('crm_contacts').selectAll().where('workspace_id', '=', workspaceId).execute()
  const [row] = await kept()
  assert.ok(row && !JSON.stringify(row.written).includes('Mara'), 'only hashes are kept')
  await client.expect(200, 'DELETE', `/v1/people/${personId}`)
  assert.deepEqual(await kept(), [])
})

test('the pages of the emulators show what arrived', async () => {
  const { client, personId } = await scene(['crm_one', 'crm_two'])
  await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
  for (const [vendor, host] of [
    [hubspot, 'app.hubspot.com'],
    [salesforce, 'sandbox.my.salesforce.com'],
  ] as [Hubspot | Salesforce, string][]) {
    const { body = '' } = await vendor.answer(
      { method: 'GET', url: new URL(`https://${host}/`), headers: {}, body: '' },
      {} as never,
    )
    assert.match(String(body), /Mara|Lindqvist/)
  }
})

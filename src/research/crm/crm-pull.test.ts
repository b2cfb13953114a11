import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hubspotEdits, salesforceEdits } from '../../../sandbox/vendors/crm-edits.ts'
import { seedCrm } from '../../../sandbox/vendors/crm-seed.ts'
import { createSalesforce } from '../../../sandbox/vendors/salesforce.ts'
import { type Client, refused } from '../../../test/support/client.ts'
import { quickHubspot } from '../../../test/support/crm.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { testWorld } from '../../../test/support/world.ts'
import { handOverToCrm } from '../../delivery/crm/hand-over.ts'
import { newId } from '../../shared/ids.ts'
import { rescoreAccounts } from '../assess.ts'
import { pullCrms } from './pull.ts'

const VENDORS = {
  crm_one() {
    const vendor = quickHubspot()
    const withhold = (kind: 'deals' | 'owners') => vendor.missingScopes.add(`crm.objects.${kind}.read`)
    return {
      vendor,
      edits: hubspotEdits(vendor),
      instance_url: null,
      withhold,
      give: () => vendor.missingScopes.clear(),
      users: vendor.owners,
      ownerOfTask: (id: string) => vendor.activities.tasks.get(id)?.properties.hubspot_owner_id,
    }
  },
  crm_two() {
    const vendor = createSalesforce()
    const withhold = (kind: 'deals' | 'owners') => vendor.unreadable.add({ deals: 'Opportunity', owners: 'User' }[kind])
    const { instanceUrl: instance_url, users, tasks } = vendor
    const ownerOfTask = (id: string) => tasks.get(id)?.OwnerId
    const give = () => vendor.unreadable.clear()
    return { vendor, edits: salesforceEdits(vendor), instance_url, withhold, give, users, ownerOfTask }
  },
}
type Provider = keyof typeof VENDORS
const PROVIDERS = Object.keys(VENDORS) as Provider[]
const crms = { crm_one: VENDORS.crm_one(), crm_two: VENDORS.crm_two() }
const { internet } = await testWorld({ vendors: [crms.crm_one.vendor, crms.crm_two.vendor] })
const service = await testService({ env: internet.env })
const { db } = service.deps

/** Every test has a domain of its own, because all workspaces read the same CRM. */
let serial = 0
const site = (name: string) => `${name}-${++serial}.com`

async function connect(client: Client, provider: Provider, token = `key-${crypto.randomUUID()}`) {
  const { vendor, instance_url } = crms[provider]
  vendor.oauth.allow(token)
  await client.expect(201, 'POST', '/v1/connections', { provider, token, instance_url })
  return token
}

/** Reads what has changed, as a worker does. */
async function pull(client: Client, provider: Provider) {
  await client.expect(200, 'PATCH', `/v1/crm/sync/${provider}`, { is_paused: false })
  await service.run(pullCrms, {})
  const [sync] = await client.expect(200, 'GET', '/v1/crm/sync')
  return sync
}

async function connected(provider: Provider, accounts: (string | object)[]) {
  const made = await scene(service, { accounts })
  await connect(made.client, provider)
  await service.run(pullCrms, {})
  return { ...made, read: () => pull(made.client, provider) }
}

const relationOf = (workspaceId: string, id: string) =>
  db
    .selectFrom('accounts')
    .select(['relationship', 'relationship_on', 'relationship_reason'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
    .then(Object.values)

const matchOf = (workspaceId: string, crmId: string) =>
  db
    .selectFrom('pulled_companies')
    .select(['account_id', 'matched_by'])
    .where('workspace_id', '=', workspaceId)
    .where('crm_id', '=', crmId)
    .executeTakeFirst()
    .then((found) => found && [found.account_id, found.matched_by])

const peopleOf = async (client: Client, accountId: string) => {
  const people = await client.expect(200, 'GET', `/v1/people?account_id=${accountId}&sort=full_name&order=asc`)
  return people.map((one: Record<string, unknown>) => [one.full_name, one.title, one.sources])
}

for (const provider of PROVIDERS) {
  const { edits } = crms[provider]

  test(`${provider}: a task belongs to the owner of the account, unless the CRM refuses`, async () => {
    const { users, ownerOfTask } = crms[provider]
    const owner = edits.addOwner({ name: 'Sam Reed', email: 'OTHER@elsewhere.example' })
    const domain = site('acme')
    edits.addCompany({ name: 'Acme', domain, owner_id: owner })
    const { workspaceId, ids } = await connected(provider, [domain])
    async function ownerOfNewTask() {
      const work = {
        work_item_id: newId(),
        title: 'Write to Acme',
        text: 'Acme raised 20 million.',
        due_on: '2026-11-20',
      }
      const given = { ...work, account_id: ids[0] as string, person_id: null }
      const viewer = { workspace_id: workspaceId, scoped_to: null }
      const [result] = await handOverToCrm(service.deps, viewer, given, provider, AbortSignal.timeout(20_000))
      assert.equal(result?.error, null)
      return ownerOfTask(result?.task_id as string)
    }
    assert.equal(await ownerOfNewTask(), owner)
    users.delete(owner)
    assert.notEqual(await ownerOfNewTask(), owner)
  })

  test(`${provider}: everything is read, matched by domain or a proven name, then kept in step`, async () => {
    const [acme, beta] = [site('acme'), site('beta')]
    const [twin, lone] = [`Twin ${serial}`, `Lone ${serial}`]
    const names = [{ name: twin }, { name: twin, domain: site('twin') }, { name: lone }]
    const owner = edits.addOwner({ name: 'Sam Reed', email: 'OTHER@elsewhere.example' })
    const company = edits.addCompany({ name: 'Acme', domain: `https://www.${acme}/`, employees: 50, owner_id: owner })
    const ambiguous = edits.addCompany({ name: twin })
    const proven = edits.addCompany({ name: lone.toUpperCase(), customer: 'present' })
    const contact = edits.addContact({ company_id: company, first_name: 'Jo', last_name: 'Doe', email: `jo@${acme}` })
    edits.addContact({ company_id: company, first_name: 'Ada', last_name: 'Pike', email: `ada@${acme}`, title: 'CFO' })
    const deal = edits.addDeal({ company_id: company, contact_ids: [contact] })
    const made = await scene(service, {
      accounts: [acme, beta, ...names],
      people: [{ given_email: `jo@${acme}`, full_name: 'Joanna Doe' }],
    })
    const { client, workspaceId, ids } = made
    await connect(client, provider)
    await service.run(pullCrms, {})
    const [sync] = await client.expect(200, 'GET', '/v1/crm/sync')
    assert.deepEqual([sync.state, sync.problem, sync.records.matched_companies], ['up_to_date', null, 2])
    assert.deepEqual(await matchOf(workspaceId, company), [ids[0], 'domain'])
    assert.deepEqual(await matchOf(workspaceId, ambiguous), [null, null])
    assert.deepEqual(await matchOf(workspaceId, proven), [ids[4], 'name'])
    const [me] = await client.expect(200, 'GET', '/v1/members')
    const account = await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)
    assert.deepEqual([account.employees, account.owner_id], [50, me.id])
    assert.equal((await relationOf(workspaceId, ids[0] as string))[0], 'open_deal')
    assert.equal((await relationOf(workspaceId, ids[4] as string))[0], 'customer')
    assert.deepEqual(await peopleOf(client, ids[0] as string), [
      ['Ada Pike', 'CFO', ['crm']],
      ['Joanna Doe', null, ['employee', 'crm']],
    ])

    edits.editCompany(company, { employees: 70 })
    edits.editDeal(deal, { state: 'lost', closes_on: '2026-10-02', lost_reason: 'Price' })
    const second = edits.addCompany({ name: 'Beta', domain: beta, customer: 'former' })
    edits.addContact({ company_id: second, first_name: 'Bo', last_name: 'Lind', email: `bo@${beta}` })
    const duplicate = edits.addCompany({ name: 'Beta again', domain: beta })
    edits.addDeal({ company_id: duplicate, state: 'won', closes_on: '2026-09-01' })
    await pull(client, provider)
    assert.equal((await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)).employees, 70)
    assert.deepEqual(await relationOf(workspaceId, ids[0] as string), ['lost_deal', '2026-10-02', 'Price'])
    assert.deepEqual(await relationOf(workspaceId, ids[1] as string), ['former_customer', '2026-09-01', null])
    const kept = edits.merge('company', second, duplicate)
    edits.delete('deal', deal)
    await pull(client, provider)
    assert.equal((await matchOf(workspaceId, kept))?.[0], ids[1])
    assert.deepEqual(await relationOf(workspaceId, ids[1] as string), ['former_customer', '2026-09-01', null])
    assert.deepEqual(await relationOf(workspaceId, ids[0] as string), ['none', null, null])
    const link = await db
      .selectFrom('crm_companies')
      .select(['crm_id'])
      .where('workspace_id', '=', workspaceId)
      .where('account_id', '=', ids[1] as string)
      .executeTakeFirst()
    assert.equal(link?.crm_id, kept, 'a push updates the surviving company')
    assert.deepEqual(await peopleOf(client, ids[1] as string), [['Bo Lind', null, ['crm']]])
  })

  test(`${provider}: a revoked token pauses with one message, and nothing is lost after connecting again`, async () => {
    const acme = site('revoked')
    const { client, workspaceId, ids, read } = await connected(provider, [acme])
    const { vendor } = crms[provider]
    vendor.oauth.expireAll()
    const company = edits.addCompany({ name: 'Later', domain: acme, customer: 'present' })
    const sync = await read()
    assert.deepEqual([sync.state, sync.next_at], ['reconnect', null])
    const { crm } = await client.expect(200, 'GET', '/v1/integrations')
    assert.equal(crm.problem, sync.problem)
    assert.match(sync.problem, /Connect it again/)
    const calls = vendor.calls.length
    await read()
    assert.equal(vendor.calls.length, calls, 'no further call')
    await connect(client, provider)
    await service.run(pullCrms, {})
    const [after] = await client.expect(200, 'GET', '/v1/crm/sync')
    assert.deepEqual([after.state, after.problem, after.failures], ['up_to_date', null, []])
    assert.deepEqual(await matchOf(workspaceId, company), [ids[0], 'domain'])
  })

  test(`${provider}: what the connection may not read is named, the rest is read, and pushing goes on`, async () => {
    const acme = site('rights')
    const owner_id = edits.addOwner({ name: 'Sam Reed', email: 'OTHER@elsewhere.example' })
    const company = edits.addCompany({ name: 'Acme', domain: acme, owner_id })
    edits.addDeal({ company_id: company })
    crms[provider].withhold('deals')
    const { client, workspaceId, ids, read } = await connected(provider, [acme])
    const sync = await read()
    assert.deepEqual([sync.state, sync.missing_rights.length, sync.records.deals], ['limited', 1, 0])
    assert.equal(sync.records.matched_companies, 1)
    const pushed = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
    const same = [...edits.contents().company.values()].filter(({ domain }) => domain === acme)
    assert.deepEqual([pushed.pushed, same.length], [1, 1], 'it updates the company that was read')
    crms[provider].give()
    const complete = await read()
    assert.equal(complete.state, 'up_to_date')
    assert.equal((await relationOf(workspaceId, ids[0] as string))[0], 'open_deal')
    const ownerOf = async () => (await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)).owner_id
    const owner = await ownerOf()
    crms[provider].withhold('owners')
    const limited = await read()
    crms[provider].give()
    assert.deepEqual([limited.state, limited.records], ['limited', complete.records])
    assert.deepEqual([typeof owner, await ownerOf()], ['string', owner])
  })
}

const { edits } = crms.crm_one

test('a value or an owner that a member chose stays, and the workspace chooses who wins for the others', async () => {
  const acme = site('typed')
  const company = edits.addCompany({ name: 'Acme', domain: acme, employees: 50, country: 'DE' })
  const { client, ids, read } = await connected('crm_one', [acme])
  const account = (changes?: object) =>
    changes
      ? client.expect(200, 'PATCH', `/v1/accounts/${ids[0]}`, changes)
      : client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)
  await account({ employees: 55 })
  const [admin] = await client.expect(200, 'GET', '/v1/members')
  const fields = { name: 'Rep', email: `${acme}@team.example`, role: 'member' }
  const rep = await client.expect(201, 'POST', '/v1/members', fields)
  edits.editCompany(company, {
    ...{ employees: 90, country: 'FR' },
    owner_id: edits.addOwner({ name: 'Rep', email: fields.email }),
  })
  await read()
  const first = await account()
  assert.deepEqual([first.employees, first.country, first.owner_id], [55, 'France', rep.id])
  await account({ owner_id: rep.id })
  edits.editCompany(company, { owner_id: edits.addOwner({ name: 'Other', email: admin.email }) })
  await read()
  assert.equal((await account()).owner_id, rep.id, 'a member has confirmed the owner')
  await account({ owner_id: admin.id })
  edits.editCompany(company, { employees: 91 })
  await read()
  assert.deepEqual([(await account()).owner_id, (await account()).employees], [admin.id, 55])
  const choose = (country: string) =>
    client.expect(200, 'PATCH', '/v1/crm/sync/crm_one', { field_sources: { country } })
  await choose('research')
  assert.equal((await account()).country, null)
  await choose('crm')
  assert.equal((await account()).country, 'France')
  assert.equal((await account({ employees: null })).employees, 91, 'a reset value is that of the CRM')
})

test('a value of the CRM changes the score soon after it was read, and so does the choice of the field', async () => {
  const acme = site('fit')
  const company = edits.addCompany({ name: 'Acme', domain: acme, employees: 500 })
  const { client, ids, read } = await connected('crm_one', [acme])
  const content_md = '- Employees: 200 to 1000'
  await client.expect(201, 'POST', '/v1/knowledge-base', { type: 'icp', title: 'ICP', content_md })
  const fit = async () => {
    const queued = await sql`delete from pgboss.job where name = ${rescoreAccounts.name} returning id`.execute(db)
    if (queued.rows.length > 0) await service.run(rescoreAccounts, {})
    return (await client.expect(200, 'GET', `/v1/accounts/${ids[0]}/score`)).score
  }
  const first = await fit()
  edits.editCompany(company, { employees: 12 })
  await read()
  const small = await fit()
  assert.ok(small < first, `${first} ${small}`)
  await client.expect(200, 'PATCH', '/v1/crm/sync/crm_one', { field_sources: { employees: 'research' } })
  const unknown = await fit()
  assert.ok(unknown > small, `${small} ${unknown}`)
})

test('deals that were read without their companies are read again when the right to read companies is given', async () => {
  const acme = site('unlinked')
  const modified_at = Date.now() - 86_400_000
  edits.addDeal({ company_id: edits.addCompany({ name: 'Acme', domain: acme }), modified_at })
  const { missingScopes } = crms.crm_one.vendor
  missingScopes.add('crm.objects.companies.read')
  const { workspaceId, ids, read } = await connected('crm_one', [acme])
  const { state, records } = await read()
  assert.deepEqual([state, records.companies, records.deals > 0], ['limited', 0, true])
  missingScopes.clear()
  await read()
  assert.equal((await relationOf(workspaceId, ids[0] as string))[0], 'open_deal')
})

test('of two records of an account one provides the values until it has none; deals decide on the relationship', async () => {
  const [acme, lost] = [site('twice'), site('lost')]
  const reps = await Promise.all(['a', 'b'].map(async (name) => ({ name, email: `${name}-${acme}@team.example` })))
  const owners = reps.map((rep) => edits.addOwner(rep))
  const entry = (at: number) => ({ name: 'Acme', domain: acme, employees: 50 + at, owner_id: owners[at] as string })
  const records = [0, 1].map((at) => edits.addCompany({ ...entry(at), customer: 'former' }))
  edits.addDeal({ company_id: records[0] as string })
  const late = edits.addCompany({ name: 'Lost', domain: lost })
  edits.addDeal({ company_id: late, state: 'lost', closes_on: '2199-01-01' })
  const { client, workspaceId, ids, read } = await connected('crm_one', [acme, lost])
  assert.equal((await relationOf(workspaceId, ids[0] as string))[0], 'open_deal', 'a former customer is won back')
  const [kind, on] = await relationOf(workspaceId, ids[1] as string)
  assert.equal(kind, 'lost_deal')
  assert.ok(String(on) < '2199', 'it was not lost in the future')
  const [admin] = await client.expect(200, 'GET', '/v1/members')
  const members = []
  for (const rep of reps) members.push(await client.expect(201, 'POST', '/v1/members', { ...rep, role: 'member' }))
  await read()
  const values = async () => {
    const { employees, owner_id } = await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)
    return [employees, owner_id]
  }
  const before = await values()
  const used = members.findIndex(({ id }) => id === before[1])
  assert.equal(before[0], 50 + used)
  edits.editCompany(records[1 - used] as string, { name: 'Acme again' })
  await read()
  assert.deepEqual(await values(), before, 'a change of the other record')
  edits.editCompany(records[used] as string, { employees: 77, owner_id: owners[1 - used] as string })
  await read()
  const after = [77, members[1 - used]?.id]
  assert.deepEqual(await values(), after)
  // A member chooses the owner whom the CRM names later.
  await client.expect(200, 'PATCH', `/v1/accounts/${ids[0]}`, { owner_id: admin.id })
  await read()
  await client.expect(200, 'PATCH', `/v1/accounts/${ids[0]}`, { owner_id: before[1] })
  for (const owner of [used, 1 - used]) {
    edits.editCompany(records[used] as string, { owner_id: owners[owner] as string })
    await read()
    assert.deepEqual(await values(), [77, before[1]], 'the choice of the member')
  }
})

test('what the service wrote to the CRM is no value of a person', async () => {
  const acme = site('written')
  const { client, ids, read } = await connected('crm_one', [acme])
  await client.expect(200, 'PATCH', `/v1/accounts/${ids[0]}`, { employees: 12 })
  await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  await client.expect(200, 'PATCH', `/v1/accounts/${ids[0]}`, { employees: null })
  await read()
  const account = () => client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)
  assert.equal((await account()).employees, null)
  // Another field of the service, which the workspace has mapped to the field of the description.
  const fields = [
    { field: 'description', target: null },
    { field: 'why_now', target: 'description' },
  ]
  await client.expect(200, 'PUT', '/v1/crm/mapping/crm_one', { companies: { fields }, contacts: { fields: [] } })
  await db
    .updateTable('accounts')
    .set({ why_now_md: 'They raised money.' })
    .where('id', '=', ids[0] as string)
    .execute()
  await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  const written = [...crms.crm_one.vendor.records.companies.values()].map(({ properties }) => properties.description)
  assert.ok(written.includes('They raised money.'))
  await read()
  assert.equal((await account()).short_description, null)
})

test('what the service read from the CRM never counts as written by it', async () => {
  const acme = site('adopted')
  const company = edits.addCompany({ name: 'Acme', domain: acme, employees: 250 })
  const { client, workspaceId, ids, read } = await connected('crm_one', [acme])
  await db.updateTable('accounts').set({ employees: 90 }).where('workspace_id', '=', workspaceId).execute()
  const push = () => client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  await read()
  // The first push adds the key of the service, by which the second knows the record.
  for (let round = 0; round < 3; round++) {
    await push()
    await push()
    edits.editCompany(company, { name: `Acme ${round}` })
    await read()
    assert.equal((await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)).employees, 250)
  }
  assert.equal(crms.crm_one.vendor.records.companies.get(company)?.properties.numberofemployees, '250')
})

test('an erased person does not return, and one who was deleted in the CRM is marked', async () => {
  const [acme, beta] = [site('erased'), site('erased-too')]
  const company = edits.addCompany({ name: 'Acme', domain: acme })
  crms.crm_one.vendor.edit('companies', company, { description: 'Parts. Run by Ada Quill.' })
  const elsewhere = edits.addCompany({ name: 'No account' })
  const person = { company_id: company, first_name: 'Ada', last_name: 'Quill', email: `ada@${acme}` }
  const contact = edits.addContact(person)
  const too = edits.addCompany({ name: 'Beta', domain: beta })
  edits.addContact({ ...person, company_id: too, first_name: 'A.' })
  const second = edits.addContact({ company_id: company, first_name: 'Bo', last_name: 'Lind', email: `bo@${acme}` })
  const { client, workspaceId, ids, read } = await connected('crm_one', [acme, beta])
  const people = await client.expect(200, 'GET', `/v1/people?account_id=${ids[0]}&sort=full_name&order=asc`)
  const { crm_contacts } = await client.expect(200, 'GET', `/v1/people/${people[0].id}/export`)
  assert.deepEqual([crm_contacts[0].crm_id, crm_contacts[0].email], [contact, person.email])
  await client.expect(200, 'DELETE', `/v1/people/${people[0].id}`)
  const texts = async () => {
    const companies = db
      .selectFrom('pulled_companies')
      .select('fields')
      .where('account_id', '=', ids[0] as string)
    const account = await db
      .selectFrom('accounts')
      .select('crm_fields')
      .where('id', '=', ids[0] as string)
      .execute()
    return JSON.stringify([await companies.execute(), account])
  }
  assert.ok(!(await texts()).includes('Quill') && (await texts()).includes('Parts. Run by'))
  assert.deepEqual(await peopleOf(client, ids[1] as string), [], 'the same email at another account')
  crms.crm_one.vendor.edit('companies', company, { description: 'Parts. Run by Ada Quill!' })
  edits.editContact(contact, { title: 'CFO' })
  edits.addDeal({ company_id: company, name: 'Ada Quill: renewal', state: 'lost', lost_reason: 'Ada Quill left' })
  edits.addContact({ ...person, title: 'again' })
  edits.addContact({ ...person, company_id: elsewhere, first_name: 'A.' })
  edits.delete('contact', second)
  await read()
  const survivor = edits.addContact({ ...person, email: `quill@${beta}`, company_id: too })
  edits.merge('contact', survivor, contact)
  await read()
  assert.deepEqual(await peopleOf(client, ids[1] as string), [], 'merged with another contact')
  assert.deepEqual(await peopleOf(client, ids[0] as string), [['Bo Lind', null, ['crm']]])
  const stored = await db.selectFrom('pulled_contacts').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.ok(!JSON.stringify(stored).includes('Quill') && !JSON.stringify(stored).includes(person.email))
  const deals = await db.selectFrom('pulled_deals').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.ok(!JSON.stringify(deals).includes('Quill') && !(await texts()).includes('Quill'))
  const marked = () =>
    db.selectFrom('people').select('crm_deleted_on').where('workspace_id', '=', workspaceId).executeTakeFirstOrThrow()
  assert.notEqual((await marked()).crm_deleted_on, null)
})

test('a contact who changes company leaves the old account, and namesakes with different emails are two people', async () => {
  const [acme, beta] = [site('from'), site('to')]
  const from = edits.addCompany({ name: 'From', domain: acme })
  const to = edits.addCompany({ name: 'To', domain: beta })
  const ada = { first_name: 'Ada', last_name: 'Pike', email: `ada@${acme}`, title: 'CFO' }
  const contact = edits.addContact({ ...ada, company_id: from })
  edits.addContact({ ...ada, company_id: from, email: `ada2@${acme}` })
  const { client, workspaceId, ids, read } = await connected('crm_one', [acme, beta])
  const people = (id: string | undefined) =>
    client.expect(200, 'GET', `/v1/people?account_id=${id}&sort=created_at&order=asc`)
  assert.equal((await people(ids[0])).length, 2)
  edits.editContact(contact, { company_id: to, last_name: 'Quill' })
  await read()
  const left = (await people(ids[0])).filter(({ left_on }: { left_on: string | null }) => left_on !== null)
  const [moved] = await people(ids[1])
  assert.deepEqual([left.length, moved.full_name], [1, 'Ada Quill'])
  const links = await db
    .selectFrom('crm_contacts')
    .select('person_id')
    .where('workspace_id', '=', workspaceId)
    .where('crm_id', '=', contact)
    .execute()
  assert.deepEqual(links, [{ person_id: moved.id }])
  edits.editContact(contact, { title: '' })
  await read()
  assert.equal((await people(ids[1]))[0].title, null, 'a value that was cleared in the CRM')
  edits.editContact(contact, { company_id: null })
  await read()
  assert.notEqual((await people(ids[1]))[0].left_on, null, 'without a company')
  edits.editContact(contact, { company_id: to })
  await read()
  const back = await people(ids[1])
  assert.deepEqual([back.length, back[0].left_on], [1, null])
})

test('a contact of a won deal who changes company in the CRM is a move in Today, once, unless companies were merged', async () => {
  const [acme, beta, gamma] = [site('left'), site('joined'), site('merging')]
  const [from, to, other] = [acme, beta, gamma].map((domain) => edits.addCompany({ name: domain, domain }))
  const ada = { first_name: 'Ada', last_name: 'Pike', email: `ada@${acme}`, title: 'CFO' }
  const contact = edits.addContact({ ...ada, company_id: from as string })
  const reused = edits.addContact({ ...ada, first_name: 'Bo', email: `bo@${acme}`, company_id: from as string })
  edits.addContact({ ...ada, first_name: 'Cy', email: `cy@${gamma}`, company_id: other as string })
  edits.addDeal({ company_id: from as string, contact_ids: [contact], state: 'won', closes_on: '2025-03-14' })
  const { client, ids, read } = await connected('crm_one', [acme, beta, gamma])
  for (const id of ids) await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  edits.editContact(contact, { company_id: to as string, email: `ada@${beta}`, title: 'COO' })
  edits.editContact(reused, { company_id: to as string, first_name: 'Di', email: `di@${beta}` })
  edits.merge('company', to as string, other as string)
  await read()
  const queue = () => client.expect(200, 'GET', '/v1/work-items')
  const [item, ...others] = await queue()
  assert.deepEqual([item.account.id, item.total_events, others], [ids[1], 1, []])
  assert.deepEqual([item.events[0].kind, item.events[0].source_url], ['move', 'HubSpot'])
  const champion = item.factors.find(({ name }: { name: string }) => name === 'champion')
  assert.match(champion?.why, /^Ada Pike, your contact at .* \(customer, won March 2025\), is now COO here$/)
  const people = (await Promise.all(ids.map((id) => client.expect(200, 'GET', `/v1/people?account_id=${id}`)))).flat()
  const moves = async () =>
    (await Promise.all(people.map(({ id }) => client.expect(200, 'GET', `/v1/people/${id}/export`)))).flatMap(
      (one) => one.moves,
    )
  assert.equal((await moves()).length, 1)
  // Corrected, and changed again.
  for (const company_id of [from, to]) {
    edits.editContact(contact, { company_id: company_id as string })
    await read()
  }
  assert.deepEqual([(await moves()).length, (await queue())[0].total_events], [1, 1])
})

test('a contact that was pushed is the same person after a change of name and email, and its values stay ours', async () => {
  const acme = site('pushed')
  const made = await scene(service, {
    accounts: [acme],
    people: ['Ada', 'Bo'].map((name) => ({
      full_name: `${name} Pike`,
      title: 'CFO',
      email: `${name}@${acme}`.toLowerCase(),
    })),
  })
  const { client, ids } = made
  await connect(client, 'crm_one')
  await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: made.people.map(({ id }) => id) })
  const [id] = [...edits.contents().contact].find(([, { email }]) => email === `ada@${acme}`) ?? []
  edits.editContact(id as string, { last_name: 'Quill', email: `ada.quill@${acme}` })
  await pull(client, 'crm_one')
  assert.deepEqual(await peopleOf(client, ids[0] as string), [
    ['Ada Pike', 'CFO', ['employee', 'crm']],
    ['Bo Pike', 'CFO', ['employee']],
  ])
})

test('a company with a corrected domain, or merged with that of another account, has one account', async () => {
  const [acme, beta, gamma] = [site('wrong'), site('right'), site('merged')]
  const company = edits.addCompany({ name: 'Acme', domain: acme, customer: 'present' })
  const other = edits.addCompany({ name: 'Gamma', domain: gamma })
  edits.addContact({ company_id: company, first_name: 'Ada', last_name: 'Pike', email: `ada@${beta}` })
  const { client, workspaceId, ids, read } = await connected('crm_one', [acme, beta, gamma])
  edits.editCompany(company, { domain: beta })
  await read()
  assert.deepEqual(await matchOf(workspaceId, company), [ids[1], 'domain'])
  assert.deepEqual(await Promise.all(ids.map(async (id) => (await relationOf(workspaceId, id))[0])), [
    ...['none', 'customer', 'none'],
  ])
  assert.deepEqual(await peopleOf(client, ids[1] as string), [['Ada Pike', null, ['crm']]])
  edits.merge('company', company, other)
  await read()
  const links = await db
    .selectFrom('crm_companies')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.deepEqual(links, [{ account_id: ids[1] }])
})

test('rules add companies as accounts, after a preview, and only in their workspace', async () => {
  const [customer, open, plain] = [site('customer'), site('open'), site('plain')]
  const before = await connected('crm_one', [])
  const preview = () => before.client.expect(200, 'GET', '/v1/crm/sync/crm_one/account-preview')
  const known = await preview()
  edits.addCompany({ name: 'Customer', domain: customer, customer: 'present' })
  edits.addDeal({ company_id: edits.addCompany({ name: 'Open', domain: open }) })
  edits.addCompany({ name: 'Plain', domain: plain })
  edits.addCompany({ name: 'Shared', domain: 'gmail.com', customer: 'present' })
  await before.read()
  const now = await preview()
  assert.deepEqual([now.customers - known.customers, now.open_deals - known.open_deals], [1, 1])
  await before.client.expect(200, 'PATCH', '/v1/crm/sync/crm_one', { account_rules: ['customers'] })
  await before.read()
  const accounts = await before.client.expect(200, 'GET', '/v1/accounts?status=new&per_page=100')
  const domains = accounts.map(({ domain }: { domain: string }) => domain)
  assert.deepEqual([domains.includes(customer), domains.includes(open), domains.includes(plain)], [true, false, false])
  const { id } = accounts.find(({ domain }: { domain: string }) => domain === customer)
  assert.equal((await before.client.expect(200, 'GET', `/v1/accounts/${id}`)).source, 'crm')
  await before.client.expect(200, 'DELETE', `/v1/accounts/${id}`)
  await before.read()
  const left = await before.client.expect(200, 'GET', `/v1/accounts?search=${customer}`)
  assert.deepEqual(left, [], 'a deleted account does not return')
  const { client: stranger } = await service.stranger()
  assert.deepEqual(await stranger.expect(200, 'GET', '/v1/crm/sync'), [])
  refused(await stranger.patch('/v1/crm/sync/crm_one', { is_paused: true }), 404, 'not_found')
})

test('disconnecting keeps the records that were read, or removes them with what only they provide', async () => {
  const acme = site('gone')
  const company = edits.addCompany({ name: 'Acme', domain: acme, employees: 50, customer: 'present' })
  edits.addContact({ company_id: company, first_name: 'Ada', last_name: 'Pike', email: `ada@${acme}` })
  const { client, workspaceId, ids } = await connected('crm_one', [acme])
  await client.expect(200, 'DELETE', '/v1/connections/crm_one')
  const [kept] = await client.expect(200, 'GET', '/v1/crm/sync')
  assert.deepEqual([kept.state, kept.records.matched_companies], ['disconnected', 1])
  assert.equal((await relationOf(workspaceId, ids[0] as string))[0], 'customer')
  await client.expect(200, 'DELETE', '/v1/connections/crm_one?records=remove')
  assert.deepEqual(await client.expect(200, 'GET', '/v1/crm/sync'), [])
  assert.equal((await relationOf(workspaceId, ids[0] as string))[0], 'none')
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)).employees, null)
  assert.deepEqual(await peopleOf(client, ids[0] as string), [])
  refused(await client.delete('/v1/connections/crm_one?records=remove'), 404, 'not_found')
})

test('a full read again marks what the CRM no longer has', async () => {
  const acme = site('resync')
  const modified_at = Date.now() - 86_400_000
  const company = edits.addCompany({ name: 'Acme', domain: acme, customer: 'present', modified_at })
  const { client, workspaceId, ids, read } = await connected('crm_one', [acme])
  const { companies } = crms.crm_one.vendor.records
  const record = companies.get(company)
  assert.ok(record)
  // Without a trace, as after the time for which a CRM lists deletions. The emulator lists its records again after a write.
  const forget = () => companies.delete(company) && edits.addCompany({ name: 'Another' })
  forget()
  const started = await client.expect(200, 'POST', '/v1/crm/sync/crm_one/resync')
  assert.equal(started.state, 'reading')
  await service.run(pullCrms, {})
  const relation = async () => (await relationOf(workspaceId, ids[0] as string))[0]
  assert.equal(await relation(), 'none')
  companies.set(company, record)
  edits.addCompany({ name: 'Another' })
  await client.expect(200, 'POST', '/v1/crm/sync/crm_one/resync')
  await service.run(pullCrms, {})
  assert.equal(await relation(), 'customer', 'a restored record has its former date')
  forget()
  await read()
  assert.equal(await relation(), 'customer')
  // The CRM has forgotten deletions since.
  const finished_at = new Date(Date.now() - 15 * 86_400_000).toISOString()
  await db.updateTable('crm_syncs').set({ finished_at }).where('workspace_id', '=', workspaceId).execute()
  await read()
  assert.equal(await relation(), 'none')
})

test('one CRM that cannot be opened stops no other, and each is leased only while it is read', async () => {
  const { client, workspaceId } = await scene(service, {})
  for (const provider of PROVIDERS) await connect(client, provider)
  await db
    .updateTable('connections')
    .set({ credential_sealed: Buffer.from('unreadable') })
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', 'crm_one')
    .execute()
  const leased = async () => {
    const syncs = await client.expect(200, 'GET', '/v1/crm/sync')
    return syncs.filter(({ is_running }: { is_running: boolean }) => is_running).length
  }
  const counts: number[] = []
  const progressed = async () => void counts.push(await leased())
  await pullCrms.run(service.deps, {}, { signal: new AbortController().signal, attempt: 0, progressed })
  const syncs = await client.expect(200, 'GET', '/v1/crm/sync')
  assert.deepEqual(
    syncs.map(({ state }: { state: string }) => state),
    ['retrying', 'up_to_date'],
  )
  assert.equal(Math.max(...counts), 1)
})

test('a worker that dies between pages loses and repeats nothing', async () => {
  seedCrm(edits, { owners: 1, companies: 230, contacts: 230, deals: 30 })
  const { client } = await service.stranger()
  await connect(client, 'crm_one')
  const state = async () => (await client.expect(200, 'GET', '/v1/crm/sync'))[0]
  let workers = 0
  for (; (await state()).state !== 'up_to_date' && workers < 50; workers++) {
    const dying = new AbortController()
    let pages = 0
    const progressed = async () => void (++pages === 7 && dying.abort())
    await pullCrms.run(service.deps, {}, { signal: dying.signal, attempt: 0, progressed })
  }
  assert.ok(workers > 1 && workers < 50, `${workers} workers`)
  const { company, contact, deal } = edits.contents()
  const { companies, contacts, deals } = (await state()).records
  assert.deepEqual([companies, contacts, deals], [company.size, contact.size, deal.size])

  await client.expect(200, 'POST', '/v1/crm/sync/crm_one/resync')
  const { missingScopes } = crms.crm_one.vendor
  const progressed = async () => void missingScopes.add('crm.objects.companies.read')
  await pullCrms.run(service.deps, {}, { signal: new AbortController().signal, attempt: 0, progressed })
  missingScopes.clear()
  const limited = await state()
  assert.deepEqual([limited.state, limited.records.companies], ['limited', company.size], 'a right that is withdrawn')
})

// The last test, because further calls to the hosts would be held back.
test('a CRM that asks for a long pause is read again after it, within a day', async () => {
  for (const [provider, asked, hours] of [
    ['crm_one', 7_200, 2],
    ['crm_two', 999_999, 24],
  ] as const) {
    const { client } = await scene(service, {})
    await connect(client, provider)
    const answer = { status: 503, headers: { 'retry-after': String(asked) }, body: '' }
    crms[provider].vendor.fail({ path: provider === 'crm_one' ? /\/companies/ : /\/queryAll/, answer })
    const before = Date.now()
    await service.run(pullCrms, {})
    const [sync] = await client.expect(200, 'GET', '/v1/crm/sync')
    assert.equal(sync.state, 'retrying')
    const wait = (Date.parse(sync.next_at) - before) / 3_600_000
    assert.ok(wait > hours - 0.1 && wait < hours + 0.1, `${wait}`)
  }
})

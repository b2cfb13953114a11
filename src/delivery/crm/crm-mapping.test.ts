import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EmulatedCrm, startCrms } from '../../../test/support/crm.ts'

/** Where a push writes a field, what a dry run says about it, and records that were pulled before. */
const { hubspot, salesforce, service, connected, crms } = await startCrms({ searchLagMs: 0 })
const { db } = service.deps

const crmOf = { crm_one: hubspot, crm_two: salesforce }
const addProperty = (name: string) =>
  hubspot.properties.companies.set(name, {
    ...{ name, label: 'Lead note', type: 'string', fieldType: 'textarea', groupName: 'information' },
    hasUniqueValue: false,
  })
addProperty('lead_note')

/** A field of the CRM for the reason to act now, which people fill too. */
const NOTE = { crm_one: 'lead_note', crm_two: 'Description' }
const changes = (companies: Record<string, string | null>, contacts: Record<string, string | null> = {}) => {
  const fields = (targets: object) => Object.entries(targets).map(([field, target]) => ({ field, target }))
  return { companies: { fields: fields(companies) }, contacts: { fields: fields(contacts) } }
}
const FREED = { crm_one: {}, crm_two: { description: null } }
const MAPPING = {
  crm_one: changes({ why_now: 'lead_note', score: null }, { title: null }),
  crm_two: changes({ why_now: 'Description', ...FREED.crm_two, score: null }, { title: null }),
}
const DEFAULT = {
  crm_one: { why: 'bellwether_why_now', score: 'bellwether_score', title: 'jobtitle', phone: 'phone' },
  crm_two: { why: 'Bellwether_Why_Now__c', score: 'Bellwether_Score__c', title: 'Title', phone: 'Phone' },
}

const add = (provider: EmulatedCrm, what: 'company' | 'contact', values: Record<string, string>) =>
  provider === 'crm_one'
    ? hubspot.add(what === 'company' ? 'companies' : 'contacts', values)
    : salesforce.add(what === 'company' ? 'Account' : 'Contact', values)
const edit = (provider: EmulatedCrm, what: 'company' | 'contact', id: string, values: Record<string, string>) =>
  provider === 'crm_one'
    ? hubspot.edit(what === 'company' ? 'companies' : 'contacts', id, values)
    : salesforce.edit(what === 'company' ? 'Account' : 'Contact', id, values)
const contents = (provider: EmulatedCrm) =>
  provider === 'crm_one'
    ? structuredClone([hubspot.records, hubspot.properties, hubspot.associations])
    : structuredClone([salesforce.records, salesforce.fields])

/** Records of the CRM, as a pull stores them. */
async function pulled(workspaceId: string, provider: EmulatedCrm) {
  const portal = provider === 'crm_one' ? String(hubspot.portalId) : salesforce.orgId
  await db
    .insertInto('crm_syncs')
    .values({ workspace_id: workspaceId, provider, portal })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const common = { workspace_id: workspaceId, provider, modified_at: new Date() }
  return {
    company: (crm_id: string, account_id: string | null, more: object = {}) =>
      db
        .insertInto('pulled_companies')
        .values({ ...common, crm_id, name: 'Acme', account_id, matched_by: account_id ? 'name' : null, ...more })
        .execute(),
    contact: (crm_id: string, person_id: string) =>
      db
        .insertInto('pulled_contacts')
        .values({ ...common, crm_id, person_id })
        .execute(),
  }
}

type Previewed = {
  id: string
  action: 'create' | 'update' | 'nothing' | 'skip'
  crm_id: string | null
  fields: { field: string; target: string; action: string; after: string | null; reason: string | null }[]
}

for (const provider of ['crm_one', 'crm_two'] as const) {
  const crm = crms[provider]
  const field = DEFAULT[provider]
  const path = `/v1/crm/mapping/${provider}`

  test(`${crm.label}: a dry run says what the push then does, and writes nothing, not even fields`, async () => {
    const people = [{ full_name: 'Known Person' }, { full_name: 'New Person' }, { full_name: 'Typed Person' }]
    const { client, workspaceId, domains, ids, contact_ids } = await connected([provider], { accounts: 3, people })
    const [, known, typed] = domains as [string, string, string]
    await db
      .updateTable('accounts')
      .set({ score: 72, why_now_md: 'Raised money' })
      .where('workspace_id', '=', workspaceId)
      .execute()
    await client.expect(200, 'PUT', path, MAPPING[provider])
    const site = provider === 'crm_one' ? 'domain' : 'Website'
    const name = provider === 'crm_one' ? 'name' : 'Name'
    add(provider, 'company', { [site]: known, [name]: 'Known Inc' })
    add(provider, 'company', { [site]: typed, [name]: 'Typed Inc', [NOTE[provider]]: 'Call Ada first' })
    const preview = (object: string): Promise<Previewed[]> => client.expect(200, 'POST', `${path}/dry-run`, { object })

    const before = contents(provider)
    const [companies, contacts] = [await preview('companies'), await preview('contacts')]
    assert.deepEqual(contents(provider), before)
    const actions = new Map(companies.map(({ id, action }) => [id, action]))
    assert.deepEqual(
      ids.map((id) => actions.get(id)),
      ['create', 'update', 'update'],
    )
    const kept = companies.find(({ id }) => id === ids[2])?.fields.find((one) => one.field === 'why_now')
    assert.deepEqual([kept?.target, kept?.action, kept?.after], [NOTE[provider], 'kept', 'Call Ada first'])
    assert.match(kept?.reason ?? '', /filled in/)
    assert.deepEqual(
      contacts.map(({ action }) => action),
      ['create', 'create', 'create'],
    )

    const atCompanies = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
    const atContacts = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids })
    for (const { accountId, created } of atCompanies.results) assert.equal(created, actions.get(accountId) === 'create')
    assert.ok(atContacts.results.every(({ created }: { created: boolean }) => created))
    const written = new Map<string, Record<string, unknown> | undefined>([
      ...ids.map((id, at) => [id, crm.companies(domains[at] as string)[0]] as const),
      ...contact_ids.map((id, at) => [id, crm.contacts(`p${at}@${domains[0]}`)[0]] as const),
    ])
    for (const { id, fields } of [...companies, ...contacts]) {
      assert.ok(fields.length > 1)
      for (const { target, after } of fields) assert.equal(String(written.get(id)?.[target] ?? ''), after ?? '', target)
    }
    const again = [...(await preview('companies')), ...(await preview('contacts'))]
    assert.deepEqual([...new Set(again.map(({ action }) => action))], ['nothing'])
  })

  test(`${crm.label}: a field is written where it is mapped, not at all when off, and a person's value stays there`, async () => {
    const { client, workspaceId, domains, fields, personId } = await connected([provider])
    const say = async (why_now_md: string | null, country: string | null = null) => {
      await db
        .updateTable('accounts')
        .set({ score: 72, why_now_md, country })
        .where('workspace_id', '=', workspaceId)
        .execute()
      await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
      return crm.companies(domains[0] as string)[0]
    }
    const saved = await client.expect(200, 'PUT', path, MAPPING[provider])
    const whyNow = saved.companies.fields.find((one: { field: string }) => one.field === 'why_now')
    assert.deepEqual([whyNow.target, whyNow.is_shared], [NOTE[provider], true])
    assert.deepEqual(await client.expect(200, 'GET', path), saved)
    assert.deepEqual(await client.expect(200, 'PUT', path, saved), saved, 'it is written back as it was read')

    const first = await say('Raised money')
    assert.deepEqual([first?.[NOTE[provider]], first?.[field.why] || null], ['Raised money', null])
    const [contact] = crm.contacts(fields.email)
    assert.deepEqual([first?.[field.score] || null, contact?.[field.title] || null], [null, null])
    assert.equal((await say('Opened in Oslo'))?.[NOTE[provider]], 'Opened in Oslo')
    edit(provider, 'company', first?.id as string, { [NOTE[provider]]: 'Our own words' })
    assert.equal((await say('Hired a COO'))?.[NOTE[provider]], 'Our own words')

    edit(provider, 'company', first?.id as string, { [NOTE[provider]]: '' })
    assert.equal((await say('Hired a COO'))?.[NOTE[provider]], 'Hired a COO')
    assert.equal((await say(null))?.[NOTE[provider]] || null, null, 'what the service wrote is cleared')
    edit(provider, 'company', first?.id as string, { [NOTE[provider]]: 'Our own words' })
    assert.equal((await say(null))?.[NOTE[provider]], 'Our own words')

    await client.expect(200, 'PUT', path, changes({}))
    const back = await say('Hired a COO')
    assert.deepEqual([back?.[field.why], String(back?.[field.score])], ['Hired a COO', '72'])
    assert.equal(back?.[NOTE[provider]], 'Our own words')
    assert.equal(crm.contacts(fields.email)[0]?.[field.title], fields.title)

    // A person's value that equals that of the service by chance is still the person's.
    edit(provider, 'company', first?.id as string, { [NOTE[provider]]: 'France' })
    await client.expect(200, 'PUT', path, changes({ country: NOTE[provider], ...FREED[provider] }))
    await say(null, 'France')
    assert.equal((await say(null, 'Spain'))?.[NOTE[provider]], 'France')
  })

  test(`${crm.label}: a mapped field that was deleted there is left out and named; the rest is pushed`, async () => {
    const { client, workspaceId, ids, domains } = await connected([provider])
    const name = provider === 'crm_one' ? 'short_lived' : 'Short_Lived__c'
    if (provider === 'crm_one') addProperty(name)
    else salesforce.addField('Account', name, { type: 'LongTextArea', length: 32_000, label: 'Short lived' })
    await client.expect(200, 'PUT', path, changes({ why_now: name }))
    const push = async (score: number) => {
      await db
        .updateTable('accounts')
        .set({ score, why_now_md: `${score} reasons` })
        .where('workspace_id', '=', workspaceId)
        .execute()
      const { pushed, results } = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
      assert.equal(pushed, 1, JSON.stringify(results))
      return crm.companies(domains[0] as string)[0]
    }
    assert.equal((await push(1))?.[name], '1 reasons')
    if (provider === 'crm_one') hubspot.properties.companies.delete(name)
    else salesforce.fields.Account.delete(name)

    assert.equal(String((await push(2))?.[field.score]), '2')
    const [connection] = await client.expect(200, 'GET', '/v1/connections')
    assert.equal(connection.problem, null)
    const mapping = await client.expect(200, 'GET', path)
    const missing = mapping.companies.fields.filter((one: { is_missing: boolean }) => one.is_missing)
    assert.deepEqual(
      missing.map((one: { field: string; target: string }) => [one.field, one.target]),
      [['why_now', name]],
    )
    const [record] = await client.expect(200, 'POST', `${path}/dry-run`, { object: 'companies' })
    const marked = record.fields.find((one: { field: string }) => one.field === 'why_now')
    assert.deepEqual([marked.target, marked.action, marked.after], [name, 'missing', null])
    assert.match(marked.reason, /no longer has this field/)

    // Another field can be changed, and the missing one cannot be chosen for another.
    await client.expect(200, 'PUT', path, changes({ why_now: name }, { title: null }))
    await client.expect(400, 'PUT', path, changes({ why_now: name, country: name }))
    await client.expect(200, 'PUT', path, changes({}))
    assert.equal((await push(3))?.[field.why], '3 reasons')
  })

  test(`${crm.label}: a record that was pulled is updated by its id, and none is created next to it`, async () => {
    const { client, workspaceId, ids, domains, fields, personId } = await connected([provider], { accounts: 2 })
    const name = provider === 'crm_one' ? 'name' : 'Name'
    const last = provider === 'crm_one' ? 'lastname' : 'LastName'
    // Neither the domain nor the email finds them.
    const company = add(provider, 'company', { [name]: 'Acme Holding' })
    const contact = add(provider, 'contact', { [last]: 'Lindqvist' })
    const store = await pulled(workspaceId, provider)
    await store.company(company, ids[0] as string)
    await store.contact(contact, personId)
    const counts = () => [crm.companies(domains[0] as string).length, crm.contacts(fields.email).length]
    assert.deepEqual(counts(), [0, 0])
    const { results } = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    assert.deepEqual(results, [{ contactId: personId, provider, ok: true, created: false, error: null }])
    assert.deepEqual(counts(), [1, 1])
    assert.deepEqual(
      [crm.companies(domains[0] as string)[0]?.id, crm.contacts(fields.email)[0]?.id],
      [company, contact],
    )

    // The company that a push created was merged into another, which the next pull reported.
    await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: [ids[1]] })
    const created = crm.companies(domains[1] as string)[0]?.id as string
    const survivor = add(provider, 'company', { [name]: 'Survivor' })
    await store.company(created, null, { deleted_at: new Date(), merged_into: survivor })
    await store.company(survivor, ids[1] as string)
    await db.updateTable('accounts').set({ score: 41 }).where('workspace_id', '=', workspaceId).execute()
    const scoreOf = (id: string) =>
      provider === 'crm_one'
        ? hubspot.records.companies.get(id)?.properties[field.score]
        : salesforce.records.Account.get(id)?.[field.score]
    await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: [ids[1]] })
    assert.deepEqual([String(scoreOf(survivor)), String(scoreOf(created))], ['41', '0'])
  })

  test(`${crm.label}: a mapping the CRM cannot take is refused, field by field`, async () => {
    const { client } = await connected([provider])
    const mapping = await client.expect(200, 'GET', path)
    const names = mapping.companies.available.map((one: { name: string }) => one.name)
    assert.ok(names.includes(NOTE[provider]))
    assert.ok(!names.some((one: string) => /^(hs_object_id|Id|bellwether_id|Bellwether_Id__c|AccountId)$/.test(one)))
    const employees = mapping.companies.fields.find((one: { field: string }) => one.field === 'employees').target
    const refused = async (companies: Record<string, string | null>) => {
      const { error } = await client.put(path, changes(companies))
      return [error.code, error.details[0].path, error.details[0].message]
    }
    const other = 'must not be a field that another field is written to'
    assert.deepEqual(await refused({ name: NOTE[provider] }), [
      ...['invalid_request', 'companies.name', 'cannot be changed, because records are found by it'],
    ])
    assert.deepEqual(await refused({ domain: null }), [
      ...['invalid_request', 'companies.domain', 'cannot be changed, because records are found by it'],
    ])
    assert.deepEqual(await refused({ score: employees }), ['invalid_request', 'companies.score', other])
    assert.equal((await refused({ score: NOTE[provider] }))[2], 'must be a number field that can be written')
    assert.equal((await refused({ score: 'no_such_field' }))[2], `must be a field of ${crm.label}`)
    assert.equal((await refused({ shoe_size: null }))[2], 'is no field of the service')
    assert.deepEqual(await client.expect(200, 'GET', path), mapping)
    const other_crm = provider === 'crm_one' ? 'crm_two' : 'crm_one'
    await client.expect(409, 'GET', `/v1/crm/mapping/${other_crm}`)

    // Only a refused credential is one.
    const fails = async (status: number, code: string) => {
      const body = provider === 'crm_one' ? { message: 'No', category: 'VALIDATION_ERROR' } : [{ message: 'No' }]
      crmOf[provider].fail({
        path: /\/(properties|describe)/,
        answer: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      })
      assert.equal((await client.get(path)).error.code, code)
    }
    await fails(400, 'unavailable')
    await fails(403, 'credential_rejected')
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../test/support/client.ts'
import { type EmulatedCrm, startCrms } from '../../../test/support/crm.ts'
import { unique } from '../../../test/support/scene.ts'

const { hubspot, salesforce, service, connected, crms } = await startCrms()
const { db } = service.deps

const FIELD: Record<
  EmulatedCrm,
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

function edit(provider: EmulatedCrm, what: 'company' | 'contact', id: unknown, field: string, value: string) {
  if (provider === 'crm_one')
    hubspot.edit(what === 'company' ? 'companies' : 'contacts', id as string, { [field]: value })
  else salesforce.edit(what === 'company' ? 'Account' : 'Contact', id as string, { [field]: value })
}

/** A finding, and another one that a member marked as wrong. */
async function detect(client: Client, workspaceId: string, account_id: string) {
  // The claim contains no more than the signal, so the field contains its sentence.
  const [claim, quote] = ['Acme raised capital', 'Acme raised 20 million.']
  const evidence = [{ claim, quote, source_url: 'https://acme.example/news', published_date: '2026-11-01' }]
  const found = {
    ...{ workspace_id: workspaceId, id: crypto.randomUUID(), account_id, signal_id: 'funding', signal_present: true },
    ...{ detected_at: '2026-11-02', headline: 'Raised a round', alpha: 80, icp_fit: 50 },
    evidence: JSON.stringify(evidence),
  }
  const wrong = { ...found, id: crypto.randomUUID(), headline: 'Raised a barn' }
  await db.insertInto('signal_detections').values([found, wrong]).execute()
  await client.expect(200, 'PUT', `/v1/accounts/${account_id}/signals/${wrong.id}/feedback`, { verdict: 'wrong' })
  await db
    .updateTable('accounts')
    .set({ score: 72, why_now_md: '**They** have money to spend ([acme](https://acme.example/a)).' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', account_id)
    .execute()
}

for (const provider of ['crm_one', 'crm_two'] as const) {
  const crm = crms[provider]
  const field = FIELD[provider]

  test(`${crm.label}: the first push creates the company with its signals, then the contact at it`, async () => {
    const { client, workspaceId, domains, ids, fields, personId } = await connected([provider])
    await detect(client, workspaceId, ids[0] as string)
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    assert.deepEqual(answer, {
      ...{ pushed: 1, failed: 0, skippedNoEmail: 0, skipped: 0, providers: [provider] },
      results: [{ contactId: personId, provider, ok: true, created: true, error: null }],
      skipped_records: [],
    })
    const [company, ...others] = crm.companies(domains[0] as string)
    const [contact, ...more] = crm.contacts(fields.email)
    assert.deepEqual([others, more], [[], []])
    assert.equal(String(company?.[field.score]), '72')
    assert.equal(company?.[field.why], 'They have money to spend (acme https://acme.example/a).')
    assert.equal(company?.[field.signals], '2026-11-02 Raised a round')
    assert.equal(company?.[field.evidence], 'Acme raised 20 million. https://acme.example/news')
    assert.deepEqual([contact?.[field.title], contact?.[field.profile]], [fields.title, fields.network_url])
    assert.deepEqual(crm.companyOf(contact?.id as string), [company?.id])
  })

  test(`${crm.label}: the second push updates; nothing is there twice although the search lags`, async () => {
    const { client, workspaceId, domains, fields, personId, ids } = await connected([provider])
    await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    await detect(client, workspaceId, ids[0] as string)
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
    const { client, workspaceId, domains, fields, personId } = await connected([provider])
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
    const { client, domains, fields, personId } = await connected([provider])
    const [domain] = domains as [string]
    let company: string
    let contact: string
    if (provider === 'crm_one') {
      company = hubspot.add('companies', { name: 'Typed', domain })
      // Made long ago, so that a search sees it.
      for (const state of hubspot.records.companies.get(company)?.history ?? []) state.at = 0
      contact = hubspot.add('contacts', { email: fields.email, lastname: 'Typed' })
    } else {
      company = salesforce.add('Account', { Name: 'Typed', Website: `https://WWW.${domain}/` })
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
    const { client, workspaceId, personId, fields, save } = await connected([provider], { people: [{ email: null }] })
    const [unidentified] = await save([{ full_name: 'Nobody' }])
    const both = { contact_ids: [personId, unidentified?.id] }
    const first = await client.expect(200, 'POST', '/v1/people/crm-push', both)
    assert.deepEqual([first.pushed, first.failed, first.skippedNoEmail, first.results[0].created], [1, 0, 1, true])
    const message = 'It has neither an email nor a profile page to identify it by.'
    assert.deepEqual([first.skipped, first.skipped_records], [1, [{ id: unidentified?.id, message }]])
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

  test(`${crm.label}: a record deleted there is created again`, async () => {
    const { client, fields, personId } = await connected([provider])
    await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    const id = crm.contacts(fields.email)[0]?.id as string
    if (provider === 'crm_one') hubspot.delete('contacts', id)
    else salesforce.delete('Contact', id)
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
    assert.deepEqual([answer.pushed, answer.results[0].created], [1, true])
    assert.equal(crm.contacts(fields.email).length, 1)
  })

  test(`${crm.label}: two people of ours with one email are one contact there`, async () => {
    const { client, save, ids, fields, personId } = await connected([provider], { accounts: 2 })
    const [twin] = await save([{ account_id: ids[1] as string, full_name: 'Mara L.', email: fields.email }])
    const answer = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId, twin?.id] })
    assert.deepEqual([answer.pushed, answer.failed], [2, 0])
    assert.equal(crm.contacts(fields.email).length, 1)
  })

  test(`${crm.label}: two pushes of the same company at once make one company`, async () => {
    const { client, domains, ids, personId, fields } = await connected([provider])
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
    const { client, save, ids } = await connected([provider], { accounts: 20, people: [] })
    const people = await save(
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

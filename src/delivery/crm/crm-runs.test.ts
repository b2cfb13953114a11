import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hubspot } from '../../../sandbox/vendors/hubspot.ts'
import type { Salesforce } from '../../../sandbox/vendors/salesforce.ts'
import { refused } from '../../../test/support/client.ts'
import { startCrms } from '../../../test/support/crm.ts'
import { ended, idle } from '../../../test/support/eventually.ts'
import { unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { resumeDeliveries } from '../job.ts'

const { hubspot, salesforce, internet, service, connected, crms, credentials } = await startCrms()
const { db } = service.deps
/** A second service with short timeouts. */
const hasty = await testService({
  databaseUrl: service.databaseUrl,
  env: { ...internet.env, PUSH_INLINE_SECONDS: '6' },
})

test('a push without a provider goes to every connected CRM, one with a provider to that', async () => {
  const { client, domains, ids, personId, fields } = await connected(['crm_one', 'crm_two'])
  const one = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids, provider: 'crm_two' })
  assert.deepEqual(one, {
    ...{ pushed: 1, failed: 0, skipped: 0, providers: ['crm_two'] },
    results: [{ accountId: ids[0], provider: 'crm_two', ok: true, created: true, error: null }],
    skipped_records: [],
  })
  const both = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
  assert.deepEqual([both.pushed, both.failed, both.providers], [1, 0, ['crm_one', 'crm_two']])
  assert.equal(both.results.length, 2)
  for (const crm of Object.values(crms)) {
    assert.deepEqual([crm.companies(domains[0] as string).length, crm.contacts(fields.email).length], [1, 1])
  }
})

test('a CRM that never answers: every row is in failed with its reason, and is not pushed again without a retry', async () => {
  const { client, ids, personId, save } = await connected(['crm_one'])
  const [unidentified] = await save([{ account_id: ids[0] as string, full_name: 'Nobody' }])
  const { promise: later, resolve: answerNow } = Promise.withResolvers<void>()
  const write = /contacts\/batch\/upsert/
  const writes = () => hubspot.calls.filter(({ path }) => write.test(path)).length
  const before = writes()
  hubspot.hold(write, later)
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'Hasty' })
  const contact_ids = [personId, unidentified?.id, 'x']
  const answer = await hasty.as(key).expect(200, 'POST', '/v1/people/crm-push', { contact_ids })
  const { results, ...counts } = answer
  assert.deepEqual(counts, {
    ...{ pushed: 0, failed: 1, skipped: 2, skippedNoEmail: 1, providers: ['crm_one'] },
    skipped_records: [
      { id: unidentified?.id, message: 'It has neither an email nor a profile page to identify it by.' },
      { id: 'x', message: 'It is not an id.' },
    ],
  })
  const error = 'There was no time left to wait for HubSpot.'
  assert.deepEqual(results, [{ contactId: personId, provider: 'crm_one', ok: false, created: false, error }])
  answerNow()
  await service.deps.jobs.enqueue(db, resumeDeliveries, { idle: 0 })
  await idle(service)
  assert.equal(writes() - before, 1, 'what was reported as failed is not pushed again')
  const [{ id, status, failed }] = await client.expect(200, 'GET', '/v1/push-runs')
  assert.deepEqual([status, failed], ['failed', 1])
  await client.expect(200, 'POST', `/v1/push-runs/${id}/retry`)
  const run = await ended(client, `/v1/push-runs/${id}`)
  assert.deepEqual([run.status, run.sent, run.failed, run.skipped, run.total], ['completed', 1, 0, 2, 3])
  assert.deepEqual(run.skipped_sample, counts.skipped_records)
})

test('a few records are a run in the background on request', async () => {
  const { client, ids, personId } = await connected(['crm_one'])
  const prefer = { headers: { prefer: 'respond-async' } }
  const started = [
    await client.post('/v1/accounts/crm-push', { account_ids: ids, retry: true }),
    await client.post('/v1/people/crm-push', { contact_ids: [personId] }, prefer),
  ]
  for (const { status, data } of started) {
    const { run_id, ...rest } = data
    assert.deepEqual([status, rest], [202, { total: 1, status: 'running' }])
    assert.equal((await ended(client, `/v1/push-runs/${run_id}`)).sent, 1)
  }
})

test('without a connected CRM, or without the one named, a push is refused', async () => {
  const { client, ids, personId } = await connected([])
  refused(await client.post('/v1/accounts/crm-push', { account_ids: ids }), 409, 'crm_not_connected')
  refused(await client.post('/v1/people/crm-push', { contact_ids: [personId] }), 409, 'crm_not_connected')
  await client.expect(201, 'POST', '/v1/connections', credentials.crm_one)
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

test('an id that comes again, unknown, foreign and malformed ones are skipped; every id sent is counted', async () => {
  const { client, ids } = await connected(['crm_one'])
  const other = await connected([])
  const account_ids = [ids[0], ids[0]?.toUpperCase(), other.ids[0], '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87', 'x']
  const answer = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids })
  assert.deepEqual([answer.pushed, answer.failed, answer.skipped], [1, 0, 4])
  assert.equal(crms.crm_one.companies(other.domains[0] as string).length, 0)
})

test('a scoped member pushes only the people they may see', async () => {
  const { client, save, ids, personId, fields } = await connected(['crm_one'])
  const member = await client.expect(201, 'POST', '/v1/members', {
    name: 'S',
    email: 's@x.example',
    visibility: 'scoped',
  })
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'S', member_id: member.id })
  const [mine] = await save([{ account_id: ids[0] as string, full_name: 'Mine', email: `${unique('mine')}@acme.com` }])
  await client.expect(200, 'PUT', `/v1/people/${mine?.id}/owner`, { owner_id: member.id })
  const answer = await service.as(key).expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId, mine?.id] })
  assert.deepEqual([answer.pushed, answer.skipped], [1, 1])
  const many = Array.from({ length: 101 }, () => crypto.randomUUID())
  const started = await service
    .as(key)
    .expect(202, 'POST', '/v1/people/crm-push', { contact_ids: [personId, mine?.id, ...many] })
  const run = await ended(client, `/v1/push-runs/${started.run_id}`)
  assert.deepEqual([run.sent, run.skipped, run.failed], [1, 102, 0])
  assert.equal(crms.crm_one.contacts(fields.email).length, 0)
})

test('a scoped member sees the runs of people they started, and no others', async () => {
  const { client } = await connected(['crm_one'])
  const fields = { name: 'S', email: `${unique('s')}@x.example`, visibility: 'scoped' }
  const member = await client.expect(201, 'POST', '/v1/members', fields)
  const { key } = await client.expect(201, 'POST', '/v1/api-keys', { name: 'S', member_id: member.id })
  const scoped = service.as(key)
  const contact_ids = Array.from({ length: 101 }, () => crypto.randomUUID())
  const theirs = (await client.expect(202, 'POST', '/v1/people/crm-push', { contact_ids })).run_id
  const companies = (await client.expect(202, 'POST', '/v1/accounts/crm-push', { account_ids: contact_ids })).run_id
  const mine = (await scoped.expect(202, 'POST', '/v1/people/crm-push', { contact_ids })).run_id
  refused(await scoped.get(`/v1/push-runs/${theirs}`), 404, 'not_found')
  refused(await scoped.post(`/v1/push-runs/${theirs}/retry`), 404, 'not_found')
  const listed = async (who: typeof client) =>
    (await who.get('/v1/push-runs')).data.map(({ id }: { id: string }) => id).sort()
  assert.deepEqual(await listed(scoped), [companies, mine].sort())
  assert.deepEqual(await listed(client), [companies, mine, theirs].sort())
  assert.equal((await scoped.expect(200, 'GET', `/v1/push-runs/${mine}`)).id, mine)
})

test('more than 100 ids become a run in the background, with channel crm', async () => {
  const { client, ids, domains } = await connected(['crm_one', 'crm_two'], { accounts: 230, people: [] })
  const started = await client.expect(202, 'POST', '/v1/accounts/crm-push', {
    account_ids: [...ids, 'malformed'],
  })
  assert.deepEqual([started.total, started.status], [231, 'running'])
  const { created_at, finished_at, ...run } = await ended(client, `/v1/push-runs/${started.run_id}`)
  assert.ok(created_at < finished_at)
  assert.deepEqual(run, {
    ...{ id: started.run_id, channel: 'crm', record_type: 'accounts', status: 'completed' },
    ...{ destination: null, providers: ['crm_one', 'crm_two'] },
    ...{ total: 231, sent: 230, failed: 0, skipped: 1, error_sample: [] },
    skipped_sample: [{ id: 'malformed', message: 'It is not an id.' }],
  })
  for (const domain of domains) {
    assert.deepEqual([crms.crm_one.companies(domain).length, crms.crm_two.companies(domain).length], [1, 1])
  }
})

test('more than 100 ids are a run although some come twice; each is pushed once', async () => {
  const { client, ids, personId, domains } = await connected(['crm_one'])
  for (const [path, body] of [
    ['/v1/accounts/crm-push', { account_ids: Array.from({ length: 101 }, () => ids[0]) }],
    ['/v1/people/crm-push', { contact_ids: Array.from({ length: 101 }, () => personId) }],
  ] as const) {
    const started = await client.expect(202, 'POST', path, body)
    const run = await ended(client, `/v1/push-runs/${started.run_id}`)
    assert.deepEqual([started.total, run.total, run.sent, run.failed, run.skipped], [101, 101, 1, 0, 100])
  }
  assert.equal(crms.crm_one.companies(domains[0] as string).length, 1)
})

test('fields the service manages are made once, and on crm_two visible', async () => {
  for (let round = 0; round < 2; round++) {
    const { client, ids } = await connected(['crm_one', 'crm_two'])
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

test('a field that was deleted in the CRM is created again', async () => {
  const { client, ids } = await connected(['crm_one'])
  hubspot.properties.companies.delete('bellwether_score')
  const answer = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  assert.deepEqual([answer.pushed, answer.failed], [1, 0], JSON.stringify(answer))
  assert.ok(hubspot.properties.companies.has('bellwether_score'))
})

test('an erased person leaves nothing behind of what was pushed', async () => {
  const { client, workspaceId, personId } = await connected(['crm_one'])
  await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids: [personId] })
  const kept = () => db.selectFrom('crm_contacts').selectAll().where('workspace_id', '=', workspaceId).execute()
  const [row] = await kept()
  assert.ok(row && !JSON.stringify(row.written).includes('Mara'), 'only hashes are kept')
  await client.expect(200, 'DELETE', `/v1/people/${personId}`)
  assert.deepEqual(await kept(), [])
})

test('the pages of the emulators show what arrived', async () => {
  const { client, personId } = await connected(['crm_one', 'crm_two'])
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SandboxResponse } from '../../../sandbox/types.ts'
import { type Client, refused } from '../../../test/support/client.ts'
import { type EmulatedCrm, startCrms } from '../../../test/support/crm.ts'
import { ended, eventually } from '../../../test/support/eventually.ts'
import type { PersonToSave } from '../../people/save.ts'

/** Every error the vendors document, provoked once: the state of the record and the message. */
const { hubspot, salesforce, internet, service, connected } = await startCrms({ searchLagMs: 0 })

const json = (status: number, body: object, headers: Record<string, string> = {}): SandboxResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** People at one account that is in the CRMs already, and so are the fields of the service. */
async function atKnownAccount(providers: EmulatedCrm[], people: Partial<PersonToSave>[] = [{}]) {
  const made = await connected(providers, { people })
  await made.client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: made.ids })
  return { ...made, domain: made.domains[0] as string }
}

const problemOf = async (client: Client) => (await client.expect(200, 'GET', '/v1/integrations')).crm.problem
const WRITE = /contacts\/batch\/upsert/
const COLLECTION = /composite\/sobjects\/Contact/
const limited = (policyName: string) =>
  json(429, { status: 'error', message: 'You have reached your limit.', errorType: 'RATE_LIMIT', policyName })

const WAITED_OUT: Record<string, SandboxResponse> = {
  '429 of ten seconds': limited('TEN_SECONDLY_ROLLING'),
  '429 with Retry-After': {
    ...limited('SECONDLY'),
    headers: { 'content-type': 'application/json', 'retry-after': '0.1' },
  },
  '423': json(423, { status: 'error', message: 'Object is locked', category: 'LOCKED' }, { 'retry-after': '0.1' }),
  '200 of another shape': json(200, { message: 'We have moved.' }),
  '502': { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' },
}

for (const [name, answer] of Object.entries(WAITED_OUT)) {
  test(`HubSpot: a ${name} is waited out`, async () => {
    const { push } = await atKnownAccount(['crm_one'])
    hubspot.fail({ path: WRITE, answer })
    const { pushed, failed } = await push()
    assert.deepEqual([pushed, failed], [1, 0])
  })
}

test('HubSpot: at the daily limit a push fails with the reason, which is a visible problem until the next push', async () => {
  const { client, push } = await atKnownAccount(['crm_one'])
  hubspot.fail({ path: WRITE, answer: limited('DAILY') })
  const { pushed, failed, results } = await push()
  assert.deepEqual([pushed, failed], [0, 1])
  assert.equal(results[0].error, "HubSpot's daily limit of calls is used up.")
  assert.equal(await problemOf(client), results[0].error)
  assert.equal((await push()).pushed, 1)
  assert.equal(await problemOf(client), null)
})

test('HubSpot: at the daily limit a push in the background waits, and the problem is visible', async () => {
  const { client, contact_ids } = await atKnownAccount(['crm_one'])
  hubspot.fail({ path: WRITE, answer: limited('DAILY') })
  const { run_id } = await client.expect(202, 'POST', '/v1/people/crm-push', { contact_ids, retry: true })
  const problem = "HubSpot's daily limit of calls is used up. The rest goes out when that is over."
  await eventually('the problem', async () => (await problemOf(client)) === problem)
  const run = await client.expect(200, 'GET', `/v1/push-runs/${run_id}`)
  assert.deepEqual([run.status, run.sent, run.failed], ['running', 0, 0])
})

test('HubSpot: a key without the rights is a visible problem that names them', async () => {
  const { client, push } = await atKnownAccount(['crm_one'])
  const context = { requiredGranularScopes: ['crm.objects.contacts.write'] }
  const body = {
    status: 'error',
    message: 'This app lacks scopes',
    category: 'MISSING_SCOPES',
    errors: [{ message: 'x', context }],
  }
  hubspot.fail({ path: WRITE, answer: json(403, body) })
  const { results } = await push()
  assert.match(results[0].error, /It needs crm\.objects\.contacts\.write\. Connect it again with more rights\./)
  assert.equal(await problemOf(client), results[0].error)
})

test('HubSpot: a key that was revoked is a visible problem', async () => {
  const { client, push } = await atKnownAccount(['crm_one'])
  const body = { status: 'error', message: 'Authentication credentials not found.', category: 'INVALID_AUTHENTICATION' }
  hubspot.fail({ path: /contacts\/batch\/read/, answer: json(401, body) })
  const { results } = await push()
  assert.match(results[0].error, /HubSpot no longer accepts the connection\. Connect it again\./)
  assert.equal(await problemOf(client), results[0].error)
})

test('HubSpot: an account that moves to another data centre is said so', async () => {
  const { push } = await atKnownAccount(['crm_one'])
  hubspot.fail({
    path: WRITE,
    answer: json(477, { status: 'error', message: 'Migration in progress' }, { 'retry-after': '86400' }),
  })
  assert.match((await push()).results[0].error, /moving this account to another data centre/)
})

test('HubSpot: of a batch only the record it refuses fails (207), with its words', async () => {
  const { push, contact_ids, domain } = await atKnownAccount(['crm_one'], [{}, { email: 'nonsense@x' }, {}])
  const { pushed, failed, results } = await push()
  assert.deepEqual([pushed, failed], [2, 1])
  const wrong = results.find(({ ok }: { ok: boolean }) => !ok)
  assert.deepEqual(
    [wrong.contactId, wrong.error],
    [contact_ids[1], 'HubSpot refused it: Email address nonsense@x is invalid.'],
  )
  const there = [...hubspot.records.contacts.values()].filter(({ properties }) => properties.email?.endsWith(domain))
  assert.equal(there.length, 2)
  const last = hubspot.calls.findLast(({ path }) => WRITE.test(path))
  assert.equal(last?.status, 207, 'the batch was written in one call')
})

test('HubSpot: a batch refused as a whole (400) is taken apart until the one is found', async () => {
  const { push, contact_ids } = await atKnownAccount(
    ['crm_one'],
    Array.from({ length: 8 }, () => ({})),
  )
  const refuse = json(400, { status: 'error', message: 'Property values were not valid', category: 'VALIDATION_ERROR' })
  // The whole, its first half, and of that half the first quarter down to one record.
  hubspot.fail(...Array.from({ length: 4 }, () => ({ path: WRITE, answer: refuse })))
  const { pushed, failed, results } = await push()
  assert.deepEqual([pushed, failed], [7, 1])
  assert.equal(results.filter(({ ok }: { ok: boolean }) => !ok).length, 1)
  assert.equal(new Set(results.map(({ contactId }: { contactId: string }) => contactId)).size, contact_ids.length)
})

test('HubSpot: a contact created concurrently (409, Existing ID) is updated, not doubled', async () => {
  const { push, domain } = await atKnownAccount(['crm_one'])
  const existing = hubspot.add('contacts', { email: `p0@${domain}`, jobtitle: 'Typed' })
  // As if it had come between the look and the write.
  hubspot.fail({
    path: /contacts\/batch\/read/,
    answer: json(207, { status: 'COMPLETE', results: [], numErrors: 1, errors: [] }),
  })
  const { results } = await push()
  assert.deepEqual([results[0].ok, results[0].created], [true, false])
  const there = [...hubspot.records.contacts.values()].filter(({ properties }) => properties.email === `p0@${domain}`)
  assert.deepEqual(
    there.map(({ id, properties }) => [id, properties.jobtitle]),
    [[existing, 'Typed']],
  )
})

test('HubSpot: a profile page that another record holds leaves the record with the email the right one', async () => {
  const network_url = `https://network.example/in/${crypto.randomUUID()}`
  const { push, domain } = await atKnownAccount(['crm_one'], [{ network_url }])
  const known = hubspot.add('contacts', { email: `p0@${domain}` })
  const holder = hubspot.add('contacts', { email: `old@${domain}`, bellwether_profile_url: network_url })
  const { results } = await push()
  assert.deepEqual([results[0].ok, results[0].created], [true, false], results[0].error)
  const titles = () => [known, holder].map((id) => hubspot.records.contacts.get(id)?.properties.jobtitle)
  assert.deepEqual(titles(), ['CEO', undefined])
  assert.equal((await push()).pushed, 1)
  assert.deepEqual(titles(), ['CEO', undefined])
})

test('HubSpot: an association that fails is said, although the contact is there', async () => {
  const { push } = await atKnownAccount(['crm_one'])
  const errors = [{ status: 'error', category: 'VALIDATION_ERROR', message: 'Association limit reached' }]
  hubspot.fail({
    path: /associate\/default/,
    answer: json(207, { status: 'COMPLETE', results: [], numErrors: 1, errors }),
  })
  assert.match(
    (await push()).results[0].error,
    /^It is in HubSpot, but not with its company: .*Association limit reached/,
  )
})

test('a CRM that does not answer fails a push with a sentence, and the other CRM gets it all the same', async () => {
  const { push } = await atKnownAccount(['crm_one', 'crm_two'])
  const down = { status: 503, headers: { 'retry-after': '0.01' }, body: '' }
  salesforce.fail(...Array.from({ length: 60 }, () => ({ path: COLLECTION, answer: down })))
  const { pushed, failed, results } = await push()
  assert.deepEqual([pushed, failed], [0, 1], 'a record is pushed when every CRM has it')
  assert.deepEqual(
    results.map(({ provider, ok }: { provider: string; ok: boolean }) => [provider, ok]),
    [
      ['crm_one', true],
      ['crm_two', false],
    ],
  )
  const lost = results.find(({ provider }: { provider: string }) => provider === 'crm_two')
  assert.equal(lost.error, 'Salesforce cannot respond at the moment. Try again in a few minutes.')
  salesforce.drop()
})

for (const { provider, path, body, expected } of [
  {
    provider: 'crm_one',
    path: WRITE,
    body: { message: 'We have moved.' },
    expected: /HubSpot sent an unexpected response: the body must have required property 'results'\./,
  },
  {
    provider: 'crm_one',
    path: /contacts\/batch\/read/,
    body: { status: 'COMPLETE', results: [{ id: 12, properties: {} }] },
    expected: /HubSpot sent an unexpected response: the body\/results\/0\/id must be string\./,
  },
  {
    provider: 'crm_two',
    path: COLLECTION,
    body: { success: true },
    expected: /Salesforce sent an unexpected response: the body must be array\./,
  },
  {
    provider: 'crm_two',
    path: /composite$/,
    body: { compositeResponse: [{ httpStatusCode: 200, body: { records: null } }] },
    expected: /Salesforce sent an unexpected response: the body\/records must be array\./,
  },
] as const) {
  test(`${provider}: a response of another shape fails a push with what was expected: ${expected.source}`, async () => {
    const { push } = await atKnownAccount([provider])
    const vendor = provider === 'crm_one' ? hubspot : salesforce
    vendor.fail(...Array.from({ length: 60 }, () => ({ path, answer: json(200, body) })))
    const { pushed, failed, results } = await push()
    vendor.drop()
    assert.deepEqual([pushed, failed], [0, 1])
    assert.match(results[0].error, expected)
    assert.equal((await push()).pushed, 1, 'the response was temporary')
  })
}

test('HubSpot: an error body of another shape is refused without a reason', async () => {
  const { push } = await atKnownAccount(['crm_one'])
  hubspot.fail({ path: WRITE, answer: json(400, { message: 5, errors: 'none' }) })
  assert.equal((await push()).results[0].error, 'HubSpot refused it: it gave no reason.')
})

test('HubSpot: an account without an id in the response is not connected', async () => {
  const { client } = await connected([])
  hubspot.fail({ path: /account-info/, answer: json(200, { portal: 1 }) })
  const { status, error } = await client.post('/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  assert.deepEqual([status, error.code], [503, 'unavailable'])
  assert.match(error.message, /the body must have required property 'portalId'/)
})

const item = (statusCode: string, message: string, fields: string[] = []) =>
  json(200, [{ success: false, errors: [{ statusCode, message, fields }] }])

for (const [code, answer, sentence] of [
  [
    'DUPLICATES_DETECTED',
    item('DUPLICATES_DETECTED', 'Use one of these records?'),
    /duplicate rule in Salesforce stopped it/,
  ],
  [
    'DUPLICATE_EXTERNAL_ID',
    item('DUPLICATE_EXTERNAL_ID', 'more than one record found'),
    /several records with the same Bellwether id/,
  ],
  [
    'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    item('FIELD_CUSTOM_VALIDATION_EXCEPTION', 'Every contact needs a region'),
    /refused it: Every contact needs a region\./,
  ],
  [
    'API_DISABLED_FOR_ORG',
    json(403, [{ message: 'The REST API is not enabled for this Organization.', errorCode: 'API_DISABLED_FOR_ORG' }]),
    /does not let this user do that.*Connect it again with a user who may/,
  ],
  [
    'MALFORMED',
    json(400, [{ message: 'The request was not well formed', errorCode: 'JSON_PARSER_ERROR' }]),
    /refused it: The request was not well formed\./,
  ],
] as const) {
  test(`Salesforce: ${code} is a sentence a salesperson understands`, async () => {
    const { push } = await atKnownAccount(['crm_two'])
    salesforce.fail({ path: COLLECTION, answer })
    const { failed, results } = await push()
    assert.equal(failed, 1)
    assert.match(results[0].error, sentence)
    assert.equal((await push()).pushed, 1)
  })
}

test('Salesforce: a record that is locked is tried again, in the end with a sentence, and so is a used-up limit', async () => {
  const { push } = await atKnownAccount(['crm_two'])
  const locked = { path: COLLECTION, answer: item('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access') }
  salesforce.fail(...Array.from({ length: 4 }, () => locked))
  const { failed, results } = await push()
  assert.equal(failed, 1, 'one attempt and one for each pause')
  assert.match(results[0].error, /busy with this record\. Push it again/)
  salesforce.fail(locked)
  assert.equal((await push()).pushed, 1)
  const exceeded = [{ message: 'TotalRequests Limit exceeded.', errorCode: 'REQUEST_LIMIT_EXCEEDED' }]
  // The record exists and is unchanged by now, so the lookup comes first.
  salesforce.fail({ path: /composite/, answer: json(403, exceeded) })
  assert.match((await push()).results[0].error, /daily limit of calls is used up/)
})

test('Salesforce: too many calls at once are waited out, and a session that ended is said', async () => {
  const { push, client } = await atKnownAccount(['crm_two'])
  const concurrent = 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.'
  salesforce.fail(
    { path: COLLECTION, answer: json(403, [{ message: concurrent, errorCode: 'REQUEST_LIMIT_EXCEEDED' }]) },
    {
      path: COLLECTION,
      answer: json(503, [{ message: 'busy', errorCode: 'SERVER_UNAVAILABLE' }], { 'retry-after': '0.01' }),
    },
  )
  assert.equal((await push()).pushed, 1)
  salesforce.fail({
    path: /composite$/,
    answer: json(401, [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }]),
  })
  const { results } = await push()
  assert.match(results[0].error, /Salesforce no longer accepts the connection/)
  assert.equal(await problemOf(client), results[0].error)
})

test('Salesforce: of a collection only the record it refuses fails', async () => {
  const { push } = await atKnownAccount(['crm_two'], [{}, { email: 'nonsense@x' }, {}])
  const { pushed, failed, results } = await push()
  assert.deepEqual([pushed, failed], [2, 1])
  assert.match(results.find(({ ok }: { ok: boolean }) => !ok).error, /invalid email address: nonsense@x/)
})

test('Salesforce: a value it would not have is left out, and the record arrives', async () => {
  const { push, domain } = await atKnownAccount(['crm_two'])
  salesforce.fail({
    path: COLLECTION,
    answer: item('INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', 'bad value for restricted picklist field: CEO', ['Title']),
  })
  assert.deepEqual((await push()).results[0].ok, true)
  const contact = salesforce.records.Contact.values().find(({ Email }) => Email === `p0@${domain}`)
  assert.equal(contact?.Title, undefined)
})

test('Salesforce: a value another record holds (DUPLICATE_VALUE) leads to that record', async () => {
  const { push, domain } = await atKnownAccount(['crm_two'])
  const existing = salesforce.add('Contact', { LastName: 'Typed', Email: `other@${domain}` })
  const message = `duplicate value found: Bellwether_Profile_Url__c duplicates value on record with id: ${existing.slice(0, 15)}`
  salesforce.fail({ path: COLLECTION, answer: item('DUPLICATE_VALUE', message) })
  assert.deepEqual((await push()).results[0], { ...(await push()).results[0], ok: true, created: false })
  const there = salesforce.records.Contact.get(existing)
  assert.deepEqual([there?.LastName, there?.Title], ['Typed', 'CEO'])
})

test('a company that is refused fails its people with the reason', async () => {
  const { client, workspaceId, contact_ids } = await atKnownAccount(['crm_one'])
  const error = { status: 'error', category: 'VALIDATION_ERROR', message: 'A region is required' }
  await service.deps.db.updateTable('accounts').set({ score: 99 }).where('workspace_id', '=', workspaceId).execute()
  hubspot.fail({
    path: /companies\/batch\/update/,
    answer: json(207, { status: 'COMPLETE', results: [], numErrors: 1, errors: [error] }),
  })
  const { results } = await client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids })
  assert.equal(results[0].error, 'Its company could not be written. HubSpot refused it: A region is required.')
})

/** 150 people, some of them refused. */
async function background(providers: EmulatedCrm[], wrong = 0) {
  const people = Array.from({ length: 150 }, (_, n) => (n < wrong ? { email: `wrong${n}@x` } : {}))
  const made = await atKnownAccount(providers, people)
  const start = async () =>
    (await made.client.expect(202, 'POST', '/v1/people/crm-push', { contact_ids: made.contact_ids })).run_id
  return { ...made, start }
}

test('in the background a refused row fails once, one that meets a fault is tried again; a retry pushes only what failed', async () => {
  const { client, workspaceId, domain, contact_ids, start } = await background(['crm_one'], 2)
  const busy = { status: 500, headers: { 'retry-after': '0.001' }, body: '' }
  hubspot.fail(...Array.from({ length: 8 }, () => ({ path: WRITE, answer: busy })))
  const run = await ended(client, `/v1/push-runs/${await start()}`)
  assert.deepEqual([run.status, run.sent, run.failed, run.skipped], ['completed', 148, 2, 0])
  assert.equal(run.error_sample.length, 2)
  assert.match(run.error_sample[0].message, /^HubSpot refused it: Email address wrong\d@x is invalid\.$/)
  await service.deps.db
    .updateTable('people')
    .set({ email: `fixed@${domain}` })
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', contact_ids.slice(0, 2))
    .execute()
  await client.expect(200, 'POST', `/v1/push-runs/${run.id}/retry`)
  const again = await ended(client, `/v1/push-runs/${run.id}`)
  assert.deepEqual([again.sent, again.failed], [150, 0], JSON.stringify(again.error_sample))
})

test('a row that one of two CRMs accepted is retried only at the other', async () => {
  const { client, start } = await background(['crm_one', 'crm_two'])
  const refuse = json(400, [{ message: 'A region is required', errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION' }])
  salesforce.fail(...Array.from({ length: 2 }, () => ({ path: COLLECTION, answer: refuse })))
  const run = await ended(client, `/v1/push-runs/${await start()}`)
  assert.deepEqual([run.status, run.sent, run.failed], ['failed', 0, 150])
  assert.match(run.error_sample[0].message, /^Salesforce refused it: A region is required\.$/)
  const before = hubspot.calls.length
  await client.expect(200, 'POST', `/v1/push-runs/${run.id}/retry`)
  const again = await ended(client, `/v1/push-runs/${run.id}`)
  assert.deepEqual([again.sent, again.failed], [150, 0])
  assert.equal(hubspot.calls.length, before)
})

test('a CRM disconnected in mid-run ends the run as failed, its rows counted', async () => {
  const { client, start } = await background(['crm_one'])
  const down = { status: 500, headers: { 'retry-after': '0.01' }, body: '' }
  hubspot.fail(...Array.from({ length: 200 }, () => ({ path: WRITE, answer: down })))
  const before = hubspot.calls.length
  const id = await start()
  await internet.until(() => hubspot.calls.slice(before).some(({ path }) => WRITE.test(path)))
  await client.expect(200, 'DELETE', '/v1/connections/crm_one')
  const run = await ended(client, `/v1/push-runs/${id}`)
  hubspot.drop()
  assert.deepEqual([run.status, run.sent + run.failed + run.skipped], ['failed', 150])
  assert.match(run.error_sample[0].message, /disconnected/)
  refused(await client.post(`/v1/push-runs/${id}/retry`), 409, 'crm_not_connected')
})

test('a used-up daily limit keeps the run waiting, with a visible problem; the other CRM gets everything', async () => {
  const { client, workspaceId, start, domain } = await background(['crm_one', 'crm_two'])
  hubspot.fail(...Array.from({ length: 6 }, () => ({ path: WRITE, answer: limited('DAILY') })))
  const id = await start()
  const arrived = () => salesforce.records.Contact.values().filter(({ Email }) => String(Email).endsWith(domain))
  const rows = () =>
    service.deps.db
      .selectFrom('push_rows')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('run_id', '=', id)
      .execute()
  await eventually('every row is in the other CRM', async () =>
    (await rows()).every(({ providers_done }) => providers_done.length > 0),
  )
  hubspot.drop()
  assert.equal(arrived().toArray().length, 150)
  assert.match(
    (await client.expect(200, 'GET', '/v1/integrations')).crms[0].problem,
    /daily limit.*The rest goes out when that is over\./,
  )
  const run = await client.expect(200, 'GET', `/v1/push-runs/${id}`)
  assert.deepEqual([run.status, run.sent, run.failed], ['running', 0, 0])
  for (const { state, attempts, providers_done } of await rows()) {
    assert.deepEqual([state, attempts, providers_done], ['pending', 0, ['crm_two']])
  }
})

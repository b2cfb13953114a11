import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { SandboxResponse } from '../../../sandbox/types.ts'
import type { Client } from '../../../test/support/client.ts'
import { startCrms } from '../../../test/support/crm.ts'
import { ended } from '../../../test/support/eventually.ts'
import { unique } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { longId, problemOf } from '../../providers/crm/salesforce/errors.ts'
import { findPushRun, openRanges, reopenPushRun } from '../../resources/push-runs/work-store.ts'
import { PUSH_JOBS } from '../job.ts'
import { findCrmLinks, saveCrmLinks } from './store.ts'

/** What a push does not overwrite, and the failures it survives. */
const { hubspot, salesforce, internet, service, connected, crms, credentials } = await startCrms()
const { db } = service.deps

const pushPeople = (client: Client, contact_ids: string[]) =>
  client.expect(200, 'POST', '/v1/people/crm-push', { contact_ids })
const TITLE = { crm_one: 'jobtitle', crm_two: 'Title' }
const PROFILE = { crm_one: 'bellwether_profile_url', crm_two: 'Bellwether_Profile_Url__c' }
const TIER = { crm_one: 'bellwether_match_tier', crm_two: 'Bellwether_Match_Tier__c' }

for (const provider of ['crm_one', 'crm_two'] as const) {
  const crm = crms[provider]

  test(`${crm.label}: a contact that a person took away from its company stays away`, async () => {
    const { client, workspaceId, domains, fields, personId } = await connected([provider])
    await pushPeople(client, [personId])
    const contact = crm.contacts(fields.email)[0]?.id as string
    const company = crm.companies(domains[0] as string)[0]?.id
    assert.deepEqual(crm.companyOf(contact), [company])
    if (provider === 'crm_one') hubspot.associations.delete(`${contact} ${company}`)
    else salesforce.edit('Contact', contact, { AccountId: null })
    await db.updateTable('people').set({ title: 'COO' }).where('workspace_id', '=', workspaceId).execute()
    await pushPeople(client, [personId])
    assert.equal(crm.contacts(fields.email)[0]?.[TITLE[provider]], 'COO')
    assert.deepEqual(crm.companyOf(contact).filter(Boolean), [])
  })

  test(`${crm.label}: what a killed worker wrote without a note is not taken for a person's words`, async () => {
    const { client, workspaceId, fields, personId } = await connected([provider])
    await pushPeople(client, [personId])
    await db.deleteFrom('crm_contacts').where('workspace_id', '=', workspaceId).execute()
    await pushPeople(client, [personId])
    await db.updateTable('people').set({ title: 'COO' }).where('workspace_id', '=', workspaceId).execute()
    await pushPeople(client, [personId])
    assert.equal(crm.contacts(fields.email)[0]?.[TITLE[provider]], 'COO')
    await db.updateTable('people').set({ phone: '+14155550100' }).where('workspace_id', '=', workspaceId).execute()
    await pushPeople(client, [personId])
    const { written } = await db
      .selectFrom('crm_contacts')
      .select('written')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(Object.keys(written).sort(), ['email', 'first_name', 'last_name', 'phone', 'title'])
  })

  test(`${crm.label}: a contact keeps its profile page, and one of two who share it takes nothing from the other`, async () => {
    const { client, workspaceId, ids, fields, personId, save } = await connected([provider], { accounts: 2 })
    await db.updateTable('people').set({ icp_tier: 2 }).where('workspace_id', '=', workspaceId).execute()
    await pushPeople(client, [personId])
    const [twin] = await save([{ account_id: ids[1] as string, full_name: 'Mara L.', email: fields.email }])
    const shown = () => {
      const [contact] = crm.contacts(fields.email)
      return [contact?.[PROFILE[provider]], String(contact?.[TIER[provider]] || '')]
    }
    await pushPeople(client, [twin?.id as string])
    assert.deepEqual(shown(), [fields.network_url, '2'])
    const without = { network_url: null, icp_tier: null }
    await db.updateTable('people').set(without).where('workspace_id', '=', workspaceId).execute()
    await pushPeople(client, [personId])
    assert.deepEqual(shown(), [fields.network_url, ''])
  })

  test(`${crm.label}: seven people of ours with one email are one contact there, at once`, async () => {
    const { client, save, ids, domains } = await connected([provider], { accounts: 7, people: [] })
    const email = `mara@${domains[0]}`
    const saved = await save(
      ids.map((account_id, n) => ({ account_id, full_name: `Mara ${n}`, email, title: `Title ${n}` })),
    )
    const answer = await pushPeople(
      client,
      saved.map(({ id }) => id),
    )
    assert.deepEqual([answer.pushed, answer.failed], [7, 0], JSON.stringify(answer.results))
    assert.equal(crm.contacts(email).length, 1)
  })

  test(`${crm.label}: records that have not changed are not written again`, async () => {
    const { client, workspaceId, ids, personId } = await connected([provider])
    await db.updateTable('people').set({ country_code: 'SE' }).where('workspace_id', '=', workspaceId).execute()
    await db.updateTable('accounts').set({ country: 'SE' }).where('workspace_id', '=', workspaceId).execute()
    await pushPeople(client, [personId])
    const { calls } = provider === 'crm_one' ? hubspot : salesforce
    const before = calls.length
    await pushPeople(client, [personId])
    await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
    const writes = calls
      .slice(before)
      .filter(({ method, path }) => method === 'PATCH' || /update|upsert|associate/.test(path))
    assert.deepEqual(writes, [])
  })
}

test('Salesforce: companies are looked up by the usual spellings of their address, never by a part of it', async () => {
  const { client, ids } = await connected(['crm_two'])
  await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  const requests = salesforce.calls.map(({ path, body }) => decodeURIComponent(path + JSON.stringify(body)))
  assert.ok(requests.some((text) => /Website IN \(/.test(text)))
  assert.ok(!requests.some((text) => / LIKE /.test(text)))
})

test('Salesforce: ids of 15 characters become ids of 18; only what is wrong with the record itself means it is gone', () => {
  assert.equal(longId('001D000000IRFma'), '001D000000IRFmaIAH')
  const kinds = [['AccountId'], ['Id'], [], ['OwnerId']].map(
    (fields) => problemOf({}, { statusCode: 'INVALID_CROSS_REFERENCE_KEY', message: 'x', fields }).kind,
  )
  assert.deepEqual(kinds, ['busy', 'gone', 'gone', 'refused'])
})

test('Salesforce: a next page on another host is not requested', async () => {
  const { client, ids } = await connected(['crm_two'])
  await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  const body = { records: [], nextRecordsUrl: '.elsewhere.example/services/data' }
  salesforce.fail({ path: /composite$/, answer: json(200, { compositeResponse: [{ body, httpStatusCode: 200 }] }) })
  const { results } = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  assert.match(results[0].error, /an address for the next page that is not on its host/)
})

const json = (status: number, body: object): SandboxResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const page = (body: string): SandboxResponse => ({ status: 200, headers: { 'content-type': 'text/html' }, body })

test('HubSpot: a success that is not JSON is retried, and in the end a failure', async () => {
  const { client, personId } = await connected(['crm_one'])
  const path = /contacts\/batch\/read/
  hubspot.fail({ path, answer: page('<h1>Sign in to the network</h1>') }, { path, answer: page('') })
  assert.equal((await pushPeople(client, [personId])).pushed, 1)
  const unreadable = ['"fine"', '<p>', '{"results":'].map((body) => ({ path, answer: page(body) }))
  // Once for the attempt, and once for each pause after it.
  hubspot.fail(...Array.from({ length: 4 }, () => unreadable).flat())
  const { results } = await pushPeople(client, [personId])
  assert.equal(results[0].error, 'HubSpot sent a response that is not JSON. Try again in a few minutes.')
})

test('HubSpot: an association it refuses together with others fails one contact', async () => {
  const { client, save, ids } = await connected(['crm_one'], { accounts: 1, people: [] })
  const people = Array.from({ length: 4 }, (_, n) => ({
    ...{ account_id: ids[0] as string, full_name: `Person ${n}`, email: `${unique('p')}@acme.com` },
  }))
  const saved = await save(people)
  const answer = json(400, { status: 'error', category: 'VALIDATION_ERROR', message: 'Association limit reached' })
  // All four, the first two, the first.
  hubspot.fail(...Array.from({ length: 3 }, () => ({ path: /associate\/default/, answer })))
  const { pushed, failed, results } = await pushPeople(
    client,
    saved.map(({ id }) => id),
  )
  assert.deepEqual([pushed, failed], [3, 1], JSON.stringify(results))
  assert.match(
    results.find(({ ok }: { ok: boolean }) => !ok).error,
    /not with its company: .*Association limit reached/,
  )
})

test('an account connected in the place of another in mid-run ends the run, and is no problem of the new one', async () => {
  const { client, workspaceId, ids } = await connected(['crm_one'], { accounts: 101, people: [] })
  const write = /companies\/batch\/upsert/
  const down = { status: 500, headers: { 'retry-after': '0.01' }, body: '' }
  hubspot.fail(...Array.from({ length: 200 }, () => ({ path: write, answer: down })))
  const before = hubspot.calls.length
  const { run_id } = await client.expect(202, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  await internet.until(() => hubspot.calls.slice(before).some(({ path }) => write.test(path)))
  await db.updateTable('connections').set({ account: '1' }).where('workspace_id', '=', workspaceId).execute()
  const run = await ended(client, `/v1/push-runs/${run_id}`)
  hubspot.drop()
  assert.deepEqual([run.status, run.failed], ['failed', 101])
  assert.equal(run.error_sample[0].message, 'HubSpot: Another account was connected.')
  assert.equal((await client.expect(200, 'GET', '/v1/integrations')).crm.problem, null)
})

test('a shutdown uses up no attempt, and patience counts from the last retry', async () => {
  const idle = await testService({
    databaseUrl: service.databaseUrl,
    api: false,
  })
  const { client, workspaceId, ids } = await connected(['crm_one'])
  const account_ids = [...ids, ...Array.from({ length: 100 }, () => crypto.randomUUID())]
  const { run_id: runId } = await client.expect(202, 'POST', '/v1/accounts/crm-push', { account_ids })
  assert.equal((await ended(client, `/v1/push-runs/${runId}`)).sent, 1)
  const rows = db
    .updateTable('push_rows')
    .where('workspace_id', '=', workspaceId)
    .where('record_id', '=', ids[0] as string)
  await rows.set({ state: 'pending', attempts: 0, providers_done: [] }).execute()
  await openRanges(db, workspaceId, runId)
  const run = db.updateTable('push_runs').where('workspace_id', '=', workspaceId).where('id', '=', runId)
  await run.set({ status: 'running', finished_at: null, sent: 0 }).execute()
  const key = { workspace_id: workspaceId, run_id: runId }
  await PUSH_JOBS.crm.deliver(idle.deps, key, AbortSignal.timeout(200), AbortSignal.abort())
  const row = await db
    .selectFrom('push_rows')
    .select(['state', 'attempts', 'message'])
    .where('workspace_id', '=', workspaceId)
    .where('record_id', '=', ids[0] as string)
    .executeTakeFirstOrThrow()
  assert.deepEqual([row.state, row.attempts], ['pending', 0])
  assert.match(row.message ?? '', /no time left/)

  await rows.set({ state: 'failed' }).execute()
  const dayBefore = new Date(Date.now() - 26 * 3_600_000)
  await run.set({ created_at: dayBefore, status: 'failed', finished_at: sql`now()`, failed: 1 }).execute()
  assert.equal(await reopenPushRun(db, workspaceId, runId), 1)
  const opened = (await findPushRun(db, key))?.opened_at ?? ''
  assert.ok(Date.parse(opened) > dayBefore.getTime() + 3_600_000)
})

test('a used-up quota is a problem for a day at most', async () => {
  const { client, workspaceId, ids } = await connected(['crm_two'])
  const answer = json(403, [{ message: 'TotalRequests Limit exceeded.', errorCode: 'REQUEST_LIMIT_EXCEEDED' }])
  salesforce.fail({ path: /composite/, answer })
  const { failed, results } = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
  assert.deepEqual([failed, results[0].error], [1, "Salesforce's daily limit of calls is used up."])
  const problem = async () => (await client.expect(200, 'GET', '/v1/integrations')).crm.problem
  assert.match(await problem(), /^Salesforce's daily limit of calls is used up\./)
  await db
    .updateTable('connections')
    .set({ problem_until: new Date(Date.now() - 1000) })
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.equal(await problem(), null)
  await client.expect(200, 'DELETE', '/v1/connections/crm_two')
  const { message } = (await client.post('/v1/accounts/crm-push', { account_ids: ids, provider: 'crm_two' })).error
  assert.match(message, /^Salesforce is not connected\./)
  await client.expect(201, 'POST', '/v1/connections', credentials.crm_two)
})

test('two workers that write different fields of a record are both remembered; of another record nothing is known', async () => {
  const { workspaceId, personId: id } = await connected([])
  const where = { provider: 'crm_one', vendorAccount: '1' } as const
  const note = (crm_id: string, written: Record<string, string>) =>
    saveCrmLinks(db, workspaceId, where, 'contact', [{ id, crm_id, written, company_id: null }])
  const known = async () => (await findCrmLinks(db, workspaceId, where, 'contact', [id])).get(id)?.written
  await note('7', { title: 'a' })
  await note('7', { phone: 'b' })
  assert.deepEqual(await known(), { title: 'a', phone: 'b' })
  await note('8', { phone: 'c' })
  assert.deepEqual(await known(), { phone: 'c' })
})

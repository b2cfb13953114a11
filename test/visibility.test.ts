import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PUSH_JOBS } from '../src/delivery/job.ts'
import { insertPeopleSearch, saveSearchHits } from '../src/people/search/search-store.ts'
import { saveDocuments } from '../src/resources/documents/store.ts'
import { type Client, refused } from './support/client.ts'
import { quickHubspot } from './support/crm.ts'
import { testReceiver } from './support/receiver.ts'
import { scene, unique } from './support/scene.ts'
import { testService } from './support/service.ts'
import { testWorld } from './support/world.ts'

/**
 * Two accounts with a person each. Every path to a person is walked by an admin, by the scoped owner of the first
 * account, by a scoped member to whom the second person is assigned, by a scoped member with nothing, and by the
 * admin of another workspace.
 */
const receiver = await testReceiver()
const { internet } = await testWorld({ vendors: [quickHubspot()] })
const service = await testService({ env: { ...internet.env, OUTBOUND_ALLOW: receiver.host } })
const { admin, workspaceId } = service
const owner = await service.member({ visibility: 'scoped' })
const assignee = await service.member({ visibility: 'scoped' })
const nobody = await service.member({ visibility: 'scoped' })
const { client: stranger } = await service.stranger()
for (const client of [admin, stranger]) {
  await client.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
}

const { id: destination } = await admin.expect(201, 'POST', '/v1/webhook-destinations', {
  name: 'Warehouse',
  url: `${receiver.url}/hook`,
})

type Who = 'admin' | 'owner' | 'assignee' | 'nobody' | 'stranger'
const clients: Record<Who, Client> = {
  admin,
  owner: owner.client,
  assignee: assignee.client,
  nobody: nobody.client,
  stranger,
}
const SEES: Record<Who, ('first' | 'second')[]> = {
  admin: ['first', 'second'],
  owner: ['first'],
  assignee: ['second'],
  nobody: [],
  stranger: [],
}

async function twoPeople() {
  const { ids: accounts, save } = await scene(service, {
    accounts: [{ name: 'One', owner_id: owner.id }, { name: 'Two' }],
    active: true,
    owner: { client: admin, workspaceId },
  })
  const contact = () => ({ email: `${crypto.randomUUID()}@x.com`, phone: '+14155550100' })
  // Unique names, because another test erases people by name.
  const named = (name: string) => `${name} ${unique('P')}`
  const [first] = await save([{ account_id: accounts[0] as string, full_name: named('First'), ...contact() }])
  const [second] = await save([{ account_id: accounts[1] as string, full_name: named('Second'), ...contact() }])
  const ids = { first: first?.id as string, second: second?.id as string }
  await admin.expect(200, 'PUT', `/v1/people/${ids.second}/owner`, { owner_id: assignee.id })
  const list = await admin.expect(201, 'POST', '/v1/people/lists', { name: crypto.randomUUID() })
  await admin.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: Object.values(ids) })
  return { ids, list, accounts: { first: accounts[0] as string, second: accounts[1] as string } }
}

type TwoPeople = Awaited<ReturnType<typeof twoPeople>>

/** Each path answers which of the two people a caller reached through it. */
const PATHS: Record<string, (client: Client, scene: TwoPeople) => Promise<string[]>> = {
  'GET /people': async (client, { ids }) => reached(ids, (await client.get('/v1/people?per_page=100')).text),
  'GET /people, its total': async (client, { accounts }) => {
    const found: string[] = []
    for (const [name, id] of Object.entries(accounts)) {
      if ((await client.get(`/v1/people?account_id=${id}`)).body.pagination.total === 1) found.push(name)
    }
    return found
  },
  'GET /people?list_id': async (client, { ids, list }) =>
    reached(ids, (await client.get(`/v1/people?list_id=${list.id}`)).text),
  'GET /people as CSV': async (client, { ids }) =>
    reached(ids, (await client.get('/v1/people', { headers: { accept: 'text/csv' } })).text),
  'GET /people/:id': (client, { ids }) => each(ids, (id) => client.get(`/v1/people/${id}`)),
  'GET /people/searches/:id': async (client, { ids }) => {
    const search = await searched(client, ids)
    return reached(ids, (await client.get(`/v1/people/searches/${search}`)).text)
  },
  'GET /webhook-destinations/:id/deliveries': async (client, { ids }) => {
    const push = { destination_id: destination, contact_ids: Object.values(ids) }
    await admin.expect(200, 'POST', '/v1/people/webhook-push', push)
    const log = await client.get(`/v1/webhook-destinations/${destination}/deliveries?per_page=100`)
    if (log.status === 200) assert.equal(log.body.pagination.total, log.data.length)
    return reached(ids, log.text)
  },
  'PUT /people/:id/owner': (client, { ids }) =>
    each(ids, (id) => client.put(`/v1/people/${id}/owner`, { owner_id: ids.second === id ? assignee.id : null })),
  'POST /people/:id/email': (client, { ids }) => each(ids, (id) => client.post(`/v1/people/${id}/email`)),
  'POST /people/:id/phone': (client, { ids }) => each(ids, (id) => client.post(`/v1/people/${id}/phone`)),
  'POST /people/crm-push': async (client, { ids }) => {
    const answer = await client.post('/v1/people/crm-push', { contact_ids: Object.values(ids) })
    return reached(ids, JSON.stringify(answer.data.results))
  },
  'POST /people/lists/:id/members, remove': async (client, { ids, list }) => {
    const answer = await client.post(`/v1/people/lists/${list.id}/members`, { remove: Object.values(ids) })
    return answer.status === 404
      ? []
      : Object.entries(ids)
          .filter(([, id]) => !answer.data.not_found.includes(id))
          .map(([name]) => name)
  },
  'POST /people/lists/:id/members, add': async (client, { ids, list }) => {
    const answer = await client.post(`/v1/people/lists/${list.id}/members`, { add: Object.values(ids) })
    return answer.status === 404
      ? []
      : Object.entries(ids)
          .filter(([, id]) => !answer.data.not_found.includes(id))
          .map(([name]) => name)
  },
  'DELETE /people/:id': (client, { ids }) => each(ids, (id) => client.delete(`/v1/people/${id}`)),
}

/** A search of the caller's own that found both, when they still saw both. */
async function searched(client: Client, ids: TwoPeople['ids']): Promise<string> {
  const asker = { [owner.key]: owner.id, [assignee.key]: assignee.id, [nobody.key]: nobody.id }[client.key ?? '']
  const { id: admins } = await service.member({ role: 'admin' })
  const id = crypto.randomUUID()
  await service.deps.db.transaction().execute(async (db) => {
    const search = { id, query: 'anybody', created_by: asker ?? admins, accounts: 2, lastsSeconds: 60 }
    await insertPeopleSearch(db, workspaceId, search)
    await saveSearchHits(
      db,
      workspaceId,
      id,
      Object.values(ids).map((id) => ({ id, tier: 1 })),
    )
  })
  return id
}

function reached(ids: TwoPeople['ids'], text: string): string[] {
  return Object.entries(ids)
    .filter(([, id]) => text.includes(id))
    .map(([name]) => name)
}

async function each(ids: TwoPeople['ids'], call: (id: string) => Promise<{ status: number }>): Promise<string[]> {
  const found: string[] = []
  for (const [name, id] of Object.entries(ids)) {
    const { status } = await call(id)
    assert.ok(status === 200 || status === 404, `answered ${status}`)
    if (status === 200) found.push(name)
  }
  return found
}

/** What leaves nothing as it was needs people of its own. */
const DESTRUCTIVE = ['POST /people/lists/:id/members, remove', 'DELETE /people/:id']
const shared = await twoPeople()

for (const [path, walk] of Object.entries(PATHS)) {
  for (const who of Object.keys(clients) as Who[]) {
    test(`${path}: ${who} reaches ${SEES[who].join(' and ') || 'no one'}`, async () => {
      const people = DESTRUCTIVE.includes(path) ? await twoPeople() : shared
      assert.deepEqual(await walk(clients[who], people), SEES[who])
    })
  }
}

test('no filter, order, page or export shows a scoped member the people of others', async () => {
  const { ids, list, accounts } = shared
  const filters = [
    'job_level=VP',
    'country_code=DE',
    'source=employee',
    'has_email=true',
    'has_email=false',
    'search=s',
  ]
  const by = [
    `owner_id=${assignee.id}`,
    `list_id=${list.id}`,
    `account_id=${accounts.first}`,
    'sort=full_name&order=asc',
  ]
  for (const query of [...filters, ...by, 'per_page=1', 'page=2&per_page=1', 'page=1000']) {
    const page = await nobody.client.get(`/v1/people?${query}`)
    assert.deepEqual([page.data, page.body.pagination.total], [[], 0], query)
    const csv = await nobody.client.get(`/v1/people?${query}`, { headers: { accept: 'text/csv' } })
    assert.equal(csv.text.trimEnd().split('\r\n').length, 1, query)
    const some = await owner.client.get(`/v1/people?${query}`)
    assert.ok(!some.text.includes(ids.second), query)
  }
})

test('a list counts only the members the caller may see', async () => {
  const { list } = await twoPeople()
  const counts = { admin: 2, owner: 1, assignee: 1, nobody: 0 }
  for (const [who, count] of Object.entries(counts)) {
    const lists = await clients[who as Who].expect(200, 'GET', '/v1/people/lists')
    assert.equal(lists.find(({ id }: { id: string }) => id === list.id).member_count, count, who)
  }
})

test('a scoped member cannot read searches of other members', async () => {
  const query = 'Whoever follows the CFO we are about to lose'
  const { accounts } = await twoPeople()
  const find = (client: Client) =>
    client.expect(200, 'POST', '/v1/people/find', { query, account_ids: [accounts.first] })
  const { search_id } = await find(admin)
  for (const who of ['owner', 'assignee', 'nobody', 'stranger'] as const) {
    const answer = await clients[who].get(`/v1/people/searches/${search_id}`)
    refused(answer, 404, 'not_found')
    assert.ok(!answer.text.includes(query))
  }
  const own = await find(owner.client)
  assert.equal((await owner.client.expect(200, 'GET', `/v1/people/searches/${own.search_id}`)).query, query)
  const { client: colleague } = await service.member()
  assert.equal((await colleague.expect(200, 'GET', `/v1/people/searches/${search_id}`)).query, query)
})

test('Find People does not search the accounts of others', async () => {
  const { accounts } = await twoPeople()
  const find = (who: Who, id: string) => clients[who].post('/v1/people/find', { query: 'VP', account_ids: [id] })
  assert.equal((await find('owner', accounts.second)).status, 422)
  assert.equal((await find('nobody', accounts.first)).status, 422)
  assert.equal((await find('stranger', accounts.first)).status, 422)
  assert.notEqual((await find('owner', accounts.first)).status, 422)
})

test('a scoped member cannot take over an account to see its people', async () => {
  const { accounts, ids } = await twoPeople()
  const path = `/v1/accounts/${accounts.second}`
  for (const call of [
    nobody.client.put(`${path}/owner`, { owner_id: nobody.id }),
    nobody.client.patch(path, { owner_id: nobody.id }),
  ]) {
    const answer = await call
    assert.deepEqual([answer.status, answer.error.code], [403, 'forbidden'])
  }
  refused(await nobody.client.post(`${path}/activate`, { owner_id: nobody.id }), 403, 'forbidden')
  const suggested = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Idle', owner_id: owner.id })
  for (const owner_id of [nobody.id, undefined]) {
    refused(await nobody.client.post(`/v1/accounts/${suggested.id}/activate`, { owner_id }), 403, 'forbidden')
  }
  assert.equal((await nobody.client.get(`/v1/people/${ids.second}`)).status, 404)
  const handed = await owner.client.put(`/v1/accounts/${accounts.first}/owner`, { owner_id: nobody.id })
  assert.equal(handed.status, 200)
  assert.equal((await nobody.client.get(`/v1/people/${ids.first}`)).status, 200)
  assert.equal((await owner.client.get(`/v1/people/${ids.first}`)).status, 404)
})

test('an admin with scoped visibility still sees everyone', async () => {
  const { client } = await service.member({ role: 'admin', visibility: 'scoped' })
  const { ids } = await twoPeople()
  assert.equal((await client.get(`/v1/people/${ids.first}`)).status, 200)
})

test('a scoped member cannot change the domain of an account and add it again as their own', async () => {
  const { ids: accounts, save } = await scene(service, {
    accounts: 1,
    active: true,
    owner: { client: admin, workspaceId },
  })
  const [person] = await save([{ account_id: accounts[0] as string, full_name: 'Third' }])
  const path = `/v1/accounts/${accounts[0]}`
  const { domain } = await admin.expect(200, 'GET', path)
  const rejected = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Not for us' })
  await admin.expect(200, 'POST', `/v1/accounts/${rejected.id}/reject`)
  for (const [at, change] of [
    [path, { domain: `${unique('else')}.com` }],
    [path, { name: 'Renamed', domain: '' }],
    [`/v1/accounts/${rejected.id}`, { status: 'suggested' }],
  ] as const) {
    refused(await nobody.client.patch(at, change), 403, 'forbidden')
  }
  // Adding it again changes nothing.
  for (const same of [domain, `https://www.${domain}/about`]) {
    const again = await nobody.client.expect(200, 'POST', '/v1/accounts', {
      name: 'X',
      domain: same,
      owner_id: nobody.id,
    })
    assert.deepEqual([again.id, again.owner_id], [accounts[0], null])
  }
  const own = await nobody.client.expect(201, 'POST', '/v1/accounts', { name: 'Own', owner_id: nobody.id })
  refused(await nobody.client.patch(`/v1/accounts/${own.id}`, { domain }), 409, 'domain_taken')
  await nobody.client.expect(200, 'PATCH', `/v1/accounts/${own.id}`, { domain: `${unique('own')}.com` })
  assert.equal((await nobody.client.get(`/v1/people/${person?.id}`)).status, 404)
})

test('an account that is deleted and added again restores no people', async () => {
  const { ids: accounts, save } = await scene(service, {
    accounts: 1,
    active: true,
    owner: { client: admin, workspaceId },
  })
  const [person] = await save([{ account_id: accounts[0] as string, full_name: 'Bygone Ghost', email: 'g@x.com' }])
  const { domain } = await admin.expect(200, 'GET', `/v1/accounts/${accounts[0]}`)
  const push = { destination_id: destination, contact_ids: [person?.id] }
  await admin.expect(200, 'POST', '/v1/people/webhook-push', push)
  const list = await admin.expect(201, 'POST', '/v1/people/lists', { name: unique('Ghosts') })
  await admin.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: [person?.id] })
  await admin.expect(200, 'DELETE', `/v1/accounts/${accounts[0]}`)
  const { client, id } = await service.member({ visibility: 'scoped' })
  const own = await client.expect(201, 'POST', '/v1/accounts', { name: 'Mine', domain, owner_id: id })
  await client.expect(200, 'POST', `/v1/accounts/${own.id}/activate`)
  for (const path of [
    `/people?account_id=${own.id}`,
    '/people?search=ghost',
    `/people?list_id=${list.id}`,
    `/accounts/${own.id}`,
    `/accounts/${own.id}/signals`,
    '/push-runs',
    `/webhook-destinations/${destination}/deliveries?per_page=100`,
  ]) {
    const { status, text } = await client.get(`/v1${path}`)
    assert.deepEqual(
      [status, /Ghost|g@x\.com/.test(text), text.includes(person?.id as string)],
      [200, false, false],
      path,
    )
  }
  assert.equal((await client.get(`/v1/people/${person?.id}`)).status, 404)
})

test('counts and previews cover only what the caller may see', async () => {
  const { accounts } = await twoPeople()
  const all = await admin.expect(200, 'GET', '/v1/usage')
  const { client, id } = await service.member({ visibility: 'scoped' })
  assert.equal((await client.expect(200, 'GET', '/v1/usage')).people, 0)
  await admin.expect(200, 'PUT', `/v1/accounts/${accounts.second}/owner`, { owner_id: id })
  assert.equal((await client.expect(200, 'GET', '/v1/usage')).people, 1)
  assert.ok(all.people >= 2)
  const page = { kind: 'article', source: 'web', title: 'Team', published_date: null } as const
  for (const [at, account] of Object.values(accounts).entries())
    await saveDocuments(service.deps.db, workspaceId, account, [
      { ...page, url: `https://x.com/${at}`, text: 'Jo Doe opened a warehouse.' },
    ])
  const preview = { description: 'They open a warehouse.' }
  const { documents } = await client.expect(200, 'POST', '/v1/signals/preview', preview)
  assert.equal(documents, 1)
  assert.ok((await admin.expect(200, 'POST', '/v1/signals/preview', preview)).documents >= 2)
  const { client: narrowed, id: former } = await service.member()
  const again = { headers: { 'idempotency-key': crypto.randomUUID() } }
  assert.ok((await narrowed.post('/v1/signals/preview', preview, again)).data.documents >= 2)
  await admin.expect(200, 'PATCH', `/v1/members/${former}`, { visibility: 'scoped' })
  assert.equal((await narrowed.post('/v1/signals/preview', preview, again)).data.documents, 0)
})

test('repeated responses and continued runs use the current rights', async () => {
  const { client, id } = await service.member({ visibility: 'scoped' })
  const { ids, save } = await scene(service, {
    accounts: [{ name: 'Handed on', domain: `${unique('handed')}.com`, owner_id: id }],
    active: true,
    owner: { client: admin, workspaceId },
  })
  const account = ids[0] as string
  const known = { title: 'VP Sales', job_level: 'VP' as const, email: 'p@handed.example', phone: '+14155550101' }
  const [person] = await save([{ account_id: account, full_name: 'Passed Along', ...known }])
  const contact_ids = [person?.id as string]
  const calls: [path: string, body: object | undefined, later: number][] = [
    [`/people/${person?.id}/email`, undefined, 404],
    [`/people/${person?.id}/phone`, undefined, 404],
    ['/people/find', { query: 'VP Sales', account_ids: [account] }, 422],
    ['/people/find', { query: 'VP Sales' }, 403],
    // The first of the two is refused by the receiver, which its answer says of this person; the other answer only counts.
    ['/people/webhook-push', { destination_id: destination, contact_ids }, 403],
    ['/people/webhook-push', { destination_id: destination, contact_ids }, 200],
    ['/people/crm-push', { contact_ids }, 403],
    [`/accounts/${account}/scan`, undefined, 403],
    // The name comes from the caller's own request, so replaying the response reveals nothing.
    ['/people/webhook-push', { destination_id: destination, contact_ids: [shared.ids.second] }, 200],
  ]
  receiver.next({ do: 'answer', status: 422 })
  const send = ([path, body]: (typeof calls)[number], at: number) =>
    client.post(`/v1${path}`, body, { headers: { 'idempotency-key': `today-${at}` } })
  for (const [at, call] of calls.entries()) {
    const first = await send(call, at)
    assert.ok(first.status < 300, `${call[0]}: ${first.text}`)
    if (call[0] === '/people/find')
      assert.deepEqual(
        first.data.contacts.map((one: { id: string }) => one.id),
        contact_ids,
      )
    const again = await send(call, at)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
  }
  const runs = await client.expect(200, 'GET', '/v1/push-runs')
  const run = runs.find(({ error_sample }: { error_sample: object[] }) => error_sample.length > 0)
  assert.equal(run.error_sample[0].id, person?.id)

  await admin.expect(200, 'PUT', `/v1/accounts/${account}/owner`, { owner_id: owner.id })
  for (const [at, call] of calls.entries()) {
    const { status, text } = await send(call, at)
    assert.equal(status, call[2], `${call[0]}: ${text}`)
    if (status !== 200) assert.ok(!/Passed|handed\.example|4155550101/.test(text), text)
  }
  const before = receiver.deliveries.length
  const later = await client.get(`/v1/push-runs/${run.id}`)
  assert.deepEqual([later.data.failed, later.data.error_sample], [1, []])
  assert.ok(!(await client.get('/v1/push-runs')).text.includes(person?.id as string))
  await client.expect(200, 'POST', `/v1/push-runs/${run.id}/retry`)
  await service.run(PUSH_JOBS.webhook, { workspace_id: workspaceId, run_id: run.id })
  const { sent, failed: left, skipped } = await client.expect(200, 'GET', `/v1/push-runs/${run.id}`)
  assert.deepEqual([sent, left, skipped, receiver.deliveries.length - before], [0, 0, 1, 0])

  // Stored responses do not contain erased people, even for members who see all people.
  const find = ['/people/find', { query: 'VP Sales', account_ids: [account] }] as const
  const header = { headers: { 'idempotency-key': 'erased' } }
  assert.equal((await admin.post(`/v1${find[0]}`, find[1], header)).data.found, 1)
  await admin.expect(200, 'DELETE', `/v1/people/${person?.id}`)
  refused(await admin.post(`/v1${find[0]}`, find[1], header), 403, 'forbidden')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertSearch, saveHits } from '../src/people/search/search-store.ts'
import type { Client } from './support/client.ts'
import { quickHubspot, vendorsOnline } from './support/crm.ts'
import { scene } from './support/scene.ts'
import { testService } from './support/service.ts'

/**
 * Two accounts with a person each. Every path to a person is walked by an admin, by the scoped owner of the first
 * account, by a scoped member to whom the second person is assigned, by a scoped member with nothing, and by the
 * admin of another workspace.
 */
const service = await testService({ env: (await vendorsOnline(quickHubspot())).env })
const { admin, workspaceId } = service
const owner = await service.member({ visibility: 'scoped' })
const assignee = await service.member({ visibility: 'scoped' })
const nobody = await service.member({ visibility: 'scoped' })
const { client: stranger } = await service.stranger()
for (const client of [admin, stranger]) {
  await client.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
}

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
  const [first] = await save([{ account_id: accounts[0] as string, full_name: 'First', ...contact() }])
  const [second] = await save([{ account_id: accounts[1] as string, full_name: 'Second', ...contact() }])
  const ids = { first: first?.id as string, second: second?.id as string }
  await admin.expect(200, 'PUT', `/v1/people/${ids.second}/owner`, { owner_id: assignee.id })
  const list = await admin.expect(201, 'POST', '/v1/people/lists', { name: crypto.randomUUID() })
  await admin.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: Object.values(ids) })
  const search = crypto.randomUUID()
  const hits = Object.values(ids).map((id) => ({ id, tier: 1 }))
  await service.deps.db.transaction().execute(async (db) => {
    await insertSearch(db, workspaceId, search, 'anybody')
    await saveHits(db, workspaceId, search, hits)
  })
  return { ids, list, search, accounts: { first: accounts[0] as string, second: accounts[1] as string } }
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
  'GET /people/searches/:id': async (client, { ids, search }) =>
    reached(ids, (await client.get(`/v1/people/searches/${search}`)).text),
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
    test(`${path}: ${who} reaches ${SEES[who].join(' and ') || 'nobody'}`, async () => {
      const people = DESTRUCTIVE.includes(path) ? await twoPeople() : shared
      assert.deepEqual(await walk(clients[who], people), SEES[who])
    })
  }
}

test('a list counts only the members the caller may see', async () => {
  const { list } = await twoPeople()
  const counts = { admin: 2, owner: 1, assignee: 1, nobody: 0 }
  for (const [who, count] of Object.entries(counts)) {
    const lists = await clients[who as Who].expect(200, 'GET', '/v1/people/lists')
    assert.equal(lists.find(({ id }: { id: string }) => id === list.id).member_count, count, who)
  }
})

test('Find People does not search the accounts of others', async () => {
  const { accounts } = await twoPeople()
  const find = (who: Who, id: string) => clients[who].post('/v1/people/find', { query: 'VP', account_ids: [id] })
  assert.equal((await find('owner', accounts.second)).status, 422)
  assert.equal((await find('nobody', accounts.first)).status, 422)
  assert.equal((await find('stranger', accounts.first)).status, 422)
  assert.notEqual((await find('owner', accounts.first)).status, 422)
})

test('a scoped member cannot take an account and so see its people', async () => {
  const { accounts, ids } = await twoPeople()
  const path = `/v1/accounts/${accounts.second}`
  for (const call of [
    nobody.client.put(`${path}/owner`, { owner_id: nobody.id }),
    nobody.client.patch(path, { owner_id: nobody.id }),
  ]) {
    const answer = await call
    assert.deepEqual([answer.status, answer.error.code], [403, 'forbidden'])
  }
  const suggested = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Idle' })
  assert.equal((await nobody.client.post(`/v1/accounts/${suggested.id}/activate`, { owner_id: nobody.id })).status, 403)
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()

async function fresh(count = 3) {
  const people = Array.from({ length: count }, (_, n) => ({ full_name: `P ${n}` }))
  const { client, people: saved } = await scene(service, { accounts: 1, people })
  const list = await client.expect(201, 'POST', '/v1/people/lists', { name: 'Leads' })
  return { client, list, ids: saved.map(({ id }) => id) }
}

test('a list is created, and the same name returns the same list', async () => {
  const { client, list } = await fresh()
  assert.deepEqual(Object.keys(list).sort(), ['created_at', 'created_by', 'id', 'member_count', 'name'])
  const again = await client.post('/v1/people/lists', { name: ' Leads ' })
  assert.equal(again.status, 200)
  assert.deepEqual(again.data, list)
  refused(await client.post('/v1/people/lists', { name: ' ' }), 400, 'invalid_request')
})

test('two concurrent creations of one name give one list', async () => {
  const { client } = await fresh(0)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/v1/people/lists', { name: 'At once' })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 1)
})

test('members are added and removed, and the response counts them and lists unknown ids', async () => {
  const { client, list, ids } = await fresh()
  const path = `/v1/people/lists/${list.id}/members`
  const unknown = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'
  assert.deepEqual(await client.expect(200, 'POST', path, { add: [ids[0], ids[1], ids[0], unknown, 'x'] }), {
    list_id: list.id,
    added: 2,
    removed: 0,
    not_found: [unknown, 'x'],
  })
  assert.deepEqual(await client.expect(200, 'POST', path, { add: [ids[1], ids[2]], remove: [ids[0]] }), {
    list_id: list.id,
    added: 1,
    removed: 1,
    not_found: [],
  })
  assert.deepEqual(await client.expect(200, 'POST', path, {}), {
    list_id: list.id,
    added: 0,
    removed: 0,
    not_found: [],
  })
  const [listed] = await client.expect(200, 'GET', '/v1/people/lists')
  assert.equal(listed.member_count, 2)
  assert.deepEqual((await client.expect(200, 'GET', `/v1/people/${ids[1]}`)).list_ids, [list.id])
})

test('500 ids are accepted in one call, 501 are rejected and nothing changes', async () => {
  const { client, list, ids } = await fresh(501)
  const path = `/v1/people/lists/${list.id}/members`
  refused(await client.post(path, { add: ids }), 400, 'invalid_request')
  refused(await client.post(path, { remove: ids }), 400, 'invalid_request')
  assert.equal((await client.expect(200, 'GET', '/v1/people/lists'))[0].member_count, 0)
  assert.equal((await client.expect(200, 'POST', path, { add: ids.slice(0, 500) })).added, 500)
  assert.equal((await client.expect(200, 'POST', path, { remove: ids.slice(0, 500) })).removed, 500)
})

test('a deleted list keeps its people', async () => {
  const { client, list, ids } = await fresh()
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: ids })
  assert.deepEqual(await client.expect(200, 'DELETE', `/v1/people/lists/${list.id}`), { id: list.id, deleted: true })
  refused(await client.delete(`/v1/people/lists/${list.id}`), 404, 'not_found')
  assert.equal((await client.get('/v1/people')).body.pagination.total, 3)
  assert.deepEqual((await client.expect(200, 'GET', `/v1/people/${ids[0]}`)).list_ids, [])
  assert.deepEqual(await client.expect(200, 'GET', '/v1/people/lists'), [])
})

test('a list is deleted by its creator or an admin', async () => {
  const maker = await service.member()
  const { client } = maker
  const other = await service.member()
  const make = (name: string) => client.expect(201, 'POST', '/v1/people/lists', { name })
  const [first, second, third] = [await make('First'), await make('Second'), await make('Third')]
  assert.deepEqual([first.created_by, third.created_by], [maker.id, maker.id])
  refused(await other.client.delete(`/v1/people/lists/${first.id}`), 403, 'forbidden')
  // Getting it by its name does not make it theirs.
  await other.client.expect(200, 'POST', '/v1/people/lists', { name: 'First' })
  refused(await other.client.delete(`/v1/people/lists/${first.id}`), 403, 'forbidden')
  await client.expect(200, 'DELETE', `/v1/people/lists/${first.id}`)
  await service.admin.expect(200, 'DELETE', `/v1/people/lists/${second.id}`)
  await service.deps.db.updateTable('people_lists').set({ created_by: null }).where('id', '=', third.id).execute()
  refused(await client.delete(`/v1/people/lists/${third.id}`), 403, 'forbidden')
})

test('lists and people of another workspace are not found', async () => {
  const theirs = await fresh()
  const { client, list, ids } = await fresh()
  refused(await client.post(`/v1/people/lists/${theirs.list.id}/members`, { add: ids }), 404, 'not_found')
  refused(await client.delete(`/v1/people/lists/${theirs.list.id}`), 404, 'not_found')
  const changed = await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: theirs.ids })
  assert.deepEqual([changed.added, changed.not_found], [0, theirs.ids])
  assert.equal((await client.expect(200, 'GET', '/v1/people/lists')).length, 1)
})

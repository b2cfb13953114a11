import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()

const titles = async (client = service.admin) =>
  (await client.get('/v1/knowledge-base')).data.map(
    ({ title, position }: { title: string; position: number }) => `${title}@${position}`,
  )

async function fresh() {
  const { client } = await service.stranger()
  return client
}

test('a section is created with the type custom at the end of the list', async () => {
  const client = await fresh()
  const first = await client.post('/v1/knowledge-base', { title: 'A', content_md: 'a' })
  assert.equal(first.status, 201)
  const { id, created_at, ...rest } = first.data
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(Date.parse(created_at) > Date.now() - 60_000)
  assert.deepEqual(rest, {
    type: 'custom',
    title: 'A',
    content_md: 'a',
    source_url: null,
    is_ai_generated: false,
    position: 0,
  })
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'B', content_md: '', type: 'pricing' })
  assert.deepEqual(await titles(client), ['A@0', 'B@1'])
})

test('a given position is kept, and only a taken one moves the others down', async () => {
  const client = await fresh()
  for (const [title, position] of [
    ['A', 0],
    ['B', 1],
    ['C', 7],
  ]) {
    await client.expect(201, 'POST', '/v1/knowledge-base', { title, position, content_md: '' })
  }
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'free', position: 4, content_md: '' })
  assert.deepEqual(await titles(client), ['A@0', 'B@1', 'free@4', 'C@7'])
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'taken', position: 1, content_md: '' })
  assert.deepEqual(await titles(client), ['A@0', 'taken@1', 'B@2', 'free@5', 'C@8'])
})

test('a section changes in the fields that are sent and in no others', async () => {
  const client = await fresh()
  const { id } = await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'A', content_md: 'a', type: 'icp' })
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'B', content_md: 'b' })
  assert.equal((await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { content_md: 'new' })).content_md, 'new')
  const moved = await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, { position: 1 })
  assert.deepEqual([moved.title, moved.content_md, moved.type, moved.position], ['A', 'new', 'icp', 1])
  assert.deepEqual(await titles(client), ['A@1', 'B@2'])
  assert.equal((await client.expect(200, 'PATCH', `/v1/knowledge-base/${id}`, {})).title, 'A')
})

test('a section is deleted once', async () => {
  const client = await fresh()
  const { id } = await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'A', content_md: 'a' })
  assert.deepEqual(await client.expect(200, 'DELETE', `/v1/knowledge-base/${id}`), { id, deleted: true })
  refused(await client.delete(`/v1/knowledge-base/${id}`), 404, 'not_found')
  assert.deepEqual(await titles(client), [])
})

test('twenty sections added at once get twenty positions', async () => {
  const client = await fresh()
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => client.post('/v1/knowledge-base', { title: `S${n}`, content_md: '' })),
  )
  const positions = (await client.get('/v1/knowledge-base')).data.map(({ position }: { position: number }) => position)
  assert.deepEqual(
    positions,
    Array.from({ length: 20 }, (_, n) => n),
  )
})

test('bad input names every field and writes nothing', async () => {
  const client = await fresh()
  const answer = await client.post('/v1/knowledge-base', { title: '', position: -1 })
  refused(answer, 400, 'invalid_request')
  assert.deepEqual(answer.error.details.map(({ path }: { path: string }) => path).sort(), [
    'content_md',
    'position',
    'title',
  ])
  refused(await client.post('/v1/knowledge-base', { title: 5, content_md: 'a' }), 400, 'invalid_request')
  refused(
    await client.post('/v1/knowledge-base', { title: 'A', content_md: 'a', position: 1.5 }),
    400,
    'invalid_request',
  )
  assert.deepEqual(await titles(client), [])
})

test('a section of another workspace is not there', async () => {
  const { id } = await service.admin.expect(201, 'POST', '/v1/knowledge-base', { title: 'mine', content_md: '' })
  const client = await fresh()
  refused(await client.patch(`/v1/knowledge-base/${id}`, { title: 'theirs' }), 404, 'not_found')
  refused(await client.delete(`/v1/knowledge-base/${id}`), 404, 'not_found')
  refused(await client.delete('/v1/knowledge-base/not-an-id'), 404, 'not_found')
  assert.deepEqual(await titles(), ['mine@0'])
})

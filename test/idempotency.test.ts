import assert from 'node:assert/strict'
import { test } from 'node:test'
import { purgeIdempotencyKeys } from '../src/http/idempotency.ts'
import { refused } from './support/client.ts'
import { testService } from './support/service.ts'

const service = await testService()
const section = { title: 'Once', content_md: 'x' }
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })
const rows = () => service.deps.db.selectFrom('idempotency_keys').selectAll().execute()

async function fresh() {
  const { client } = await service.stranger()
  return { client, count: async () => (await client.expect(200, 'GET', '/v1/knowledge-base')).length as number }
}

test('a request with the same key and body gets the first response and runs once', async () => {
  const { client, count } = await fresh()
  const first = await client.post('/v1/knowledge-base', section, withKey('a'))
  const second = await client.post('/v1/knowledge-base', section, withKey('a'))
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.equal(second.text, first.text)
  assert.deepEqual(
    [first.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')],
    [null, 'true'],
  )
  assert.equal(await count(), 1)
})

test('twenty concurrent requests with one key run once and get one response', async () => {
  const { client, count } = await fresh()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/v1/knowledge-base', section, withKey('b'))),
  )
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.ok(answers.every(({ status }) => status === 201))
  assert.equal(await count(), 1)
})

test('the same key with another body or path is rejected', async () => {
  const { client, count } = await fresh()
  await client.post('/v1/knowledge-base', section, withKey('c'))
  refused(
    await client.post('/v1/knowledge-base', { ...section, title: 'Other' }, withKey('c')),
    409,
    'idempotency_key_reused',
  )
  refused(
    await client.post('/v1/signals', { name: 'S', description: 'Orders robots' }, withKey('c')),
    409,
    'idempotency_key_reused',
  )
  assert.equal(await count(), 1)
})

test('an error response is replayed too', async () => {
  const { client } = await fresh()
  await client.post('/v1/signals', { name: 'Taken', description: 'Orders robots' })
  refused(
    await client.post('/v1/signals', { name: 'Taken', description: 'Orders robots' }, withKey('d')),
    409,
    'name_taken',
  )
  const again = await client.post('/v1/signals', { name: 'Taken', description: 'Orders robots' }, withKey('d'))
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [409, 'true'])
})

test('keys of two members are independent', async () => {
  const one = await service.member()
  const two = await service.member()
  const first = await one.client.post('/v1/knowledge-base', section, withKey('e'))
  const second = await two.client.post('/v1/knowledge-base', section, withKey('e'))
  assert.notEqual(first.data.id, second.data.id)
})

test('a stored response is encrypted in the database', async () => {
  const { client } = await fresh()
  await client.post('/v1/knowledge-base', { title: 'Unreadable words', content_md: '' }, withKey('f'))
  const kept = (await rows()).find(({ key }) => key === 'f')
  assert.ok(kept?.answer_sealed && !kept.answer_sealed.toString('latin1').includes('Unreadable'))
})

test('after 24 hours the key is free again, and the purge removes it', async () => {
  const { client, count } = await fresh()
  await client.post('/v1/knowledge-base', section, withKey('g'))
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  await service.deps.db.updateTable('idempotency_keys').set({ created_at: yesterday }).where('key', '=', 'g').execute()
  await client.post('/v1/knowledge-base', section, withKey('g'))
  assert.equal(await count(), 2)
  await service.deps.db.updateTable('idempotency_keys').set({ created_at: yesterday }).where('key', '=', 'g').execute()
  await service.run(purgeIdempotencyKeys, {})
  assert.ok(!(await rows()).some(({ key }) => key === 'g'))
})

test('the key of a request that died is free when its lease expires', async () => {
  const { client, count } = await fresh()
  await client.post('/v1/knowledge-base', section, withKey('h'))
  await service.deps.db
    .updateTable('idempotency_keys')
    .set({ status: null, answer_sealed: null, lease_until: new Date(0) })
    .where('key', '=', 'h')
    .execute()
  assert.equal((await client.post('/v1/knowledge-base', section, withKey('h'))).status, 201)
  assert.equal(await count(), 2)
})

test('an invalid key is rejected', async () => {
  refused(await service.admin.post('/v1/knowledge-base', section, withKey('x'.repeat(256))), 400, 'invalid_request')
  refused(await service.admin.post('/v1/knowledge-base', section, withKey('a b')), 400, 'invalid_request')
})

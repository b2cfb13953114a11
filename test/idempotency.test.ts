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

test('the same key and body get the first answer again and happen once', async () => {
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

test('twenty requests at once with one key happen once and get one answer', async () => {
  const { client, count } = await fresh()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/v1/knowledge-base', section, withKey('b'))),
  )
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.ok(answers.every(({ status }) => status === 201))
  assert.equal(await count(), 1)
})

test('the same key with another body or path is refused', async () => {
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

test('a refusal is an answer too and is given again', async () => {
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

test('keys of two members do not meet', async () => {
  const one = await service.member()
  const two = await service.member()
  const first = await one.client.post('/v1/knowledge-base', section, withKey('e'))
  const second = await two.client.post('/v1/knowledge-base', section, withKey('e'))
  assert.notEqual(first.data.id, second.data.id)
})

test('a kept answer is unreadable in the database', async () => {
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

test('a request that died in mid-work gives its key free when its lease ends', async () => {
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

test('a key that cannot be one is refused', async () => {
  refused(await service.admin.post('/v1/knowledge-base', section, withKey('x'.repeat(256))), 400, 'invalid_request')
  refused(await service.admin.post('/v1/knowledge-base', section, withKey('a b')), 400, 'invalid_request')
})

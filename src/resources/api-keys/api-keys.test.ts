import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { ADMIN_KEY, testService } from '../../../test/support/service.ts'

const service = await testService()

test('a key is returned once, and only its hash is stored', async () => {
  const created = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'sync' })
  assert.match(created.key, /^bw_[\w-]{43}$/)
  assert.ok(created.key.startsWith(created.prefix))
  await service.as(created.key).expect(200, 'GET', '/v1/members')
  const listed = await service.admin.get('/v1/api-keys')
  assert.ok(!listed.text.includes(created.key))
  const stored = await service.deps.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', created.id)
    .executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(stored).includes(created.key.slice(12)))
})

test('a key belongs to the caller unless another member is named', async () => {
  const { id } = await service.member()
  const mine = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'mine' })
  const theirs = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'theirs', member_id: id })
  assert.notEqual(mine.member_id, id)
  assert.equal(theirs.member_id, id)
  refused(await service.as(theirs.key).get('/v1/api-keys'), 403, 'forbidden')
})

test('a key cannot be created for a member of another workspace', async () => {
  const { client } = await service.stranger()
  const { id } = await service.member()
  refused(await client.post('/v1/api-keys', { name: 'x', member_id: id }), 422, 'unknown_member')
  refused(await client.post('/v1/api-keys', { name: 'x', member_id: 'nobody' }), 422, 'unknown_member')
})

test('a revoked key is rejected at once', async () => {
  const { id, key } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'short-lived' })
  await service.as(key).expect(200, 'GET', '/v1/members')
  assert.deepEqual(await service.admin.expect(200, 'DELETE', `/v1/api-keys/${id}`), { id, deleted: true })
  refused(await service.as(key).get('/v1/members'), 401, 'unauthenticated')
  refused(await service.admin.delete(`/v1/api-keys/${id}`), 404, 'not_found')
  const listed = await service.admin.expect(200, 'GET', '/v1/api-keys')
  assert.ok(!listed.some((one: { id: string }) => one.id === id))
})

test('an expired key is rejected', async () => {
  const { id, key } = await service.admin.expect(201, 'POST', '/v1/api-keys', {
    name: 'e',
    expires_at: '2099-01-01T00:00:00Z',
  })
  await service.as(key).expect(200, 'GET', '/v1/members')
  await service.deps.db
    .updateTable('api_keys')
    .set({ expires_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', id)
    .execute()
  service.deps.keys.forget()
  refused(await service.as(key).get('/v1/members'), 401, 'unauthenticated')
  refused(
    await service.admin.post('/v1/api-keys', { name: 'e', expires_at: '2020-01-01T00:00:00Z' }),
    400,
    'invalid_request',
  )
})

test('a read-only key can read and cannot write', async () => {
  const { key } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'r', read_only: true })
  await service.as(key).expect(200, 'GET', '/v1/knowledge-base')
  refused(await service.as(key).post('/v1/knowledge-base', { title: 'a', content_md: 'b' }), 403, 'forbidden')
  refused(await service.as(key).put('/v1/settings/notifications', { chat_enabled: true }), 403, 'forbidden')
})

test('the last use of a key is recorded', async () => {
  const { id, key } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'used' })
  const lastUse = async () =>
    (await service.admin.expect(200, 'GET', '/v1/api-keys')).find((one: { id: string }) => one.id === id).last_used_at
  assert.equal(await lastUse(), null)
  await service.as(key).expect(200, 'GET', '/v1/members')
  assert.ok(Date.parse(await lastUse()) > Date.now() - 60_000)
})

test('a request without a valid key gets no further information', async () => {
  for (const client of [service.as(null), service.as('bw_unknown'), service.as(`${ADMIN_KEY}x`)]) {
    const answer = await client.get('/v1/members')
    refused(answer, 401, 'unauthenticated')
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }
  const basic = await service.as(null).get('/v1/members', { headers: { authorization: `Basic ${ADMIN_KEY}` } })
  refused(basic, 401, 'unauthenticated')
})

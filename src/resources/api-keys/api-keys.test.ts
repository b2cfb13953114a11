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

test('a key with the scope work acts as a member who is no admin, and a browser signed in with it, too', async () => {
  const { key, scope } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'w', scope: 'work' })
  assert.equal(scope, 'work')
  const client = service.as(key)
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'a', content_md: 'b' })
  refused(await client.get('/v1/api-keys'), 403, 'forbidden')
  assert.equal((await client.expect(200, 'GET', '/v1/me')).member.role, 'member')
  assert.equal((await service.admin.expect(200, 'GET', '/v1/me')).member.role, 'admin')
  const signedIn = await service.as(null).post('/v1/sessions', { key })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] as string
  refused(await service.as(null).get('/v1/api-keys', { headers: { cookie } }), 403, 'forbidden')
  refused(
    await service.admin.post('/v1/api-keys', { name: 'x', scope: 'work', read_only: true }),
    400,
    'invalid_request',
  )
})

test('a key restricted to operations calls nothing else, and cannot sign a browser in', async () => {
  const wanted = { name: 'o', operations: ['listMembers', 'listMembers'] }
  const { key, operations } = await service.admin.expect(201, 'POST', '/v1/api-keys', wanted)
  assert.deepEqual(operations, ['listMembers'])
  await service.as(key).expect(200, 'GET', '/v1/members')
  const answer = await service.as(key).get('/v1/accounts')
  refused(answer, 403, 'forbidden')
  assert.match(answer.error.message, /may only call listMembers/)
  refused(await service.as(null).post('/v1/sessions', { key }), 403, 'forbidden')
  const maker = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'm', operations: ['createApiKey'] })
  refused(await service.as(maker.key).post('/v1/api-keys', { name: 'free' }), 403, 'forbidden')
  // Nor with the stored response of another key of the same member.
  const headers = { 'idempotency-key': 'create-free' }
  assert.equal((await service.admin.post('/v1/api-keys', { name: 'free' }, { headers })).status, 201)
  refused(await service.as(maker.key).post('/v1/api-keys', { name: 'free' }, { headers }), 403, 'forbidden')
  const unknown = await service.admin.post('/v1/api-keys', { name: 'o', operations: ['listMembers', 'dropAll'] })
  refused(unknown, 400, 'invalid_request')
  assert.equal(unknown.error.details[0].path, 'operations.1')
})

test('a restricted key creates no members, and changes neither their email address nor their role', async () => {
  const { key } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'r', allowed_ips: ['127.0.0.0/8'] })
  const client = service.as(key)
  const { id } = await service.member()
  const added = { name: 'Eve', email: 'eve@team.example', role: 'admin' }
  refused(await client.post('/v1/members', added), 403, 'forbidden')
  refused(await client.patch(`/v1/members/${id}`, { email: 'eve@team.example' }), 403, 'forbidden')
  refused(await client.patch(`/v1/members/${id}`, { role: 'admin' }), 403, 'forbidden')
  refused(await client.post('/v1/sign-in-links', { member_id: id }), 403, 'forbidden')
  assert.equal((await client.expect(200, 'PATCH', `/v1/members/${id}`, { name: 'Sammy' })).name, 'Sammy')
})

test('a key that expires creates only keys that expire no later, and no sign-in links', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const later = new Date(Date.now() + 7_200_000).toISOString()
  const { key } = await service.admin.expect(201, 'POST', '/v1/api-keys', { name: 'e', expires_at })
  const signedIn = await service.as(null).post('/v1/sessions', { key })
  const session = { headers: { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] as string } }
  for (const body of [{ name: 'x' }, { name: 'x', expires_at: null }, { name: 'x', expires_at: later }]) {
    const answer = await service.as(key).post('/v1/api-keys', body)
    refused(answer, 403, 'forbidden')
    assert.match(answer.error.message, /This API key expires at/)
  }
  const origin = { ...session.headers, origin: service.address }
  refused(await service.as(null).post('/v1/api-keys', { name: 'x' }, { headers: origin }), 403, 'forbidden')
  refused(await service.as(key).post('/v1/sign-in-links', {}), 403, 'forbidden')
  await service.as(key).expect(201, 'POST', '/v1/api-keys', { name: 'x', expires_at })
})

test('a key works only from its addresses, and so does a browser signed in with it', async () => {
  const create = (allowed_ips: string[]) => service.admin.post('/v1/api-keys', { name: 'i', allowed_ips })
  const inside = (await create(['127.0.0.9/8', '10.1.2.3'])).data
  assert.deepEqual(inside.allowed_ips, ['127.0.0.0/8', '10.1.2.3/32'])
  await service.as(inside.key).expect(200, 'GET', '/v1/members')
  const outside = (await create(['10.0.0.0/8', '2001:db8::/32'])).data
  for (const again of [1, 2]) {
    const answer = await service.as(outside.key).get('/v1/members')
    refused(answer, 403, 'forbidden')
    assert.match(answer.error.message, /may not be used from 127\.0\.0\.1/, `call ${again}`)
  }
  refused(await service.as(null).post('/v1/sessions', { key: outside.key }), 403, 'forbidden')
  const listed = await service.admin.expect(200, 'GET', '/v1/api-keys')
  assert.equal(listed.find((one: { id: string }) => one.id === outside.id).last_used_at, null)
  const signedIn = await service.as(null).post('/v1/sessions', { key: inside.key })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] as string
  await service.deps.db
    .updateTable('api_keys')
    .set({ allowed_ips: ['10.0.0.0/8'] })
    .where('id', '=', inside.id)
    .execute()
  service.deps.keys.forget()
  refused(await service.as(null).get('/v1/members', { headers: { cookie } }), 403, 'forbidden')
  for (const wrong of ['10.0.0.0/33', 'example.com', '1.2.3', '', '::ffff:10.0.0.0/64'])
    refused(await create([wrong]), 400, 'invalid_request')
})

test('addresses of a key may be IPv4, IPv6 or mapped, and are compared with those behind a trusted proxy', async () => {
  const proxied = await testService({ env: { TRUST_PROXY: '1' } })
  const allowed_ips = ['::ffff:10.0.0.0/104', '::FFFF:192.0.2.7', '2001:DB8:1::/48', '2001:db8:2::5']
  const created = await proxied.admin.expect(201, 'POST', '/v1/api-keys', { name: 'i', allowed_ips })
  assert.deepEqual(created.allowed_ips, ['10.0.0.0/8', '192.0.2.7/32', '2001:db8:1::/48', '2001:db8:2::5/128'])
  const status = async (address: string) => {
    const answer = await proxied.as(created.key).get('/v1/me', { headers: { 'x-forwarded-for': address } })
    return answer.status
  }
  for (const address of ['10.200.0.1', '::ffff:10.1.1.1', '192.0.2.7', '2001:db8:1:ffff::1', '2001:db8:2::5'])
    assert.equal(await status(address), 200, address)
  // Of several addresses only the last one was added by the trusted proxy.
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db8:2::6', '::ffff:11.0.0.1', '10.0.0.1, 11.0.0.1'])
    assert.equal(await status(address), 403, address)
})

test('a service account is no member, and its rights are the scope of its key', async () => {
  const { id } = await service.admin.expect(201, 'POST', '/v1/service-accounts', { name: 'Warehouse sync' })
  const body = { name: 'sync', member_id: id, scope: 'work' }
  const { key } = await service.admin.expect(201, 'POST', '/v1/api-keys', body)
  const client = service.as(key)
  await client.expect(201, 'POST', '/v1/knowledge-base', { title: 'a', content_md: 'b' })
  refused(await client.get('/v1/api-keys'), 403, 'forbidden')
  const me = await client.expect(200, 'GET', '/v1/me')
  assert.deepEqual([me.member.name, me.member.email], ['Warehouse sync', null])

  const members = await service.admin.expect(200, 'GET', '/v1/members')
  assert.ok(!members.some((member: { id: string }) => member.id === id))
  refused(await service.admin.patch(`/v1/members/${id}`, { role: 'member' }), 404, 'not_found')
  refused(await service.admin.delete(`/v1/members/${id}`), 404, 'not_found')
  refused(await service.admin.post('/v1/sign-in-links', { member_id: id }), 422, 'unknown_member')
  refused(await service.as(null).post('/v1/sessions', { key }), 403, 'forbidden')
  const account = await client.expect(201, 'POST', '/v1/accounts', { name: 'A' })
  refused(await client.put(`/v1/accounts/${account.id}/owner`, { owner_id: id }), 422, 'unknown_member')

  // Members see its name where it did something.
  const { client: colleague } = await service.member({ visibility: 'scoped' })
  assert.equal((await colleague.expect(200, 'GET', '/v1/service-accounts'))[0].name, 'Warehouse sync')
  refused(await colleague.delete(`/v1/service-accounts/${id}`), 403, 'forbidden')
  const [listed] = await service.admin.expect(200, 'GET', '/v1/service-accounts')
  assert.deepEqual([listed.id, listed.keys], [id, 1])
  await service.admin.expect(200, 'DELETE', `/v1/service-accounts/${id}`)
  refused(await client.get('/v1/me'), 401, 'unauthenticated')
  refused(await service.admin.delete(`/v1/service-accounts/${id}`), 404, 'not_found')
  const { client: stranger } = await service.stranger()
  assert.deepEqual(await stranger.expect(200, 'GET', '/v1/service-accounts'), [])
})

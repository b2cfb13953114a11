import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()

test('every key can read the members, and only an admin can change them', async () => {
  const { client, id } = await service.member({ name: 'Reader' })
  const listed = await client.expect(200, 'GET', '/v1/members')
  const reader = listed.find((member: { id: string }) => member.id === id)
  assert.deepEqual(Object.keys(reader).sort(), [
    ...['created_at', 'email', 'id', 'name', 'role', 'time_zone', 'visibility'],
  ])
  refused(await client.post('/v1/members', { name: 'X', email: 'x@team.example' }), 403, 'forbidden')
  refused(await client.patch(`/v1/members/${id}`, { role: 'admin' }), 403, 'forbidden')
  refused(await client.delete(`/v1/members/${id}`), 403, 'forbidden')
})

test('a member is created with role member and visibility all by default', async () => {
  const plain = await service.admin.expect(201, 'POST', '/v1/members', { name: 'Plain', email: 'plain@team.example' })
  assert.deepEqual([plain.role, plain.visibility], ['member', 'all'])
  const fields = { name: 'Scoped', email: 'scoped@team.example', role: 'admin', visibility: 'scoped' }
  const scoped = await service.admin.expect(201, 'POST', '/v1/members', fields)
  assert.deepEqual([scoped.role, scoped.visibility], ['admin', 'scoped'])
})

test('an email address belongs to one member of a workspace, whatever its case', async () => {
  await service.admin.expect(201, 'POST', '/v1/members', { name: 'One', email: 'same@team.example' })
  refused(await service.admin.post('/v1/members', { name: 'Two', email: 'SAME@team.example' }), 409, 'email_taken')
  const { client } = await service.stranger()
  await client.expect(201, 'POST', '/v1/members', { name: 'Elsewhere', email: 'same@team.example' })
})

test('a change of role or visibility takes effect for the member’s keys at once', async () => {
  const { client, id } = await service.member()
  refused(await client.get('/v1/api-keys'), 403, 'forbidden')
  assert.equal((await service.admin.expect(200, 'PATCH', `/v1/members/${id}`, { role: 'admin' })).role, 'admin')
  await client.expect(200, 'GET', '/v1/api-keys')
})

test('the keys of a removed member stop working', async () => {
  const { client, id } = await service.member()
  await client.expect(200, 'GET', '/v1/members')
  assert.deepEqual(await service.admin.expect(200, 'DELETE', `/v1/members/${id}`), { id, deleted: true })
  refused(await client.get('/v1/members'), 401, 'unauthenticated')
  refused(await service.admin.delete(`/v1/members/${id}`), 404, 'not_found')
})

test('of two admins who remove each other concurrently, one remains', async () => {
  const { client, workspaceId } = await service.stranger()
  const [first] = await client.expect(200, 'GET', '/v1/members')
  const second = await client.expect(201, 'POST', '/v1/members', { name: 'B', email: 'b@x.example', role: 'admin' })
  const answers = await Promise.all([
    client.delete(`/v1/members/${first.id}`),
    client.patch(`/v1/members/${second.id}`, { role: 'member' }),
  ])
  const done = answers.filter(({ status }) => status === 200).length
  const admins = await service.deps.db
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin')
    .execute()
  assert.equal(admins.length, 1)
  assert.ok(done >= 1)
})

test('the last admin can be neither removed nor demoted', async () => {
  const { client } = await service.stranger()
  const [admin] = await client.expect(200, 'GET', '/v1/members')
  refused(await client.delete(`/v1/members/${admin.id}`), 409, 'last_admin')
  refused(await client.patch(`/v1/members/${admin.id}`, { role: 'member' }), 409, 'last_admin')
})

test('a member of another workspace is not found', async () => {
  const { id } = await service.member()
  const { client } = await service.stranger()
  refused(await client.patch(`/v1/members/${id}`, { name: 'Mine' }), 404, 'not_found')
  refused(await client.delete(`/v1/members/${id}`), 404, 'not_found')
})

test('a member needs a name and an address', async () => {
  const answer = await service.admin.post('/v1/members', { name: ' ', email: 'nobody' })
  refused(answer, 400, 'invalid_request')
  assert.deepEqual(answer.error.details.map(({ path }: { path: string }) => path).sort(), ['email', 'name'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()
const { db } = service.deps

test('a suggested account is activated and one credit is taken; again costs nothing', async () => {
  const { client, add } = await scene(service)
  const [{ id: adminId }] = await client.expect(200, 'GET', '/v1/members')
  const { id } = await add({ name: 'A' })
  const active = await client.expect(200, 'POST', `/v1/accounts/${id}/activate`, { owner_id: adminId })
  assert.deepEqual([active.status, active.owner_id], ['active', adminId])
  assert.ok(Date.parse(active.activated_at) > Date.now() - 60_000)
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)).status, 'active')
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 1)
})

test('activating again in the same period is free, in the next one it is not', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${id}/deactivate`)).status, 'suggested')
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  const used = async () => (await client.expect(200, 'GET', '/v1/subscription')).credits_used
  assert.equal(await used(), 1)
  await client.expect(200, 'POST', `/v1/accounts/${id}/deactivate`)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  await db
    .updateTable('subscriptions')
    .set({ period_start: ago(40), period_end: ago(5) })
    .where('workspace_id', '=', workspaceId)
    .execute()
  assert.equal(await used(), 0)
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  assert.equal(await used(), 1)
})

test('twenty concurrent activations on five credits make five', async () => {
  const { client, add } = await scene(service)
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 5 })
  const accounts = await add(Array.from({ length: 20 }, (_, n) => ({ name: `N${n}` })))
  const answers = await Promise.all(
    accounts.map(({ id }: { id: string }) => client.post(`/v1/accounts/${id}/activate`)),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  for (const answer of answers.filter(({ status }) => status !== 200)) refused(answer, 402, 'plan_limit_reached')
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 5)
  assert.equal((await client.get('/v1/accounts?status=active')).body.pagination.total, 5)
})

test('twenty concurrent activations of one account take one credit', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(`/v1/accounts/${id}/activate`)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 1)
})

test('without an active subscription nothing is activated or scanned', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A' })
  await client.expect(200, 'PUT', '/v1/subscription', { status: 'inactive' })
  refused(await client.post(`/v1/accounts/${id}/activate`), 402, 'subscription_required')
  refused(await client.post(`/v1/accounts/${id}/scan`), 402, 'subscription_required')
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${id}`)).status, 'suggested')
})

test('a suggested account is rejected, an active one never', async () => {
  const { client, add } = await scene(service)
  const [one, two] = await add([{ name: 'A' }, { name: 'B' }])
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${one.id}/reject`)).status, 'rejected')
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${one.id}/reject`)).status, 'rejected')
  refused(await client.post(`/v1/accounts/${one.id}/activate`), 409, 'invalid_transition')
  await client.expect(200, 'POST', `/v1/accounts/${two.id}/activate`)
  refused(await client.post(`/v1/accounts/${two.id}/reject`), 409, 'account_active')
  assert.equal((await client.expect(200, 'GET', `/v1/accounts/${two.id}`)).status, 'active')
})

test('a rejected, unqualified or new account becomes suggested by PATCH; no other status is taken', async () => {
  const { client, add, workspaceId } = await scene(service)
  const { id } = await add({ name: 'A' })
  for (const status of ['rejected', 'unqualified', 'new'] as const) {
    await db.updateTable('accounts').set({ status }).where('workspace_id', '=', workspaceId).execute()
    assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { status: 'suggested' })).status, 'suggested')
  }
  refused(await client.patch(`/v1/accounts/${id}`, { status: 'active' }), 409, 'invalid_transition')
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  refused(await client.patch(`/v1/accounts/${id}`, { status: 'suggested' }), 409, 'invalid_transition')
  await db.updateTable('accounts').set({ status: 'new' }).where('workspace_id', '=', workspaceId).execute()
  assert.equal((await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)).status, 'active')
})

test('only an active account is deactivated or enriched', async () => {
  const { client, add } = await scene(service)
  const { id } = await add({ name: 'A' })
  refused(await client.post(`/v1/accounts/${id}/deactivate`), 409, 'account_not_active')
  refused(await client.post(`/v1/accounts/${id}/enrich`), 409, 'account_not_active')
})

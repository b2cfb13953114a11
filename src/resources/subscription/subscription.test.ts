import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()

test('a fresh workspace is active with 1,000 activations for a month', async () => {
  const { client } = await service.stranger()
  const { period_start, period_end, ...plan } = await client.expect(200, 'GET', '/v1/subscription')
  assert.deepEqual(plan, { status: 'active', account_limit: 1000, credits_used: 0 })
  const days = (Date.parse(period_end) - Date.parse(period_start)) / 86_400_000
  assert.ok(days >= 28 && days <= 31, `${days} days`)
})

test('an admin changes the plan, a member only reads it', async () => {
  const { client } = await service.member()
  await client.expect(200, 'GET', '/v1/subscription')
  refused(await client.put('/v1/subscription', { account_limit: 5 }), 403, 'forbidden')
  const changed = await service.admin.expect(200, 'PUT', '/v1/subscription', { account_limit: 5, status: 'inactive' })
  assert.deepEqual([changed.account_limit, changed.status], [5, 'inactive'])
  refused(await service.admin.put('/v1/subscription', { account_limit: -1 }), 400, 'invalid_request')
  refused(await service.admin.put('/v1/subscription', { status: 'trial' }), 400, 'invalid_request')
  refused(await service.admin.put('/v1/subscription', { period_end: '2001-01-01T00:00:00Z' }), 400, 'invalid_request')
})

test('after the end of a period the current one starts with no credit used', async () => {
  const { client, workspaceId } = await service.stranger()
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
  await service.deps.db
    .updateTable('subscriptions')
    .set({ period_start: ago(100), period_end: ago(70), credits_used: 7 })
    .where('workspace_id', '=', workspaceId)
    .execute()
  const [now, again] = await Promise.all([client.get('/v1/subscription'), client.get('/v1/subscription')])
  assert.equal(now.data.credits_used, 0)
  assert.ok(Date.parse(now.data.period_start) <= Date.now() && Date.parse(now.data.period_end) > Date.now())
  assert.deepEqual(now.data, again.data)
})

test('the history lists past periods, and the recorded days of the current one', async () => {
  const { client, workspaceId } = await service.stranger()
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const [one, two] = await client.expect(201, 'POST', '/v1/accounts', [{ name: 'A' }, { name: 'B' }])
  const past = { period_start: ago(40), period_end: ago(10), credits_used: 7, account_limit: 9 }
  await service.deps.db.updateTable('subscriptions').set(past).where('workspace_id', '=', workspaceId).execute()
  for (const { id } of [one, two, one]) await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  await client.expect(200, 'DELETE', `/v1/accounts/${one.id}`)
  const { periods, days, counted_since } = await client.expect(200, 'GET', '/v1/usage/history')
  const { status: _, ...current } = await client.expect(200, 'GET', '/v1/subscription')
  assert.deepEqual(
    [current.credits_used, periods],
    [
      2,
      [
        { ...current, is_current: true },
        { ...past, is_current: false },
      ],
    ],
  )
  assert.equal(
    days.reduce((sum: number, { credits_used }: { credits_used: number }) => sum + credits_used, 0),
    2,
  )
  assert.ok(days.every(({ day }: { day: string }) => day >= counted_since.slice(0, 10)))
})

test('usage counts the records of the workspace', async () => {
  const { client, workspaceId } = await service.stranger()
  await client.expect(201, 'POST', '/v1/members', { name: 'B', email: 'b@team.example' })
  await client.expect(200, 'PATCH', '/v1/signals/ipo', { enabled: false })
  const [account] = await client.expect(201, 'POST', '/v1/accounts', [{ name: 'A' }, { name: 'B' }])
  await client.expect(200, 'POST', `/v1/accounts/${account.id}/activate`)
  await service.deps.db
    .updateTable('subscriptions')
    .set({ credits_used: 3 })
    .where('workspace_id', '=', workspaceId)
    .execute()
  const { period_start, period_end, ...usage } = await client.expect(200, 'GET', '/v1/usage')
  assert.ok(period_start < period_end)
  assert.deepEqual(usage, {
    credits_used: 3,
    credits_left: 997,
    members: 2,
    api_keys: 1,
    signals_enabled: 11,
    accounts: 2,
    accounts_active: 1,
    people: 0,
  })
})

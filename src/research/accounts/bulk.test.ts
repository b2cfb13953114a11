import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Client, refused } from '../../../test/support/client.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const service = await testService()
const { db } = service.deps

const bulk = (client: Client, ids: string[], action: string, more: object = {}) =>
  client.expect(200, 'POST', '/v1/accounts/bulk', { ids, action, ...more })
const codes = ({ results }: { results: { id: string; code: string }[] }) =>
  Object.fromEntries(results.map(({ id, code }) => [id, code]))
const statuses = async (client: Client, ids: string[]) => {
  const listed = await client.expect(200, 'GET', '/v1/accounts?per_page=100')
  return ids.map((id) => listed.find((account: { id: string }) => account.id === id)?.status ?? 'gone')
}
const UNKNOWN = '019a8f3e-7c1b-7d42-9f5a-3c2e1b0a9d87'

test('bulk activation is limited by credits; refused accounts are listed and do not affect the others', async () => {
  const { client, ids, workspaceId } = await scene(service, { accounts: 6 })
  const [active, rejected, first, second, third, fourth] = ids as [string, string, string, string, string, string]
  await client.expect(200, 'POST', `/v1/accounts/${active}/activate`)
  await client.expect(200, 'POST', `/v1/accounts/${rejected}/reject`)
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 3 })
  const answer = await bulk(client, [...ids, UNKNOWN, 'no id', first], 'activate')
  assert.equal(answer.done, 3)
  assert.deepEqual(codes(answer), {
    [rejected]: 'invalid_transition',
    [third]: 'plan_limit_reached',
    [fourth]: 'plan_limit_reached',
    [UNKNOWN]: 'not_found',
    'no id': 'not_found',
  })
  assert.deepEqual(
    answer.before.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [
      [first, 'suggested'],
      [second, 'suggested'],
    ],
  )
  assert.deepEqual(await statuses(client, ids), ['active', 'rejected', 'active', 'active', 'suggested', 'suggested'])
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 3)
  // Each is monitored and scanned, and its roster is loaded, as after a single activation.
  const { rows } = await sql<{ monitors: number; scans: number; tasks: number; rosters: number; jobs: number }>`
    select (select count(*)::int from monitors where workspace_id = ${workspaceId}) as monitors,
      (select count(*)::int from runs where workspace_id = ${workspaceId} and status = 'running') as scans,
      (select count(distinct run_id)::int from run_tasks where workspace_id = ${workspaceId}) as tasks,
      (select count(*)::int from pgboss.job where name = 'sync-roster' and data ->> 'workspace_id' = ${workspaceId}) as rosters,
      (select count(*)::int from pgboss.job where name = 'scan-account' and data ->> 'workspace_id' = ${workspaceId}) as jobs`.execute(
    db,
  )
  assert.deepEqual(rows[0], { monitors: 3, scans: 3, tasks: 3, rosters: 3, jobs: 3 })
  // An account that was paid for in this period costs nothing.
  assert.equal((await bulk(client, [first, second, third], 'deactivate')).done, 2)
  assert.deepEqual(codes(await bulk(client, [first, second, third], 'activate')), { [third]: 'plan_limit_reached' })
  await client.expect(200, 'PUT', '/v1/subscription', { status: 'inactive' })
  assert.deepEqual(codes(await bulk(client, [third, fourth], 'activate')), {
    [third]: 'subscription_required',
    [fourth]: 'subscription_required',
  })
  assert.deepEqual(codes(await bulk(client, [third], 'scan')), { [third]: 'subscription_required' })
})

test('a bulk action can be reverted with the former values of its response', async () => {
  const { client, ids } = await scene(service, { accounts: [{ name: 'A', tags: ['x'] }, { name: 'B' }, { name: 'C' }] })
  const [a, b, c] = ids as [string, string, string]
  const [{ id: adminId }] = await client.expect(200, 'GET', '/v1/members')
  const tagged = await bulk(client, ids, 'tag', { tags: ['x', ' y '] })
  assert.deepEqual(
    tagged.before.map(({ id, tags }: { id: string; tags: string[] }) => [id, tags]),
    [
      [a, ['x']],
      [b, []],
      [c, []],
    ],
  )
  assert.deepEqual((await client.expect(200, 'GET', `/v1/accounts/${a}`)).tags, ['x', 'y'])
  // Nothing changes any more, and the response shows it.
  const again = await bulk(client, ids, 'tag', { tags: ['x'] })
  assert.deepEqual([again.done, again.before], [3, []])
  await bulk(client, [b, c], 'untag', { tags: ['x', 'y'] })
  await bulk(client, [a], 'untag', { tags: ['y'] })
  assert.deepEqual((await client.expect(200, 'GET', '/v1/accounts?tag=x')).length, 1)
  const full = await bulk(client, [a], 'tag', { tags: Array.from({ length: 100 }, (_, n) => `t${n}`) })
  assert.deepEqual(codes(full), { [a]: 'invalid_request' })

  await client.expect(200, 'PUT', `/v1/accounts/${b}/owner`, { owner_id: adminId })
  const owned = await bulk(client, ids, 'owner', { owner_id: adminId })
  assert.deepEqual(
    owned.before.map(({ id, owner_id }: { id: string; owner_id: string | null }) => [id, owner_id]),
    [
      [a, null],
      [c, null],
    ],
  )
  await bulk(client, [a, c], 'owner', { owner_id: null })
  assert.equal((await client.expect(200, 'GET', `/v1/accounts?owner_id=${adminId}`)).length, 1)

  await client.expect(200, 'POST', `/v1/accounts/${c}/activate`)
  assert.deepEqual(codes(await bulk(client, ids, 'reject')), { [c]: 'account_active' })
  assert.deepEqual(await statuses(client, ids), ['rejected', 'rejected', 'active'])
  assert.deepEqual(codes(await bulk(client, ids, 'suggest')), { [c]: 'invalid_transition' })
  assert.deepEqual(await statuses(client, ids), ['suggested', 'suggested', 'active'])
  await sql`update accounts set source = 'import', status = 'rejected' where id = ${b}::uuid`.execute(db)
  assert.equal((await bulk(client, [b], 'suggest')).done, 1)
  assert.deepEqual(await statuses(client, [b]), ['new'], 'an imported account returns to the imported ones')
  await client.expect(200, 'POST', `/v1/accounts/${b}/reject`)
  assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${b}`, { status: 'suggested' })).status, 'new')
  assert.deepEqual(codes(await bulk(client, ids, 'deactivate')), {
    [a]: 'account_not_active',
    [b]: 'account_not_active',
  })
  assert.equal((await bulk(client, [a, c], 'delete')).done, 2)
  assert.deepEqual(await statuses(client, ids), ['gone', 'new', 'gone'])
  const { rows } = await sql`select from monitors where account_id = any(${ids}::uuid[])`.execute(db)
  assert.equal(rows.length, 0)
})

test('a bulk scan starts one scan for each account without a running one', async () => {
  const { client, ids, workspaceId } = await scene(service, { accounts: 3 })
  await client.expect(202, 'POST', `/v1/accounts/${ids[1]}/scan`)
  const answer = await bulk(client, ids, 'scan')
  assert.deepEqual([answer.done, answer.results], [3, []])
  const runs = await client.expect(200, 'GET', '/v1/runs?status=running')
  assert.equal(runs.length, 3)
  const { jobs } = await client.expect(200, 'GET', `/v1/runs/${runs[0].id}`)
  assert.ok(jobs.length > 5)
  await sql`update signals set enabled = false where workspace_id = ${workspaceId}`.execute(db)
  assert.deepEqual(new Set(Object.values(codes(await bulk(client, ids, 'scan')))), new Set(['no_active_signal']))
})

test('a bulk action of a scoped member follows the rules for each account and ignores other workspaces', async () => {
  const { id: memberId, client: scoped } = await service.member({ visibility: 'scoped' })
  const { ids } = await scene(service, {
    accounts: [{ name: 'Own', owner_id: memberId }, { name: 'Other' }],
    owner: { client: service.admin, workspaceId: service.workspaceId },
  })
  const [own, other] = ids as [string, string]
  for (const action of ['reject', 'suggest', 'scan', 'delete'])
    assert.deepEqual(codes(await bulk(scoped, [other], action)), { [other]: 'forbidden' })
  for (const action of ['tag', 'untag'])
    assert.deepEqual(codes(await bulk(scoped, [other], action, { tags: ['mine'] })), { [other]: 'forbidden' })
  assert.deepEqual(codes(await bulk(scoped, ids, 'owner', { owner_id: memberId })), { [other]: 'forbidden' })
  assert.deepEqual(codes(await bulk(scoped, ids, 'reject')), { [other]: 'forbidden' })
  await service.admin.expect(200, 'POST', `/v1/accounts/${other}/reject`)
  assert.deepEqual(codes(await bulk(scoped, ids, 'suggest')), { [other]: 'forbidden' })
  assert.deepEqual(codes(await bulk(scoped, ids, 'tag', { tags: ['mine'] })), { [other]: 'forbidden' })
  await service.admin.expect(200, 'PATCH', `/v1/accounts/${other}`, { status: 'suggested' })
  assert.equal((await bulk(scoped, ids, 'activate')).done, 2)
  assert.equal((await scoped.expect(200, 'GET', `/v1/accounts/${other}`)).owner_id, memberId)
  const stranger = await service.stranger()
  for (const action of ['activate', 'deactivate', 'reject', 'suggest', 'scan', 'delete'])
    assert.deepEqual(codes(await bulk(stranger.client, [own], action)), { [own]: 'not_found' })
  const refusals: [object, string][] = [
    [{ ids: [own], action: 'tag' }, 'tags'],
    [{ ids: [own], action: 'owner' }, 'owner_id'],
    [{ ids: [], action: 'reject' }, 'ids'],
    [{ ids: Array(501).fill(own), action: 'reject' }, 'ids'],
    [{ ids: [own], action: 'burn' }, 'action'],
  ]
  for (const [body, path] of refusals) {
    const answer = await service.admin.post('/v1/accounts/bulk', body)
    refused(answer, 400, 'invalid_request')
    assert.equal(answer.error.details[0].path, path)
  }
  const unknown = { ids: [own], action: 'owner', owner_id: stranger.workspaceId }
  refused(await service.admin.post('/v1/accounts/bulk', unknown), 422, 'unknown_member')
})

test('a bulk action handles 500 accounts, and two calls in opposite order do not deadlock', async () => {
  const { client, ids } = await scene(service, { accounts: 500 })
  const answers = await Promise.all([
    bulk(client, ids, 'activate'),
    bulk(client, ids.toReversed(), 'activate'),
    bulk(client, ids.toReversed(), 'tag', { tags: ['t'] }),
  ])
  assert.deepEqual(
    answers.map(({ done }) => done),
    [500, 500, 500],
  )
  assert.equal((await client.expect(200, 'GET', '/v1/subscription')).credits_used, 500)
})

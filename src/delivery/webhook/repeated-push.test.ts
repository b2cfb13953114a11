import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ended } from '../../../test/support/eventually.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'

const receiver = await testReceiver()
const service = await testService({ worker: true, env: { OUTBOUND_ALLOW: receiver.host } })
const { db } = service.deps

for (const [how, count] of [
  ['inline', 1],
  ['background', 120],
] as const) {
  test(`a repeated ${how} push, whose first response was an error, is the run of the first`, async () => {
    const accounts = Array.from({ length: count }, (_, n) => ({ name: `N${n}`, domain: `n${n}.com` }))
    const { client, workspaceId, ids } = await scene(service, { accounts })
    const url = `${receiver.url}/${how}`
    const { id: destination_id } = await client.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Main', url })
    const arrived = () => receiver.deliveries.filter(({ path }) => path === `/${how}`).length
    const push = () =>
      client.post(
        '/v1/accounts/webhook-push',
        { destination_id, account_ids: ids },
        { headers: { 'idempotency-key': 'lost' } },
      )
    // As an error response does.
    const release = () => db.deleteFrom('idempotency_keys').where('workspace_id', '=', workspaceId).execute()
    await push()
    const [{ id }] = await client.expect(200, 'GET', '/v1/push-runs')
    await ended(client, `/v1/push-runs/${id}`)
    await release()
    const again = await push()
    assert.deepEqual([again.status, again.data], [202, { run_id: id, total: count, status: 'running' }])
    assert.equal(arrived(), count)
    // A key can be used again after a day, and then for another push.
    await release()
    const created_at = sql<string>`now() - interval '25 hours'`
    await db.updateTable('push_runs').set({ created_at }).where('id', '=', id).execute()
    await push()
    const runs = await client.expect(200, 'GET', '/v1/push-runs')
    assert.equal(runs.length, 2)
    for (const run of runs) await ended(client, `/v1/push-runs/${run.id}`)
    assert.equal(arrived(), 2 * count)
  })
}

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startReceiver } from '../../sandbox/receiver.ts'
import { createGate } from '../../sandbox/waiters.ts'
import { resumeDeliveries } from '../../src/delivery/job.ts'
import { Client } from '../support/client.ts'
import { ended } from '../support/eventually.ts'
import { address, beside, killWorkersInTurn, run, startWorker, stop } from '../support/process.ts'
import { scene } from '../support/scene.ts'
import { ADMIN_KEY, testService } from '../support/service.ts'

const ROWS = 5_000
const KILLS = 4
const AT_ONCE = 8

// Without the delay the run would end before the second worker is killed.
const gate = createGate()
const receiver = await startReceiver({ behaviour: { do: 'fail_randomly', share: 0.02, seed: 7 }, gate })
after(() => receiver[Symbol.asyncDispose]())
// Only the API: the workers are separate processes, so that they can be killed.
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })
const env = {
  ...beside(service),
  OUTBOUND_ALLOW: receiver.host,
  PUSH_RETRY_SECONDS: '0,0,1,1,1,1,1,1',
  PUSH_CONCURRENCY: String(AT_ONCE),
}

test('a run over two workers survives kill -9: every row is acknowledged, and only rows in flight are duplicated', async () => {
  const { admin, workspaceId } = service
  const { id: destination_id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Main',
    url: `${receiver.url}/hook`,
  })
  const { ids } = await scene(service, { accounts: ROWS, owner: { client: admin, workspaceId } })
  let runId = ''
  await killWorkersInTurn(env, {
    async begin() {
      const push = { destination_id, account_ids: ids }
      runId = (await admin.expect(202, 'POST', '/v1/accounts/webhook-push', push)).run_id
    },
    // Distributed over the run, each while rows are being sent.
    moments: Array.from({ length: KILLS }, () => () => {
      gate.open(ROWS / (KILLS + 2))
      return gate.untilHeld(AT_ONCE)
    }),
    // Runs the scheduled sweep now: the run has a job again, whichever worker was killed.
    replaced: () => service.deps.jobs.enqueue(service.deps.db, resumeDeliveries, { idle: 0 }),
  })
  gate.open()
  const state = await ended(admin, `/v1/push-runs/${runId}`)
  const acknowledged = new Map<string, number>()
  for (const { body, status } of receiver.deliveries) {
    if (status !== 200) continue
    const { id } = JSON.parse(body)
    acknowledged.set(id, (acknowledged.get(id) ?? 0) + 1)
  }
  assert.deepEqual(
    [state.status, state.total, state.sent, state.failed, state.skipped],
    ['completed', ROWS, ROWS, 0, 0],
  )
  assert.equal(acknowledged.size, ROWS, 'every row was acknowledged')
  // A killed worker may have sent rows whose results were not written yet: a batch of results and the rows in flight.
  const doubled = [...acknowledged.values()].filter((count) => count > 1).length
  const inFlight = KILLS * (200 + 2 * AT_ONCE * 4)
  assert.ok(doubled <= inFlight, `${doubled} rows came twice; at most ${inFlight} were in flight at a kill`)
  const webhookIds = new Map(receiver.deliveries.map(({ id, body }) => [id, JSON.parse(body).id]))
  assert.equal(webhookIds.size, ROWS, 'a row keeps its webhook-id, however often it is sent')
})

test('a push whose process is killed while its caller waits ends as failed, sends nothing more, and can be retried', async () => {
  const { admin, workspaceId } = service
  gate.close()
  const url = `${receiver.url}/inline`
  const { id: destination_id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', { name: 'Inline', url })
  const { ids } = await scene(service, { accounts: 3, owner: { client: admin, workspaceId } })
  const api = run(['serve', '--only', 'api'], { env: { ...env, PUSH_INLINE_SECONDS: '5' } })
  const client = new Client(await address(api), ADMIN_KEY)
  const caller = assert.rejects(client.post('/v1/accounts/webhook-push', { destination_id, account_ids: ids }))
  await gate.untilHeld(ids.length)
  await stop(api, 'SIGKILL')
  await caller
  gate.clear()
  gate.open()
  const arrived = () => receiver.deliveries.filter(({ path, status }) => path === '/inline' && status === 200)
  const [left] = await admin.expect(200, 'GET', '/v1/push-runs?status=running')
  await startWorker(env)
  const state = await ended(admin, `/v1/push-runs/${left.id}`)
  assert.deepEqual([state.status, state.sent, state.failed], ['failed', 0, ids.length])
  assert.match(state.error_sample[0].message, /^The service stopped during the push\./)
  assert.deepEqual(arrived(), [])
  await admin.expect(200, 'POST', `/v1/push-runs/${left.id}/retry`)
  const again = await ended(admin, `/v1/push-runs/${left.id}`)
  assert.deepEqual([again.status, again.total, again.sent], ['completed', ids.length, ids.length])
  assert.deepEqual(new Set(arrived().map(({ body }) => JSON.parse(body).id)), new Set(ids))
})

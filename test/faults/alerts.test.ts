import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { startReceiver } from '../../sandbox/receiver.ts'
import { resumeAlerts } from '../../src/delivery/alerts/send.job.ts'
import { detect } from '../support/alerts.ts'
import { eventually } from '../support/eventually.ts'
import { beside, startWorker, stop } from '../support/process.ts'
import { scene } from '../support/scene.ts'
import { testService } from '../support/service.ts'

const receiver = await startReceiver()
after(() => receiver[Symbol.asyncDispose]())
// The API alone: the workers are processes of their own, so that they can be killed.
const service = await testService({ env: { OUTBOUND_ALLOW: receiver.host } })
const { admin, deps, workspaceId } = service

const worker = () => startWorker({ ...beside(service), OUTBOUND_ALLOW: receiver.host })

test('an alert whose worker is killed in mid-delivery goes out again under the same id, and is acknowledged once', async () => {
  const url = `${receiver.url}/hook`
  await admin.expect(200, 'PUT', '/v1/settings/notifications', { webhook_url: url, webhook_enabled: true })
  const owner = { client: admin, workspaceId }
  const { ids } = await scene(service, { accounts: ['n0.com'], active: true, owner })
  const [account_id] = ids as [string]
  const first = await worker()
  receiver.next({ do: 'stall' })
  await detect(deps, workspaceId, { account_id, run_id: null }, [{ headline: 'Raised a round' }], { delay: 0 })
  await receiver.received(1)
  await stop(first, 'SIGKILL')

  await worker()
  const [held] = await deps.db.selectFrom('alert_deliveries').selectAll().execute()
  assert.ok(held?.state === 'pending' && held.lease_id, 'the killed worker still holds it')
  // Time passes: the lease runs out, the killed worker's job is lost, and the schedule comes round.
  await sql`delete from pgboss.job where name = 'send-alert-webhook'`.execute(deps.db)
  await deps.db
    .updateTable('alert_deliveries')
    .set({ lease_until: new Date(0) })
    .execute()
  await deps.jobs.enqueue(deps.db, resumeAlerts, { idle: 0 })
  await receiver.received(2)
  const state = () => deps.db.selectFrom('alert_deliveries').select(['state', 'attempts']).executeTakeFirstOrThrow()
  await eventually('it is written down as sent', async () => (await state()).state === 'sent')
  assert.deepEqual(await state(), { state: 'sent', attempts: 1 })
  assert.equal(new Set(receiver.deliveries.map(({ id }) => id)).size, 1)
  assert.deepEqual(
    receiver.deliveries.map(({ status }) => status),
    [null, 200],
  )
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resumePushRuns } from '../src/delivery/webhook/push.job.ts'
import { assertDocumented, quickHubspot, vendorsOnline } from './support/crm.ts'
import { ended } from './support/eventually.ts'
import { beside, type Running, run } from './support/process.ts'
import { scene } from './support/scene.ts'
import { testService } from './support/service.ts'

const PEOPLE = 5_000
const ACCOUNTS = 250
const KILLS = 4

// A search that sees nothing of what the run writes: what holds is the memory and the unique keys.
const hubspot = quickHubspot({ searchLagMs: 3_600_000, latencyMs: 20 })
const internet = await vendorsOnline(hubspot)
after(() => assertDocumented(hubspot))
// The API alone: the workers are processes of their own, so that they can be killed.
const service = await testService({ env: internet.env })
const env = {
  ...internet.env,
  ...beside(service),
  PUSH_RETRY_SECONDS: '0,0,1,1,1,1,1,1',
}

async function worker(): Promise<Running> {
  const started = run(['serve', '--only', 'worker'], { env })
  await started.sees(/worker is ready/)
  return started
}

test('5,000 people over workers that are killed arrive once each, and the counts add up', async () => {
  const { admin, workspaceId } = service
  await admin.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  const accounts = Array.from({ length: ACCOUNTS }, (_, n) => `company${n}.com`)
  const { ids, save } = await scene(service, { accounts, owner: { client: admin, workspaceId } })
  const people = await save(
    Array.from({ length: PEOPLE }, (_, n) => ({
      account_id: ids[n % ACCOUNTS] as string,
      full_name: `Person ${n}`,
      // Some have only a profile page, some no email and none: the latter are skipped.
      email: n % 10 < 8 ? `person${n}@company${n % ACCOUNTS}.com` : null,
      network_url: n % 10 < 9 ? `https://network.example/in/person${n}` : null,
    })),
  )
  const workers = await Promise.all([worker(), worker()])
  const contact_ids = people.map(({ id }) => id)
  const { run_id } = await admin.expect(202, 'POST', '/v1/people/crm-push', { contact_ids })
  // A second job for the run: both workers have a part in it.
  await service.deps.jobs.enqueue(service.deps.db, resumePushRuns, { idle: 0 })

  for (let kill = 1; kill <= KILLS; kill++) {
    // At moments spread over the run, by how much has arrived.
    await internet.until(() => hubspot.records.contacts.size >= (PEOPLE * 0.9 * kill) / (KILLS + 1))
    const at = kill % 2
    const victim = workers[at] as Running
    victim.child.kill('SIGKILL')
    await victim.exited
    workers[at] = await worker()
    // What the schedule does every few minutes, now: the run has a job again, whoever was killed.
    await service.deps.jobs.enqueue(service.deps.db, resumePushRuns, { idle: 0 })
  }
  const state = await ended(admin, `/v1/push-runs/${run_id}`)
  const skipped = PEOPLE / 10
  assert.deepEqual(
    [state.status, state.total, state.sent, state.failed, state.skipped],
    ['completed', PEOPLE, PEOPLE - skipped, 0, skipped],
    JSON.stringify(state.error_sample),
  )
  const { contacts, companies } = hubspot.records
  assert.deepEqual([contacts.size, companies.size], [PEOPLE - skipped, ACCOUNTS])
  const keys = [...contacts.values()].map(({ properties }) => properties.bellwether_id)
  assert.equal(new Set(keys).size, PEOPLE - skipped)
  assert.equal(new Set([...companies.values()].map(({ properties }) => properties.domain)).size, ACCOUNTS)
  assert.equal(hubspot.associations.size, PEOPLE - skipped)
})

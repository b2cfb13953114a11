import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { resumePushRuns } from '../../src/delivery/channels/resume.job.ts'
import { assertDocumented, quickHubspot, vendorsOnline } from '../support/crm.ts'
import { ended } from '../support/eventually.ts'
import { beside, killWorkersInTurn } from '../support/process.ts'
import { scene } from '../support/scene.ts'
import { testService } from '../support/service.ts'

const PEOPLE = 3_000
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

test('3,000 people over workers that are killed arrive once each, and the counts add up', async () => {
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
  const contact_ids = people.map(({ id }) => id)
  const { jobs, db } = service.deps
  // What the schedule does every few minutes, now: the run has a job again, whoever was killed.
  const resume = () => jobs.enqueue(db, resumePushRuns, { idle: 0 })
  let runId = ''
  await killWorkersInTurn(env, {
    async begin() {
      runId = (await admin.expect(202, 'POST', '/v1/people/crm-push', { contact_ids })).run_id
      // A second job for the run: both workers have a part in it.
      await resume()
    },
    // Spread over the run, by how much has arrived.
    moments: Array.from(
      { length: KILLS },
      (_, kill) => () =>
        internet.until(() => hubspot.records.contacts.size >= (PEOPLE * 0.9 * (kill + 1)) / (KILLS + 1)),
    ),
    replaced: resume,
  })
  const state = await ended(admin, `/v1/push-runs/${runId}`)
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

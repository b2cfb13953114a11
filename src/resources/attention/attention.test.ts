import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detect } from '../../../test/support/alerts.ts'
import type { Answer, Client } from '../../../test/support/client.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { testReceiver } from '../../../test/support/receiver.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { saveConnection, setConnectionProblem } from '../connections/store.ts'

const receiver = await testReceiver()
const service = await testService({
  worker: true,
  env: {
    OUTBOUND_ALLOW: receiver.host,
    ALERT_DELAY_SECONDS: '0',
    SOURCES: 'website,job-boards,wikidata,sec',
    PDL_API_KEY: 'a-key',
  },
})
const { deps } = service
const all = (client: Client): Promise<Answer['data'][]> => client.expect(200, 'GET', '/v1/attention')
/** Without sources: there is no internet in this test, so those that scans call fail at some time. */
const attention = async (client: Client) => (await all(client)).filter(({ kind }) => kind !== 'source_failing')
const kinds = async (client: Client) => (await attention(client)).map(({ kind }) => kind)
const sourceOf = async (client: Client, name: string) =>
  (await client.expect(200, 'GET', '/v1/sources')).find((source: { name: string }) => source.name === name)

test('every source shows whether it works, fails since when and why, or is off and how it is switched on', async () => {
  const { client } = await service.stranger()
  const states = async () =>
    Object.fromEntries(
      (await client.expect(200, 'GET', '/v1/sources')).map(({ name, state }: Record<string, string>) => [name, state]),
    )
  const fresh = await states()
  assert.deepEqual(
    [fresh.Wikidata, fresh.GDELT, fresh['SEC EDGAR'], fresh['People Data Labs'], fresh['The reader'], fresh.Greenhouse],
    ['unknown', 'off', 'off', 'unknown', 'works', 'unknown'],
  )
  assert.match((await sourceOf(client, 'GDELT')).message, /SOURCES/)
  assert.match((await sourceOf(client, 'SEC EDGAR')).message, /OUTBOUND_CONTACT/)
  assert.match((await sourceOf(client, 'Mail servers')).message, /email verification/)
  await client.expect(200, 'PUT', '/v1/integrations/email-verification', { from: 'sales@northwind.example' })
  assert.equal((await states())['Mail servers'], 'unknown', 'as this workspace has set it')

  await deps.health.report('Wikidata', null)
  const works = await sourceOf(client, 'Wikidata')
  assert.deepEqual([works.state, works.enabled, works.message], ['works', true, null])
  assert.ok(works.since && works.last_ok_at)
  await deps.health.report('Wikidata', { kind: 'unavailable', message: 'Wikidata responded with status 500.' })
  const first = await sourceOf(client, 'Wikidata')
  await deps.health.report('Wikidata', { kind: 'quota', message: 'Wikidata rate limit exceeded (status 429).' })
  const failing = await sourceOf(client, 'Wikidata')
  assert.deepEqual(
    { ...failing },
    {
      ...{ ...works, state: 'failing', since: first.since, last_ok_at: works.last_ok_at },
      message: 'Wikidata rate limit exceeded (status 429).',
    },
  )
  const [problem, ...others] = await all(client)
  assert.deepEqual([problem.kind, others], ['source_failing', []])
  assert.deepEqual([problem.since, problem.ref], [first.since, { type: 'source', id: 'Wikidata' }])
  await deps.health.report('Wikidata', null)
  const again = await sourceOf(client, 'Wikidata')
  assert.ok(again.state === 'works' && again.since >= first.since)
  assert.deepEqual(await all(client), [])
  assert.deepEqual((await client.expect(200, 'GET', '/v1/integrations')).providers.problems, [])
})

test('failed pushes, alerts and imports, broken connections and credits that run out need attention until they are mended', async () => {
  const { client, workspaceId, ids } = await scene(service, { accounts: 2, active: true })
  const [account_id] = ids as [string]
  assert.deepEqual(await attention(client), [])

  const url = `${receiver.url}/hook`
  const { id: destination_id } = await client.expect(201, 'POST', '/v1/webhook-destinations', {
    name: 'Warehouse',
    url,
  })
  receiver.next({ do: 'answer', status: 422 })
  await client.expect(200, 'POST', '/v1/accounts/webhook-push', { destination_id, account_ids: ids })
  const [push] = await attention(client)
  assert.match(push.message, /^1 of 2 accounts did not reach Warehouse: The receiver answered 422\. /)
  assert.equal((await client.expect(200, 'GET', `/v1/push-runs/${push.ref.id}`)).failed, 1)
  const [failed] = await client.expect(200, 'GET', `/v1/webhook-destinations/${destination_id}/deliveries?failed=true`)
  await client.expect(200, 'POST', `/v1/webhook-destinations/${destination_id}/deliveries/${failed.id}/replay`)
  assert.deepEqual(await attention(client), [], 'it has arrived since')

  receiver.behave({ do: 'answer', status: 422 }, '/alerts')
  const settings = { webhook_url: `${receiver.url}/alerts`, webhook_enabled: true }
  await client.expect(200, 'PUT', '/v1/settings/notifications', settings)
  await detect(deps, workspaceId, { account_id, run_id: null }, [{ headline: 'Raised a round' }])
  await eventually('the alert fails', async () => (await kinds(client)).includes('alert_failed'))
  receiver.behave({ do: 'answer' }, '/alerts')
  await client.expect(200, 'POST', '/v1/settings/notifications/test', { channel: 'webhook' })
  assert.deepEqual(await attention(client), [], 'a test has arrived since')

  await saveConnection(deps.db, workspaceId, 'crm_one', deps.secrets, { credential: { token: 'x' } })
  await setConnectionProblem(deps.db, workspaceId, 'crm_one', 'It does not accept the token.')
  const [connection] = await attention(client)
  assert.match(connection.message, /^HubSpot: It does not accept the token\. /)
  assert.ok(Date.now() - Date.parse(connection.since) < 60_000)
  assert.deepEqual(connection.ref, { type: 'connection', id: 'crm_one' })
  await setConnectionProblem(deps.db, workspaceId, 'crm_one', null)

  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 20 })
  assert.deepEqual(await kinds(client), [])
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 3 })
  assert.deepEqual(await kinds(client), [])
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 2 })
  assert.deepEqual(await kinds(client), ['credits_used'])
  await deps.db
    .updateTable('subscriptions')
    .set({ account_limit: 20, credits_used: 18 })
    .where('workspace_id', '=', workspaceId)
    .execute()
  const [low] = await attention(client)
  assert.match(low.message, /^2 activations are left in this period, of 20\. /)
  await client.expect(200, 'PUT', '/v1/subscription', { account_limit: 1000 })

  const headers = { 'content-type': 'text/csv' }
  for (const path of ['/v1/companies/import', '/v1/accounts/import']) {
    const sent = await client.post(path, undefined, { body: 'name,domain\n"cut', headers })
    assert.equal(sent.status, 202, sent.text)
  }
  const refs = async () => (await attention(client)).map(({ kind, ref }) => `${kind} ${ref.type}`)
  await eventually('both imports fail', async () => (await refs()).length === 2)
  assert.deepEqual(await refs(), ['import_failed account_import', 'import_failed company_import'])
})

test('a scoped member sees no pushes of people they do not see, and is referred to an admin', async () => {
  const { admin, workspaceId } = service
  const { client } = await service.member({ visibility: 'scoped' })
  const world = await scene(service, { accounts: 1, active: true, owner: { client: admin, workspaceId } })
  const [ada] = await world.save([{ full_name: 'Ada Pike' }])
  const body = { name: 'People', url: `${receiver.url}/hook` }
  const { id: destination_id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', body)
  receiver.next({ do: 'answer', status: 422 })
  await admin.expect(200, 'POST', '/v1/people/webhook-push', { destination_id, contact_ids: [ada?.id] })
  assert.deepEqual([await kinds(admin), await kinds(client)], [['push_failed'], []])
  await saveConnection(deps.db, workspaceId, 'crm_two', deps.secrets, { credential: { token: 'x' } })
  await setConnectionProblem(deps.db, workspaceId, 'crm_two', 'The session has ended.')
  const [problem] = await attention(client)
  assert.match(problem.message, /^Salesforce: The session has ended\. Ask an admin to repair /)
})

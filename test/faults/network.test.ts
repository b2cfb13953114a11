import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startInternet } from '../../sandbox/internet.ts'
import { startReceiver } from '../../sandbox/receiver.ts'
import { createGate } from '../../sandbox/waiters.ts'
import { Client } from '../support/client.ts'
import { quickHubspot } from '../support/crm.ts'
import { connection } from '../support/databases.ts'
import { ended, eventually } from '../support/eventually.ts'
import { address, beside, run, startWorker } from '../support/process.ts'
import { startProxy, type Weather } from '../support/proxy.ts'
import { scene } from '../support/scene.ts'
import { ADMIN_KEY, testService } from '../support/service.ts'
import { settled } from './ledger.ts'
import { companySites, newCompany } from './sites.ts'

const CLEAR: Weather = { kind: 'pass' }
const AT_ONCE = 4
const gate = createGate()
gate.open()
const hubspot = quickHubspot({ searchLagMs: 3_600_000 })
const internet = await startInternet((request) =>
  hubspot.hosts.includes(request.url.hostname) ? hubspot.answer(request, {} as never) : companySites(request),
)
const receiver = await startReceiver({ gate })
const { host, port, user, password } = connection()
/** An unreliable network to each of the peers. */
const toDatabase = await startProxy({ path: `${host}/.s.PGSQL.${port}` })
const toReceiver = await startProxy({ port: Number(new URL(receiver.url).port) })
const toInternet = await startProxy({ port: Number(internet.address.split(':')[1]) })
after(async () => {
  for (const end of [toDatabase, toReceiver, toInternet, receiver, internet]) await end[Symbol.asyncDispose]()
})
// Without the unreliable network: creates the account.
const right = await testService({ env: { OUTBOUND_ALLOW: `127.0.0.1:${toReceiver.port}` } })
const { admin, workspaceId, deps } = right
const owner = { client: admin, workspaceId }
const database = new URL(right.databaseUrl.replace('@/', '@socket/')).pathname
const env = {
  ...internet.env,
  ...beside({ databaseUrl: `postgresql://${user}:${password}@127.0.0.1:${toDatabase.port}${database}` }),
  OUTBOUND_CONNECT_TO: `*:443=127.0.0.1:${toInternet.port}`,
  OUTBOUND_ALLOW: `127.0.0.1:${toReceiver.port}`,
  SOURCES: 'website',
  CRAWL_DELAY_MS: '0',
  PUSH_CONCURRENCY: String(AT_ONCE),
  PUSH_RETRY_SECONDS: '1,2,4,8,16,16',
}
const [api] = await Promise.all([address(run(['serve', '--only', 'api'], { env })), startWorker(env)])
const client = new Client(api, ADMIN_KEY)

/** Starts a push in the background. */
async function push(rows: number) {
  const path = `/${crypto.randomUUID()}`
  const url = `http://127.0.0.1:${toReceiver.port}${path}`
  const { id: destination_id } = await admin.expect(201, 'POST', '/v1/webhook-destinations', { name: path, url })
  const { ids } = await scene(right, { accounts: rows, owner })
  const { run_id } = await client.expect(202, 'POST', '/v1/accounts/webhook-push', { destination_id, account_ids: ids })
  const arrived = () => receiver.deliveries.filter((one) => one.path === path)
  /** Every row arrived under one id, at most this number of times. */
  async function adds(most: number) {
    await settled(deps, Promise.resolve())
    const { status, sent, failed, error_sample } = await ended(admin, `/v1/push-runs/${run_id}`)
    assert.deepEqual([status, sent, failed], ['completed', rows, 0], JSON.stringify(error_sample))
    const times = Map.groupBy(arrived(), ({ body }) => JSON.parse(body).id)
    assert.deepEqual([...times.keys()].sort(), [...ids].sort())
    for (const [id, all] of times) {
      assert.equal(new Set(all.map((one) => one.id)).size, 1, 'it keeps its webhook-id')
      assert.ok(all.length <= most, `${id} came ${all.length} times`)
    }
  }
  return { arrived, adds }
}

const DATABASE: [string, Weather][] = [
  ['is slow', { kind: 'delay', ms: 30 }],
  ['is cut in mid-answer', { kind: 'cut', afterBytes: 3_000 }],
  ['is refused', { kind: 'refuse' }],
]
for (const [what, weather] of DATABASE) {
  test(`a push while the connection to the database ${what}: every row arrives, and it continues when the network recovers`, async () => {
    gate.close()
    const { adds } = await push(150)
    await gate.untilHeld(AT_ONCE)
    toDatabase.set(weather)
    if (weather.kind === 'refuse') toDatabase.breakOpen()
    gate.open(20)
    for (let n = 0; n < 5; n++) {
      const { status, text } = await client.get('/v1/accounts')
      assert.ok(status === 503 || (status === 200 && weather.kind !== 'refuse'), `${status}: ${text}`)
    }
    toDatabase.set(CLEAR)
    gate.open()
    await eventually('the API works again', async () => (await client.get('/v1/accounts')).status === 200)
    await adds(weather.kind === 'delay' ? 1 : 3)
  })
}

test('a truncated response of a receiver: the row is sent again under its id', async () => {
  toReceiver.set({ kind: 'cut', afterBytes: 20 })
  const { arrived, adds } = await push(120)
  await eventually('some arrived and nobody heard', () => arrived().length >= AT_ONCE)
  toReceiver.set(CLEAR)
  await adds(6)
})

test('a receiver that refuses connections, then one that drops all data: nothing is lost', async () => {
  toReceiver.set({ kind: 'refuse' })
  toReceiver.breakOpen()
  const refusing = await push(120)
  const tried = () =>
    deps.db
      .selectFrom('push_rows')
      .select('attempts')
      .where('attempts', '>', 0)
      .where('state', '=', 'pending')
      .execute()
  await eventually('it was tried', async () => (await tried()).length > 0)
  toReceiver.set({ kind: 'black-hole' })
  const swallowed = await push(120)
  await eventually('something is on the way', () => toReceiver.open > 0)
  // Dropped requests end at their timeout.
  toReceiver.set(CLEAR, 'new')
  await refusing.adds(1)
  await swallowed.adds(1)
})

test('a CRM whose responses are truncated: each person exists once', async () => {
  await admin.expect(201, 'POST', '/v1/accounts', newCompany())
  const { ids, save } = await scene(right, { accounts: 10, owner })
  const people = Array.from({ length: 120 }, (_, n) => ({
    account_id: ids[n % 10] as string,
    full_name: `Person ${n}`,
    email: `person${n}@network.example`,
  }))
  const contact_ids = (await save(people)).map(({ id }) => id)
  await client.expect(201, 'POST', '/v1/connections', { provider: 'crm_one', token: 'sandbox-key' })
  toInternet.set({ kind: 'cut', afterBytes: 3_000 })
  const { run_id } = await client.expect(202, 'POST', '/v1/people/crm-push', { contact_ids })
  const { made } = toInternet
  await eventually('connections were cut', () => toInternet.made >= made + 3)
  toInternet.set(CLEAR)
  await settled(deps, Promise.resolve())
  const { status, sent, error_sample } = await ended(admin, `/v1/push-runs/${run_id}`)
  assert.deepEqual([status, sent], ['completed', 120], JSON.stringify(error_sample))
  const emails = [...hubspot.records.contacts.values()].map(({ properties }) => properties.email)
  assert.deepEqual(emails.sort(), people.map(({ email }) => email).sort())
  assert.equal(hubspot.associations.size, 120)
})

test('sites that refuse connections or truncate pages are failed scans, not companies without news; later they are read', async () => {
  const weathers: Weather[] = [{ kind: 'refuse' }, { kind: 'cut', afterBytes: 1_600 }]
  const ids: string[] = []
  const present = async (id: string) =>
    (await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)).filter(
      (one: { signal_present: boolean }) => one.signal_present,
    ).length
  const scan = async (id: string) => {
    const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
    return ended(admin, `/v1/runs/${run_id}`)
  }
  for (const weather of weathers) {
    const { id } = await admin.expect(201, 'POST', '/v1/accounts', newCompany())
    ids.push(id)
    toInternet.set(weather)
    toInternet.breakOpen()
    const failed = await scan(id)
    assert.deepEqual([failed.status, await present(id)], ['failed', 0])
    assert.match(failed.failure, /\w.*\.$/s)
    assert.ok(
      failed.jobs.every(({ state }: { state: string }) => state === 'failed'),
      'no signal counts as absent',
    )
  }
  toInternet.set(CLEAR)
  // Requests to a site that could not be reached are paused for a minute.
  for (const id of ids) {
    await eventually('it is read', async () => (await scan(id)).status === 'done')
    assert.equal(await present(id), 1)
  }
})

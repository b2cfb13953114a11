import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startInternet } from '../../sandbox/internet.ts'
import { startReceiver } from '../../sandbox/receiver.ts'
import { createGate } from '../../sandbox/waiters.ts'
import { createKey } from '../../src/resources/api-keys/create.ts'
import { Client } from '../support/client.ts'
import { movableClock, setClock } from '../support/clock.ts'
import { quickHubspot } from '../support/crm.ts'
import { ended, eventually } from '../support/eventually.ts'
import { beside, run, startWorker } from '../support/process.ts'
import { scene } from '../support/scene.ts'
import { ADMIN_KEY, testService } from '../support/service.ts'
import { companySites, newCompany } from './sites.ts'

const HOUR = 3_600_000
const LIMIT = 200
const gate = createGate()
const hubspot = quickHubspot()
const internet = await startInternet((request) =>
  hubspot.hosts.includes(request.url.hostname) ? hubspot.answer(request, {} as never) : companySites(request),
)
const receiver = await startReceiver({ gate })
const folder = mkdtempSync(join(tmpdir(), 'bellwether-clock-'))
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await receiver[Symbol.asyncDispose]()
  await internet[Symbol.asyncDispose]()
})
// With a correct clock: it represents the other processes of an installation.
const right = await testService({ env: { ...internet.env, OUTBOUND_ALLOW: receiver.host } })
const clock = join(folder, 'offset')
const env = {
  ...internet.env,
  ...beside(right),
  ...movableClock(clock),
  OUTBOUND_ALLOW: receiver.host,
  SOURCES: 'website',
  CRAWL_DELAY_MS: '0',
  RATE_LIMIT_PER_MINUTE: String(LIMIT),
  PUSH_CONCURRENCY: '8',
  ALERT_DELAY_SECONDS: '1',
  CRM_ONE_CLIENT_ID: 'sandbox-client',
  CRM_ONE_CLIENT_SECRET: 'sandbox-secret',
}
const running = run(['serve', '--only', 'api'], { env: { ...env, PUBLIC_URL: 'https://bellwether.example' } })
const [[, api]] = (await Promise.all([running.sees(/"address":"(http[^"]+)"/), startWorker(env)])) as [
  string[],
  unknown,
]
const JUMPS = [1, -1]

async function keyFor(member: { id: string }, fields: object = {}): Promise<Client> {
  const { key } = await createKey(right.deps.db, right.workspaceId, { member_id: member.id, name: 'clock', ...fields })
  return new Client(api as string, key)
}

for (const hours of JUMPS) {
  const jump = `${hours > 0 ? 'forward' : 'back'} by an hour`

  test(`a clock that jumps ${jump}: limits, keys and stored responses depend on elapsed time`, async () => {
    setClock(clock, 0)
    const member = await right.member()
    const limited = await keyFor(member)
    for (let n = 0; n < LIMIT; n++) await limited.get('/v1/signals')
    assert.equal((await limited.get('/v1/signals')).status, 429)
    const revoked = await right.member()
    const trusted = new Client(api as string, revoked.key)
    const expiring = await keyFor(member, { expires_at: new Date(Date.now() + HOUR / 2) })
    assert.deepEqual(
      [(await trusted.get('/v1/signals')).status, (await expiring.get('/v1/signals')).status],
      [200, 200],
    )
    const body = newCompany()
    const admin = new Client(api as string, ADMIN_KEY)
    const options = { headers: { 'idempotency-key': `once-${hours}` } }
    const first = await admin.post('/v1/accounts', body, options)
    assert.equal(first.status, 201)
    await right.admin.expect(200, 'DELETE', `/v1/members/${revoked.id}`)

    setClock(clock, hours)
    const wait = await limited.get('/v1/signals')
    assert.ok(Number(wait.headers.get('retry-after') ?? 0) <= 60, `wait ${wait.headers.get('retry-after')} seconds`)
    await eventually('a key that was taken away elsewhere is refused', async () => {
      return (await trusted.get('/v1/signals')).status === 401
    })
    // A process uses its own clock for keys: a key has expired when that clock says so.
    // It may have been cached a moment after the other, and stay valid for as much longer.
    await eventually('a key has ended when the clock says so', async () => {
      return (await expiring.get('/v1/signals')).status === (hours > 0 ? 401 : 200)
    })
    const again = await admin.post('/v1/accounts', body, options)
    assert.deepEqual([again.data, again.headers.get('idempotent-replayed')], [first.data, 'true'])
    setClock(clock, 0)
    await eventually('the key is good again', async () => (await expiring.get('/v1/signals')).status === 200)
  })

  test(`a clock that jumps ${jump} during work: each row arrives once, a scan ends, its alert is sent once`, async () => {
    setClock(clock, 0)
    gate.close()
    const owner = { client: new Client(api as string, ADMIN_KEY), workspaceId: right.workspaceId }
    const path = `/push${hours}`
    const made = await owner.client.expect(201, 'POST', '/v1/webhook-destinations', {
      name: jump,
      url: receiver.url + path,
    })
    await owner.client.expect(200, 'PUT', '/v1/settings/notifications', {
      webhook_url: `${receiver.url}/alerts${hours}`,
      webhook_enabled: true,
    })
    const { ids } = await scene(right, {
      accounts: 120,
      owner: { client: right.admin, workspaceId: right.workspaceId },
    })
    const push = { destination_id: made.id, account_ids: ids }
    const { run_id } = await owner.client.expect(202, 'POST', '/v1/accounts/webhook-push', push)
    await gate.untilHeld(8)
    const account = await owner.client.expect(201, 'POST', '/v1/accounts', newCompany())
    await owner.client.expect(200, 'POST', `/v1/accounts/${account.id}/activate`)
    setClock(clock, hours)
    gate.open(60)
    await gate.untilHeld(8)
    setClock(clock, 0)
    gate.open()
    const state = await ended(right.admin, `/v1/push-runs/${run_id}`)
    assert.deepEqual([state.status, state.sent, state.failed], ['completed', 120, 0])
    const rows = receiver.deliveries.filter((one) => one.path === path)
    assert.deepEqual([rows.length, new Set(rows.map(({ id }) => id)).size], [120, 120], 'no lease ran out')
    const webhook = new Webhook(made.secret)
    const isGood = ({ body, headers }: (typeof rows)[number]) => {
      try {
        return Boolean(webhook.verify(body, headers))
      } catch {
        return false
      }
    }
    assert.ok(isGood(rows.at(-1) as (typeof rows)[number]), 'a signature is of the time again')
    const runs = await right.deps.db.selectFrom('runs').select('id').where('account_id', '=', account.id).execute()
    assert.equal((await ended(right.admin, `/v1/runs/${runs[0]?.id}`)).status, 'done')
    await eventually('it is told', () => receiver.deliveries.some((one) => one.path === `/alerts${hours}`))
  })
}

test('a token that was renewed with a wrong clock is renewed again when the vendor rejects it', async () => {
  setClock(clock, 0)
  const client = new Client(api as string, ADMIN_KEY)
  const { authorization_url } = await client.expect(200, 'POST', '/v1/connections/authorize', { provider: 'crm_one' })
  const request = { method: 'GET', url: new URL(authorization_url), headers: {}, body: '' }
  const { headers } = await hubspot.answer(request, {} as never)
  const back = new URL(headers?.location ?? '')
  const browser = new Client(api as string, null)
  assert.equal((await browser.get(back.pathname + back.search)).status, 200)
  const session = await browser.post('/v1/sessions', { key: ADMIN_KEY })
  const confirmed = await browser.post('/oauth/callback', undefined, {
    headers: {
      cookie: session.headers.get('set-cookie')?.split(';', 1)[0] ?? '',
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: `state=${back.searchParams.get('state')}&account=${hubspot.portalId}`,
  })
  assert.equal(confirmed.status, 200, confirmed.text)
  const { ids } = await scene(right, { accounts: 1, owner: { client: right.admin, workspaceId: right.workspaceId } })
  const push = async () => {
    const { pushed } = await client.expect(200, 'POST', '/v1/accounts/crm-push', { account_ids: ids })
    assert.equal(pushed, 1)
    return hubspot.oauth.refreshes()
  }
  const before = await push()
  setClock(clock, 1)
  assert.equal(await push(), before + 1, 'an hour on, the token seems to have ended')
  setClock(clock, -1)
  assert.equal(await push(), before + 1, 'an hour back, it seems to be good for long')
  hubspot.oauth.expireAll()
  assert.equal(await push(), before + 2, 'the vendor knows better')
  setClock(clock, 0)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refused } from '../../../test/support/client.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { testService } from '../../../test/support/service.ts'
import { testWorld } from '../../../test/support/world.ts'

const held = Promise.withResolvers<void>()
after(() => held.resolve())
const HOME = `<html><head><title>Harrow</title><meta property="og:site_name" content="Harrow Gauges"></head>
  <body><main><h1>Harrow</h1><p>Harrow makes gauges.</p><a href="/about">About us</a></main></body></html>`
const { internet } = await testWorld({
  vendors: [],
  sites: {
    'one.example': { status: 404, body: '' },
    'two.example': 'drop',
    'harrow.example': {
      '/': HOME,
      '/about': async () => {
        await held.promise
        return HOME
      },
    },
  },
})
const online = await testService({
  worker: true,
  env: { ...internet.env, DNS_SERVER: '127.0.0.1:1', PREFLIGHT_HOSTS: 'one.example,two.example' },
})
/** Nothing beyond it responds, as on a server without internet access. */
const offline = await testService({ worker: true, env: { DNS_SERVER: '127.0.0.1:1' } })

type Step = { id: string; state: string; count: number }
const states = ({ steps }: { steps: Step[] }) => Object.fromEntries(steps.map(({ id, state }) => [id, state]))
const OFFLINE = /^This server has no internet access: allow [^.]*\.$/

test('the steps of the setup follow from what is stored, except those put off or kept', async () => {
  const { client } = await online.stranger()
  const setup = () => client.expect(200, 'GET', '/v1/setup')
  const fresh = await setup()
  assert.deepEqual([fresh.is_fresh, fresh.next, fresh.finding], [true, 'website', null])
  assert.deepEqual(new Set(Object.values(states(fresh))), new Set(['open']))

  const skipped = await client.expect(200, 'PATCH', '/v1/setup', { step: 'website', choice: 'later' })
  assert.deepEqual([states(skipped).website, skipped.next, skipped.is_fresh], ['skipped', 'profile', false])
  const again = await client.expect(200, 'PATCH', '/v1/setup', { step: 'website', choice: null })
  assert.equal(states(again).website, 'open')
  await client.expect(200, 'PATCH', '/v1/setup', { step: 'signals', choice: 'keep' })
  await client.expect(200, 'PATCH', '/v1/me/profile', { job_title: 'Account Executive' })
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'harrow.example', domain: 'harrow.example' })
  assert.equal(states(await setup()).companies, 'open', 'it is only suggested')
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  await client.expect(201, 'POST', '/v1/alert-rules', { name: 'Mine', events: ['signal.detected'], channel: 'email' })
  const later = await setup()
  assert.deepEqual(states(later), {
    website: 'open',
    profile: 'done',
    crm: 'open',
    companies: 'done',
    signals: 'done',
    alerts: 'done',
  })
  assert.deepEqual([later.next, later.scans.running], ['website', 1])
  const reading = await eventually('the first page', async () => {
    const { scans } = await setup()
    return scans.reading?.url && scans.reading
  })
  assert.deepEqual(reading, {
    account_id: id,
    account_name: 'Harrow Gauges',
    url: 'https://harrow.example/',
    pages: 1,
  })
  held.resolve()
  assert.equal((await client.expect(200, 'PATCH', '/v1/setup', { is_dismissed: true })).is_dismissed, true)
  assert.equal(states(await setup()).signals, 'done', 'dismissing keeps the decisions')
  refused(await client.patch('/v1/setup', { step: 'coffee', choice: 'later' }), 400, 'invalid_request')
})

test('members see only the steps that they may take, and their own decisions', async () => {
  const { client } = await online.member({ visibility: 'scoped' })
  const ids = ({ steps }: { steps: Step[] }) => steps.map(({ id }) => id)
  assert.deepEqual(ids(await client.expect(200, 'GET', '/v1/setup')), ['profile', 'companies', 'alerts'])
  assert.equal((await client.expect(200, 'GET', '/v1/setup')).is_fresh, false, 'an admin sets the workspace up')
  await client.expect(200, 'PATCH', '/v1/setup', { is_dismissed: true })
  assert.equal((await online.admin.expect(200, 'GET', '/v1/setup')).is_dismissed, false)
  refused(await client.get('/v1/setup/preflight'), 403, 'forbidden')
})

test('the preflight reports what can be reached, and an offline server says so in one sentence everywhere', async () => {
  const check = async (service: typeof online, id: string) => {
    const { checks, is_offline } = await service.admin.expect(200, 'GET', '/v1/setup/preflight')
    return { is_offline, ...checks.find((one: { id: string }) => one.id === id) }
  }
  const internet = await check(online, 'internet')
  assert.deepEqual(
    [internet.is_offline, internet.state, internet.message],
    [false, 'works', '1 of 2 hosts responded. No response from two.example.'],
  )
  assert.deepEqual([(await check(online, 'smtp')).state, (await check(online, 'chat')).state], ['off', 'off'])
  const { checked_at } = await online.admin.expect(200, 'GET', '/v1/setup/preflight')
  const repeated = await online.admin.expect(200, 'GET', '/v1/setup/preflight?again=true')
  assert.ok(repeated.checked_at > checked_at)

  const none = await check(offline, 'internet')
  assert.deepEqual([none.is_offline, none.state], [true, 'failing'])
  assert.match(none.message, OFFLINE)
  assert.match((await check(offline, 'dns')).message, /^No name server responds: /)

  const { admin, deps } = offline
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Acme', domain: 'acme.com' })
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  const last = await eventually('the scan ends', async () => (await admin.expect(200, 'GET', '/v1/setup')).scans.last)
  assert.deepEqual([last.account_name, last.status], ['Acme', 'failed'])
  assert.match(last.failure, OFFLINE)
  for (const name of ['Ashby', 'Greenhouse', 'Lever', 'Workable']) {
    await deps.health.report(name, { kind: 'unavailable', message: `${name}: The connection failed.` })
  }
  await deps.health.report('Wikidata', { kind: 'refused', message: 'Wikidata refuses us or our key (status 403).' })
  const problems = await admin.expect(200, 'GET', '/v1/attention')
  assert.deepEqual(
    problems.map(({ kind }: { kind: string }) => kind),
    ['no_internet', 'source_failing'],
  )
  assert.match(problems[0].message, OFFLINE)
  for (const name of ['Ashby', 'Greenhouse', 'Lever']) await deps.health.report(name, null)
  const partly = await admin.expect(200, 'GET', '/v1/attention')
  assert.ok(partly.every(({ kind }: { kind: string }) => kind === 'source_failing'))
  assert.ok(partly.length > 1)
})

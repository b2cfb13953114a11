import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startSandbox } from '../../sandbox/start.ts'
import type { Answer } from '../../test/support/client.ts'
import { ended, eventually, idle } from '../../test/support/eventually.ts'
import { testService } from '../../test/support/service.ts'
import { sweepMonitors } from './monitor/sweep.ts'
import { researchCompany } from './research.ts'

// End to end on the sandbox internet: activate, scan, monitor, alert. Nothing of the service is mocked.
const sandbox = await startSandbox()
const service = await testService({
  worker: true,
  env: {
    ...sandbox.env,
    SOURCES: 'website,job-boards,sec,github,status-pages',
    WORKER_CONCURRENCY: '8',
    ALERT_DELAY_SECONDS: '0',
  },
})
after(() => sandbox[Symbol.asyncDispose]())
const { admin, deps } = service
type Data = Answer['data']

const present = async (id: string): Promise<Data[]> =>
  (await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)).filter((one: Data) => one.signal_present)

const WATCHED = 'velloria.example'
const NEWS = {
  title: 'Velloria Diagnostics raises $28 million in Series B financing',
  text: `SINGAPORE, {date} -- Velloria Diagnostics today announced that it has raised $28 million in a Series B financing led by Tamarind Growth Partners.

"This lets us finish the trials that we began in spring," said the company's chief executive.

Existing shareholders took part in the financing, and no bank was involved.`,
  tells: ['funding' as const],
}

test('the monitor turns news of an active account into a detection and one alert, and no news into nothing', async () => {
  const { receiver, world } = sandbox
  await admin.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: `${receiver.url}/alerts`,
    webhook_enabled: true,
  })
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Velloria Diagnostics', domain: WATCHED })
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`, {})
  const events = async (): Promise<Data[]> =>
    (await admin.get(`/v1/accounts/${id}/monitor-events?all=true&per_page=100`)).data
  // The scan that activation starts initializes the watched pages.
  await idle(service)
  /** Makes the monitor check the account now, and returns its events. */
  async function check(): Promise<Data[]> {
    const seen = new Set((await events()).map((event) => event.id))
    await deps.db
      .updateTable('monitors')
      .set({ next_check_at: new Date(0) })
      .where('account_id', '=', id)
      .execute()
    await deps.jobs.enqueue(deps.db, sweepMonitors, {})
    await idle(service)
    return (await events()).filter((event) => !seen.has(event.id))
  }
  await check()
  // Pages that rarely have news are checked every third time.
  const quiet = [...(await check()), ...(await check()), ...(await check())]
  assert.ok(new Set(quiet.map((event) => event.url)).size >= 3, 'several pages are watched')
  assert.ok(quiet.every(({ status, meaningful }) => status === 'unchanged' && !meaningful))
  const before = await present(id)
  const alertsBefore = receiver.deliveries.length

  const { url } = world.publish(WATCHED, NEWS)
  const checked = await check()
  const meaningful = checked.filter((event) => event.meaningful)
  assert.ok(meaningful.length >= 1, JSON.stringify(checked))
  assert.ok(meaningful.every(({ status, search_status }) => status === 'changed' && search_status === 'searched'))
  assert.match(meaningful[0].reason, /\$28 million/)
  const added = (await present(id)).filter((one) => !before.some((known) => known.id === one.id))
  assert.deepEqual(
    added.map(({ signal_id, sources }) => [signal_id, sources]),
    [['funding', [url]]],
  )
  const [sent, ...others] = receiver.deliveries.slice(alertsBefore)
  assert.equal(others.length, 0)
  const alert = JSON.parse(sent?.body ?? '')
  assert.equal(alert.type, 'signal.detected')
  assert.match(JSON.stringify(alert.data), /\$28 million/)

  // Pages that are checked later show the same article, which is no longer news.
  const after = [...(await check()), ...(await check()), ...(await check())]
  assert.ok(
    after.every((event) => !event.meaningful),
    JSON.stringify(after),
  )
  assert.equal((await present(id)).length, before.length + 1)
  assert.equal(receiver.deliveries.length, alertsBefore + 1)
})

test('technologies are stored and compared between snapshots; releases and incidents are read', async () => {
  const of = async (domain: string): Promise<Data> => {
    const { data } = await admin.post('/v1/accounts', { name: sandbox.world.company(domain).name, domain })
    if (data.last_scanned_at === null) await scan(data)
    return admin.expect(200, 'GET', `/v1/accounts/${data.id}`)
  }
  const facts = ({ technology_facts }: Data, isGone = false): string[] =>
    technology_facts.filter((one: Data) => (one.gone_at !== null) === isGone).map((one: Data) => one.name)
  const adopted = async ({ id }: Data): Promise<string[]> =>
    (await present(id)).filter((one) => one.signal_id === 'technology_adoption').map((one) => one.evidence[0].claim)
  const scan = async ({ id }: Data): Promise<Data> =>
    ended(admin, `/v1/runs/${(await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)).run_id}`)
  const detected = async ({ id }: Data, signal: string): Promise<string[]> =>
    (await present(id)).filter((one) => one.signal_id === signal).flatMap((one) => one.sources)

  const [fathomly, verrano] = [await of('fathomly.example'), await of('verrano.example')]
  assert.deepEqual(facts(fathomly), ['Segment', 'Intercom', 'Google Tag Manager'])
  assert.deepEqual(fathomly.technologies, ['Google Tag Manager', 'Intercom', 'Segment'])
  const { first_seen, last_seen, ...intercom } = fathomly.technology_facts[1]
  assert.equal(first_seen, last_seen)
  assert.deepEqual(intercom, {
    name: 'Intercom',
    category: 'support and chat',
    gone_at: null,
    evidence: 'Loads widget.intercom.io',
    evidence_url: 'https://fathomly.example/',
  })
  // The first snapshot yields no findings.
  assert.deepEqual(await adopted(fathomly), [])
  const records = verrano.technology_facts.filter((one: Data) => one.evidence_url === null)
  assert.deepEqual(
    records.map(({ name, evidence }: Data) => [name, evidence]),
    [
      ['Google Workspace', 'MX record aspmx.l.google.com'],
      ['SendGrid', 'SPF record sendgrid.net'],
      ['Atlassian Cloud', 'TXT record atlassian-domain-verification'],
    ],
  )
  const release = 'https://github.com/fathomly/fathom-agent/releases/tag/v3.0.0'
  assert.ok((await detected(fathomly, 'product_launch')).includes(release))
  const breach = 'https://verrano.statuspage.io/incidents/p1x7hv2m8b5t'
  assert.deepEqual(await detected(verrano, 'security_incident'), [breach])
  // An outage is not an attack.
  assert.deepEqual(await detected(fathomly, 'security_incident'), [])

  // Aborting during both requests causes one failure; a second unhandled rejection would end the process.
  for (const vendor of ['github', 'statuspage']) sandbox.world.outage(vendor, 'stall')
  const giveUp = new AbortController()
  const asked = sandbox.internet.requests.length
  const company = { name: fathomly.name, domain: fathomly.domain }
  const research = researchCompany(deps, company, { since: '2026-01-01' }, giveUp.signal)
  await eventually('both are asked', () => {
    const urls = sandbox.internet.requests.slice(asked).map(({ url }) => url)
    return ['api.github.com', 'incidents.json'].every((part) => urls.some((url) => url.includes(part))) || null
  })
  giveUp.abort()
  await assert.rejects(research)
  for (const vendor of ['github', 'statuspage']) sandbox.world.outage(vendor, null)

  // One is replaced, and vendors fail: earlier results stay, and the failures are reported.
  sandbox.world.change('fathomly.example', { drop: ['Intercom'], use: ['Zendesk', 'Stripe'] })
  sandbox.world.outage('github', 'limited')
  sandbox.world.outage('statuspage', 'misshapen')
  const { stats } = await scan(fathomly)
  sandbox.world.outage('github', null)
  sandbox.world.outage('statuspage', null)
  const fared = Object.fromEntries(
    stats.sources.map(({ name, outcome, reason }: Data) => [name, `${outcome}: ${reason}`]),
  )
  assert.match(fared.github, /^failed: GitHub reports that the quota is used up/)
  assert.match(fared['status-pages'], /^failed: Status pages failed: unexpected response format/)
  const { problems } = (await admin.expect(200, 'GET', '/v1/integrations')).providers
  assert.deepEqual(
    problems.map(({ name, kind }: Data) => [name, kind]),
    [
      ['GitHub', 'quota'],
      ['Status pages', 'unreadable'],
    ],
  )
  const changed = await of('fathomly.example')
  assert.deepEqual(
    [facts(changed), facts(changed, true)],
    [['Segment', 'Stripe', 'Zendesk', 'Google Tag Manager'], ['Intercom']],
  )
  const claims = ['Fathomly adopts Stripe', 'Fathomly adopts Zendesk in place of Intercom']
  assert.deepEqual((await adopted(fathomly)).sort(), claims)
  const [seen] = (await present(fathomly.id)).filter((one) => one.signal_id === 'technology_adoption')
  assert.doesNotMatch(seen.drafted_message_md ?? '', /I read|the news/, 'it was not published')

  // A site that cannot be read proves nothing, and what reappears is not new.
  sandbox.world.change('fathomly.example', { drop: ['Zendesk'], use: ['Intercom'] })
  sandbox.world.fault('fathomly.example', 'error')
  await scan(fathomly)
  assert.deepEqual(facts(await of('fathomly.example'), true), ['Intercom'])
  sandbox.world.restore('fathomly.example')
  await scan(fathomly)
  assert.deepEqual(facts(await of('fathomly.example'), true), ['Zendesk'])
  assert.deepEqual((await adopted(fathomly)).sort(), claims)
})

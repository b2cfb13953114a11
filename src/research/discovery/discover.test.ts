import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, type Client, refused } from '../../../test/support/client.ts'
import { addCompanies, day, EVENTS, siteOf } from '../../../test/support/companies.ts'
import { crmRecords } from '../../../test/support/crm-records.ts'
import { COMPANIES, STORIES, startDiscoveryWorld, story } from '../../../test/support/discovery-world.ts'
import { ended, eventually, idle } from '../../../test/support/eventually.ts'
import { differences } from '../../../test/support/examples.ts'
import { type Operation, readOperations } from '../../../test/support/operations.ts'
import { testService } from '../../../test/support/service.ts'
import { rescoreAccounts } from '../assess.ts'
import { discoverAccounts } from './discover.job.ts'

type Data = Answer['data']

const { internet, sites, news, alerts } = await startDiscoveryWorld()
const env = { ...internet.env, CRAWL_DELAY_MS: '0', ALERT_DELAY_SECONDS: '0', DISCOVERY_MAX_CANDIDATES: '50' }
const service = await testService({ worker: true, env: { ...env, SOURCES: 'website' } })
// News sources are rate limited, so only the tests about them use them.
const withNews = await testService({ worker: true, env: { ...env, SOURCES: 'website,hacker-news' } })
after(() => internet[Symbol.asyncDispose]())

/** A workspace with the imported universe of the sandbox. */
async function fresh({ universe = true, of = service } = {}) {
  const { client, workspaceId } = await of.stranger()
  const companies = Object.entries(COMPANIES).flatMap(([domain, { site, universe: known }]) =>
    known ? [{ domain, name: site?.name ?? 'Ivy', ...known }] : [],
  )
  if (universe) await addCompanies(of.databaseUrl, workspaceId, companies)
  return { client, workspaceId }
}

async function discover(client: Client, body: object): Promise<Data> {
  const started = await client.expect(202, 'POST', '/v1/runs', body)
  assert.equal(started.status, 'running')
  return ended(client, `/v1/runs/${started.run_id}`)
}

async function suggested(client: Client): Promise<string[]> {
  const accounts: Data[] = await client.expect(200, 'GET', '/v1/accounts?status=suggested')
  return accounts.map(({ domain }) => domain.replace('.example', '')).sort()
}

const FUNDED = ['alder', 'birch', 'cedar', 'fir', 'ginkgo']
const CASES: Record<string, [object, string[]]> = {
  'any of one signal': [{ signals: { any_of: ['funding'] } }, FUNDED],
  'any of several': [{ signals: { any_of: ['acquisition', 'layoffs'] } }, ['cedar', 'douglas']],
  'all that it must have': [{ signals: { must_have: ['funding', 'layoffs'] } }, ['cedar']],
  'must have one and any of others': [
    { signals: { must_have: ['funding'], any_of: ['layoffs', 'acquisition'] } },
    ['cedar'],
  ],
  'none of what is excluded': [
    { signals: { any_of: ['funding'], exclude: ['layoffs'] } },
    FUNDED.filter((name) => name !== 'cedar'),
  ],
  'within a month': [{ signals: { any_of: ['funding'] }, recency: '30' }, FUNDED.filter((name) => name !== 'birch')],
  'of any age': [{ signals: { any_of: ['funding'] }, recency: 'all' }, [...FUNDED, 'elm'].sort()],
  'in a country': [{ signals: { any_of: ['funding'] }, geographies: ['Germany'] }, ['alder', 'fir']],
  'in a region': [{ signals: { any_of: ['funding'] }, geographies: ['DACH'] }, ['alder', 'birch', 'fir']],
  'in states': [
    { signals: { any_of: ['funding', 'acquisition'] }, geographies: ['Bavaria', 'California'] },
    ['alder', 'douglas'],
  ],
  'in cities': [
    { signals: { any_of: ['funding'] }, geographies: ['Munich', 'Villeurbanne', 'Berlin'] },
    ['alder', 'cedar'],
  ],
  'in a country known by its city': [{ signals: { any_of: ['funding'] }, geographies: ['France'] }, ['cedar']],
  'in an industry and what belongs to it': [
    { signals: { any_of: ['funding'] }, industries: ['Software'] },
    ['alder', 'birch'],
  ],
  'in an industry outside the taxonomy': [{ signals: { any_of: ['funding'] }, industries: ['candle making'] }, ['fir']],
  'of a size': [{ signals: { any_of: ['funding'] }, employee_min: 60, employee_max: 80 }, ['birch', 'fir']],
  'of all at once': [
    { signals: { any_of: ['funding'] }, geographies: ['AT', 'de'], industries: ['Software'], employee_max: 75 },
    ['birch'],
  ],
}
for (const [name, [body, expected]] of Object.entries(CASES)) {
  test(`discovery finds exactly the matching companies: ${name}`, async () => {
    const { client } = await fresh()
    const run = await discover(client, body)
    assert.equal(run.status, 'done', run.failure)
    assert.deepEqual(await suggested(client), expected, JSON.stringify(run.stats))
    assert.deepEqual([run.stats.matched, run.stats.accounts], [expected.length, expected.length])
  })
}

test('a run without a name is named after its rule', async () => {
  const { client } = await fresh()
  const signals = { any_of: ['funding', 'expansion'], exclude: ['layoffs'] }
  const { run_id } = await client.expect(202, 'POST', '/v1/runs', { signals, geographies: ['DACH'], recency: 'all' })
  const { name, signal_id, timeframe_days } = await client.expect(200, 'GET', `/v1/runs/${run_id}`)
  assert.deepEqual([name, signal_id, timeframe_days], ['Funding or Expansion, without Layoffs in DACH', null, null])
})

test('a match becomes a suggested account with its detections, evidence and profile, and sends an alert', async () => {
  const { client } = await fresh({ of: withNews })
  const path = `/${crypto.randomUUID()}`
  await client.expect(200, 'PUT', '/v1/settings/notifications', {
    webhook_url: `https://hooks.example${path}`,
    webhook_enabled: true,
    notify_suggested: true,
  })
  const run = await discover(client, {
    name: 'Funded in DACH',
    signals: { any_of: ['funding'] },
    geographies: ['DACH'],
    employee_max: 100,
  })
  assert.deepEqual(
    [run.mode, run.name, run.signal_id, run.timeframe_days],
    ['discovery', 'Funded in DACH', 'funding', 90],
  )
  assert.deepEqual(run.spec, {
    signals: { any_of: ['funding'], must_have: [], exclude: [] },
    recency: '90',
    geographies: ['DACH'],
    industries: [],
    employee_min: null,
    employee_max: 100,
  })
  const getRun = readOperations().find(({ operationId }) => operationId === 'getRun') as Operation
  assert.deepEqual(differences(getRun, { status: 200, body: { data: run } }), [], 'the documentation shows such a run')
  const accounts: Data[] = await client.expect(200, 'GET', '/v1/accounts')
  const birch = await client.expect(200, 'GET', `/v1/accounts/${accounts.find(({ name }) => name === 'Birch').id}`)
  assert.deepEqual(
    [birch.status, birch.source, birch.country, birch.industry, birch.employees],
    ['suggested', 'discovery', 'Austria', 'B2B SaaS', 60],
  )
  assert.ok(birch.score > 0 && birch.last_scanned_at)
  const signals: Data[] = await client.expect(200, 'GET', `/v1/accounts/${birch.id}/signals`)
  const [funding, ...others] = signals.filter(({ signal_present }) => signal_present)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [funding.signal_id, funding.detected_at, funding.sources],
    ['funding', day(40), ['https://birch.example/news/funding']],
  )
  const juniper = accounts.find(({ name }) => name === 'Juniper')
  assert.deepEqual([juniper.country, juniper.industry, juniper.employees], ['Germany', 'FinTech', 75])
  const received = () => alerts.filter((alert) => alert.path === path)
  await internet.until(() => received().length > 0)
  await idle(withNews)
  const [alert, ...more] = received()
  assert.equal(more.length, 0, 'a run is one alert')
  assert.deepEqual([alert?.type, alert?.data.run_id, alert?.data.total], ['account.suggested', run.id, 3])
  const names: string[] = alert?.data.accounts.map(({ domain }: Data) => domain)
  assert.deepEqual(names.sort(), ['birch.example', 'fir.example', 'juniper.example'])
})

test('filters apply to the reported facts of a company in the news, and reject unknown facts', async () => {
  const { client } = await fresh({ of: withNews, universe: false })
  const abroad = await discover(client, { signals: { any_of: ['funding'] }, geographies: ['France', 'Bavaria'] })
  const larger = await discover(client, { signals: { any_of: ['funding'] }, employee_min: 76 })
  assert.deepEqual([abroad.stats.candidates, abroad.stats.matched, larger.stats.matched], [1, 0, 0])
  const found = await discover(client, {
    signals: { any_of: ['funding'] },
    geographies: ['Brandenburg'],
    employee_min: 75,
  })
  assert.equal(found.stats.matched, 1)
  const silent = { signals: { any_of: ['acquisition'] } }
  const unknown = await discover(client, { ...silent, geographies: ['Germany'] })
  assert.deepEqual([unknown.stats.candidates, unknown.stats.matched], [1, 0])
  assert.equal((await discover(client, silent)).stats.matched, 1)
})

test('a company in the news is researched when the story leads to its site and the site names it; a name match proves nothing', async () => {
  news.stories = ['Maple Robotics', 'Oak Systems', 'Pine Labs', 'Poplar Systems', 'Quince', 'Willow'].map((name, at) =>
    story(`9${at}`, `https://news.example/${name.split(' ')[0]?.toLowerCase()}`, EVENTS.funding(name).title),
  )
  const before = internet.requests.length
  const { client } = await fresh({ of: withNews, universe: false })
  const { stats } = await discover(client, { signals: { any_of: ['funding'] } })
  news.stories = STORIES
  assert.deepEqual([stats.candidates, stats.unresolved, stats.matched], [3, 3, 3], JSON.stringify(stats))
  assert.deepEqual(await suggested(client), ['maple-robotics', 'poplar-systems.com', 'willow-systems'])
  const hosts = internet.requests.slice(before).map(({ url }) => new URL(url).host)
  assert.ok(hosts.includes('oak.example') && hosts.includes('pinelabs.com'))
})

test('companies without a website are listed with what was tried', async () => {
  news.stories = ['Oak Systems', 'Pine Labs', 'Quince'].map((name, at) =>
    story(`7${at}`, `https://news.example/${name.split(' ')[0]?.toLowerCase()}`, EVENTS.funding(name).title),
  )
  const { client } = await fresh({ of: withNews, universe: false })
  const { id, status, stats } = await discover(client, { signals: { any_of: ['funding'] } })
  news.stories = STORIES
  assert.deepEqual([status, stats.candidates, stats.unresolved], ['done', 0, 3])
  const unresolved: Data[] = await client.expect(200, 'GET', `/v1/runs/${id}/unresolved`)
  const listUnresolved = readOperations().find(({ operationId }) => operationId === 'listUnresolved') as Operation
  assert.deepEqual(
    differences(listUnresolved, {
      status: 200,
      body: { data: unresolved, pagination: { total: 3, page: 1, per_page: 25, has_more: false } },
    }),
    [],
  )
  assert.deepEqual(
    unresolved.map(({ name, signal_id, source, url }) => [name, signal_id, source, url]),
    ['Oak Systems', 'Pine Labs', 'Quince'].map((name) => [
      ...[name, 'funding', 'Hacker News'],
      `https://news.example/${name.split(' ')[0]?.toLowerCase()}`,
    ]),
  )
  assert.deepEqual(unresolved[0].attempts, [
    'oak.example uses another name (Oak Furniture).',
    'Domains formed from the name: no page could be read at oaksystems.com, oak-systems.com, oak.com, oaksystems.io, oaksystems.ai.',
  ])
  assert.deepEqual(unresolved[1].attempts, [
    'The source names no website.',
    'Domains formed from the name: pinelabs.com uses the name, but shows nothing else that the source states; no page could be read at pine-labs.com, pine.com, pinelabs.io, pinelabs.ai.',
  ])
  assert.equal(unresolved[2].attempts[0], 'quince.example leads to a page of bigco.example.')
  const second = await client.get(`/v1/runs/${id}/unresolved?page=2&per_page=2`)
  assert.deepEqual([second.body.data.map(({ name }: Data) => name), second.body.pagination.total], [['Quince'], 3])
  const { client: other } = await fresh({ of: withNews, universe: false })
  refused(await other.get(`/v1/runs/${id}/unresolved`), 404, 'not_found')
})

test('the own company is not returned when the news names it, not even as a company without a website', async () => {
  news.stories = ['Maple Robotics', 'Kapok'].map((name, at) =>
    story(`8${at}`, `https://news.example/${name.split(' ')[0]?.toLowerCase()}`, EVENTS.funding(name).title),
  )
  const { client } = await fresh({ of: withNews, universe: false })
  await client.expect(200, 'PATCH', '/v1/company-profile', { name: 'Maple Robotics, Inc.' })
  const { id, stats } = await discover(client, { signals: { any_of: ['funding'] } })
  news.stories = STORIES
  assert.deepEqual([stats.candidates, stats.unresolved], [0, 1], JSON.stringify(stats))
  const unresolved: Data[] = await client.expect(200, 'GET', `/v1/runs/${id}/unresolved`)
  assert.deepEqual(
    unresolved.map(({ name }) => name),
    ['Kapok'],
  )
})

test('a company with a filing is researched when the filing names its site, or the site names an officer of the filing', async () => {
  const filings = { ...env, SOURCES: 'website,sec' }
  const reading = await testService({ worker: true, env: { ...filings, OUTBOUND_CONTACT: 'ops@team.example' } })
  const { stats } = await discover(reading.admin, { signals: { any_of: ['funding', 'acquisition'] } })
  assert.deepEqual([stats.candidates, stats.unresolved, stats.matched], [2, 1, 2], JSON.stringify(stats))
  const found = await reading.admin.expect(200, 'GET', '/v1/accounts')
  assert.deepEqual(found.map(({ domain }: Data) => domain).sort(), ['rowandynamics.com', 'tamarack-grid.com'])

  // Without a contact address the source is off, which GET /sources reports; that is not a failure of a run.
  const silent = await testService({ worker: true, env: filings })
  await addCompanies(silent.databaseUrl, silent.workspaceId, [{ domain: 'alder.example', name: 'Alder' }])
  const without = await discover(silent.admin, { signals: { any_of: ['funding'] } })
  assert.deepEqual([without.status, without.stats.matched, without.stats.lead_sources], ['done', 1, []])
  assert.deepEqual(
    without.stats.sources.map(({ name }: Data) => name),
    ['website'],
  )
  const { filings: hint } = await silent.admin.expect(200, 'GET', '/v1/integrations')
  assert.match(hint.problem, /OUTBOUND_CONTACT/)
  assert.deepEqual(
    [hint.enabled, (await reading.admin.expect(200, 'GET', '/v1/integrations')).filings.enabled],
    [false, true],
  )
})

test('a run may also check the active accounts, or only these; findings are stored there', async () => {
  const { client } = await fresh()
  const add = async (domain: string) => {
    const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: COMPANIES[domain]?.site?.name, domain })
    await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
    return id
  }
  const [cedar, hazel] = [await add('cedar.example'), await add('hazel.example')]
  await client.expect(201, 'POST', '/v1/accounts', { name: 'Fir', domain: 'fir.example' })
  const rule = { signals: { any_of: ['funding'] } }
  const both = await discover(client, { ...rule, mode: 'both' })
  const { stats } = both
  assert.deepEqual([both.mode, both.status], ['both', 'done'])
  assert.deepEqual([stats.monitored, stats.matched, stats.existing], [2, 4, 1], JSON.stringify(stats))
  assert.deepEqual(await suggested(client), ['alder', 'birch', 'fir', 'ginkgo'])
  const of = async (id: string): Promise<Data[]> =>
    (await client.expect(200, 'GET', `/v1/accounts/${id}/signals`)).filter((one: Data) => one.signal_present)
  assert.deepEqual((await of(cedar)).map(({ signal_id }) => signal_id).sort(), ['funding', 'layoffs'])
  assert.deepEqual(await of(hazel), [])
  await client.expect(200, 'PATCH', `/v1/accounts/${cedar}`, { country: 'France' })
  const monitor = await discover(client, { ...rule, mode: 'monitor', geographies: ['France'] })
  assert.deepEqual(
    [monitor.mode, monitor.stats.candidates, monitor.stats.matched, monitor.stats.accounts],
    ['monitor', 2, 1, 1],
  )
  await client.expect(200, 'PATCH', `/v1/accounts/${cedar}`, { country: null, location: 'Villeurbanne' })
  const inCity = await discover(client, { ...rule, mode: 'monitor', geographies: ['Villeurbanne'] })
  assert.equal(inCity.stats.matched, 1)
  const round = (await of(cedar)).find(({ signal_id }) => signal_id === 'funding')
  await client.expect(200, 'PUT', `/v1/accounts/${cedar}/signals/${round?.id}/feedback`, { verdict: 'wrong' })
  const denied = await discover(client, { ...rule, mode: 'monitor' })
  assert.deepEqual([denied.stats.matched, denied.stats.monitored], [0, 2], 'what is marked wrong fulfils no rule')
})

test('an account that is deleted before a run checks it is not suggested again', async () => {
  const one = await testService({ env: { ...env, SOURCES: 'website', DISCOVERY_CONCURRENCY: '1' } })
  const accounts = new Map<string, string>()
  for (const name of ['Tansy', 'Thyme']) {
    const domain = `${name.toLowerCase()}.example`
    const { id } = await one.admin.expect(201, 'POST', '/v1/accounts', { name, domain })
    await one.admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
    accounts.set(domain, id)
    const site = siteOf({ name, events: { funding: 5 } })
    sites.set(domain, async (request) => {
      // While the first is checked, the other is deleted.
      const other = [...accounts].find(([theirs]) => theirs !== domain)
      if (accounts.size === 2 && other && accounts.delete(other[0]))
        await one.admin.expect(200, 'DELETE', `/v1/accounts/${other[1]}`)
      return site(request)
    })
  }
  const rule = { signals: { any_of: ['funding'] }, mode: 'monitor' }
  const { run_id } = await one.admin.expect(202, 'POST', '/v1/runs', rule)
  await one.run(discoverAccounts, { workspace_id: one.workspaceId, run_id })
  const run = await one.admin.expect(200, 'GET', `/v1/runs/${run_id}`)
  assert.deepEqual([run.status, run.stats.candidates, run.stats.matched], ['done', 2, 1], JSON.stringify(run.stats))
  const left: Data[] = await one.admin.expect(200, 'GET', '/v1/accounts')
  assert.deepEqual(
    left.map(({ domain }) => domain),
    [...accounts.keys()],
  )
})

test('a company without any fact that the ICP asks for is new until it is assessed', async () => {
  const { client } = await fresh({ universe: false, of: withNews })
  await client.expect(201, 'POST', '/v1/knowledge-base', {
    type: 'icp',
    title: 'Customers',
    content_md: 'Financial services in Germany with 50 to 500 employees.',
  })
  const run = await discover(client, { signals: { any_of: ['acquisition', 'funding'] } })
  const accounts: Data[] = await client.expect(200, 'GET', '/v1/accounts')
  assert.deepEqual(accounts.map(({ name, status }) => [name, status]).sort(), [
    ['Juniper', 'suggested'],
    ['Larch', 'new'],
  ])
  const [{ id }] = await client.expect(200, 'GET', '/v1/accounts?status=new')
  // Once a fact is known, it is assessed.
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { industry: 'Forestry', country: 'Brazil' })
  await withNews.deps.db
    .updateTable('accounts')
    .set({ scored_at: '2020-01-01T00:00:00Z' })
    .where('id', '=', id)
    .execute()
  await withNews.run(rescoreAccounts, {})
  const account = await client.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.deepEqual(
    [account.status, account.unqualified_reason],
    [
      'unqualified',
      'It does not fit: Forestry (target financial services); Brazil (target Germany). Otherwise: employees unknown (target 50–500).',
    ],
  )
  const [listed] = await client.expect(
    200,
    'GET',
    `/v1/accounts?run_id=${run.id}&status=unqualified&latest_finding=true`,
  )
  assert.equal(listed.unqualified_reason, account.unqualified_reason)
  const activated = await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  assert.deepEqual([activated.status, activated.unqualified_reason], ['active', null], 'the team knows better')
})

test('the own company is never suggested: neither its domain, nor a redirect from or to it', async () => {
  const { client, workspaceId } = await fresh({ of: withNews })
  sites.set('alder-old.example', () => ({ status: 301, headers: { location: 'https://alder.example/' } }))
  sites.set('fir-labs.example', () => ({ status: 301, headers: { location: 'https://fir.example/' } }))
  sites.set('shop.fir.example', siteOf({ name: 'Fir', events: { funding: 6 } }))
  await addCompanies(withNews.databaseUrl, workspaceId, [
    { domain: 'shop.fir.example', name: 'Fir' },
    { domain: 'fir-labs.example', name: 'Fir' },
  ])
  // Alder moved: its profile still has the old domain.
  const own = async (domain: string) => {
    const from = new Date().toISOString()
    await client.expect(202, 'POST', '/v1/company-profile/refresh', { domain })
    await eventually('the own site', async () => {
      const { scraped_meta } = await client.expect(200, 'GET', '/v1/company-profile')
      return scraped_meta.read_at >= from
    })
  }
  await own('alder-old.example')
  const rule = { signals: { any_of: ['funding'] } }
  await discover(client, rule)
  const others = [...FUNDED.filter((name) => name !== 'alder'), 'fir-labs', 'juniper', 'shop.fir']
  assert.deepEqual(await suggested(client), others.sort())
  for (const { id } of await client.expect(200, 'GET', '/v1/accounts')) {
    await client.expect(200, 'DELETE', `/v1/accounts/${id}`)
  }
  await own('fir.example')
  await discover(client, rule)
  assert.deepEqual(await suggested(client), [...FUNDED.filter((name) => name !== 'fir'), 'juniper'].sort())
})

test('an existing account of any status and a customer in the CRM are not suggested, and a second run adds nothing', async () => {
  const { client, workspaceId } = await fresh()
  const crm = await crmRecords(service.deps.db, workspaceId)
  const customer = await crm.company({ name: 'Fir', domain: 'fir.example' })
  await crm.deal(customer, { state: 'won' })
  // Neither a deal that was lost nor one with a former customer makes a customer.
  const former = await crm.company({ name: 'Cedar', domain: 'cedar.example', is_former_customer: true })
  await crm.deal(former, { state: 'won' })
  await crm.deal(former, { state: 'lost' })
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Mine', domain: 'alder.example' })
  await client.expect(200, 'POST', `/v1/accounts/${id}/reject`)
  await client.expect(201, 'POST', '/v1/accounts', { name: 'Also mine', domain: 'birch.example' })
  const before = internet.requests.length
  const run = await discover(client, { signals: { any_of: ['funding'] } })
  assert.deepEqual([run.stats.existing, run.stats.matched], [3, 2])
  const looked = new Set(internet.requests.slice(before).map(({ url }) => new URL(url).host))
  assert.ok(looked.has('cedar.example') && !looked.has('alder.example') && !looked.has('birch.example'))
  assert.ok(!looked.has('fir.example'))
  const again = await discover(client, { signals: { any_of: ['funding'] } })
  assert.deepEqual([again.status, again.stats.existing, again.stats.matched], ['done', 5, 0])
  const accounts: Data[] = await client.expect(200, 'GET', '/v1/accounts')
  assert.equal(accounts.length, 4)
  assert.deepEqual(
    accounts
      .filter(({ name }) => name.endsWith('ine'))
      .map(({ status, domain }) => [domain, status])
      .sort(),
    [
      ['alder.example', 'rejected'],
      ['birch.example', 'suggested'],
    ],
  )
})

test('a run reports failures: of companies, of news sources, of domains in the news', async () => {
  const { client } = await fresh({ of: withNews })
  const run = await discover(client, { signals: { any_of: ['funding'] } })
  const { stats } = run
  assert.deepEqual([stats.candidates, stats.unresolved, stats.failed], [10, 1, 1])
  const website = stats.sources.find(({ name }: Data) => name === 'website')
  assert.equal(website.outcome, 'items')
  assert.match(website.reason, /^It failed for 1 of 10 companies\. \w/)
  assert.deepEqual(stats.lead_sources, [{ name: 'Hacker News', outcome: 'items', items: 3, reason: null }])

  news.works = false
  const { client: other } = await fresh({ of: withNews })
  const without = await discover(other, { signals: { any_of: ['funding'] } })
  news.works = true
  assert.equal(without.status, 'done')
  assert.equal(without.stats.lead_sources[0].outcome, 'failed')
  assert.ok(without.stats.lead_sources[0].reason)
  assert.equal(without.stats.failed, 1)
  assert.deepEqual(await suggested(other), FUNDED)
})

test('a run that cannot continue fails with the reason', async () => {
  news.works = false
  const { client } = await fresh({ universe: false, of: withNews })
  const empty = await discover(client, { signals: { any_of: ['funding'] } })
  assert.equal(empty.status, 'failed')
  assert.match(
    empty.failure,
    /^There are no companies to research\. Import companies .* news sources\. Hacker News responded with status 500\.$/,
  )
  const { client: other, workspaceId } = await fresh({ universe: false })
  await addCompanies(service.databaseUrl, workspaceId, [{ domain: 'ivy.example', name: 'Ivy' }])
  const unread = await discover(other, { signals: { any_of: ['funding'] } })
  news.works = true
  assert.equal(unread.status, 'failed')
  assert.match(unread.failure, /^None of the 1 companies could be researched\. .*website: \w/)
})

test('a run without signals, with unknown values, or without a subscription is rejected', async () => {
  const { client } = await fresh({ universe: false })
  const signals = { any_of: ['funding'] }
  const wrong: [object, string][] = [
    [{}, 'signals'],
    [{ signals: {} }, 'signals'],
    [{ signals: { exclude: ['layoffs'] } }, 'signals'],
    [{ signals: { any_of: ['funding'], exclude: ['funding'] } }, 'signals.exclude'],
    [{ signals, recency: 'soon' }, 'recency'],
    [{ signals, recency: '0' }, 'recency'],
    [{ signals, geographies: ['DACH', 'Atlantis'] }, 'geographies.1'],
    [{ signals, industries: ['Software', 'Quidditch'] }, 'industries.1'],
    [{ signals, employee_min: 10, employee_max: 9 }, 'employee_min'],
    [{ signals, employee_min: -1 }, 'employee_min'],
  ]
  for (const [body, path] of wrong) {
    const answer = await client.post('/v1/runs', body)
    refused(answer, 400, 'invalid_request')
    assert.equal(answer.error.details[0].path, path, JSON.stringify(body))
  }
  for (const recency of ['0', '-3', '1.5', 'soon']) {
    const { error } = await client.post('/v1/runs', { signals, recency })
    assert.equal(error.message, 'recency must be a whole number of days from 1 to 99999, such as "90", or "all".')
  }
  const mistyped = { signals, geographies: ['Californa', 'Texas', 'Berln', 'Zz'], industries: ['Sofware', 'Quidditch'] }
  const { error } = await client.post('/v1/runs', mistyped)
  assert.deepEqual(
    error.details.map(({ path, message }: Data) => [path, message.split('"').slice(1).join('').split(', ')[0]]),
    [
      ['geographies.0', 'Californa; near: California'],
      ['geographies.2', 'Berln; near: Berlin'],
      ['geographies.3', 'Zz'],
      ['industries.0', 'Sofware; near: software'],
      ['industries.1', 'Quidditch; some that are: technology'],
    ],
  )
  refused(await client.post('/v1/runs', { signals: { any_of: ['funding', 'magic'] } }), 422, 'unknown_signal')
  await client.expect(200, 'PUT', '/v1/subscription', { status: 'inactive' })
  refused(await client.post('/v1/runs', { signals }), 402, 'subscription_required')
  assert.equal((await client.get('/v1/runs')).body.pagination.total, 0)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Host, startInternet } from '../../../sandbox/internet.ts'
import { refused } from '../../../test/support/client.ts'
import { ended, eventually, idle } from '../../../test/support/eventually.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { newId } from '../../shared/ids.ts'
import { fillAccounts } from '../fill-accounts.job.ts'
import { failAbandonedRuns } from './scan.ts'

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const html = (title: string, body: string, head = '') => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`,
})
const organization = (fields: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Organization', ...fields })}</script>`

const ROUND = `<article><h1>Halden Robotics raises $40 million in Series B funding</h1><time datetime="${day(4)}">${day(4)}</time>
<p>OSLO, Norway. Halden Robotics today announced that it has raised $40 million in Series B funding led by Vantor Capital. The company builds picking robots for small warehouses.</p>
<p>"We will double our team," said Mira Solberg, CEO of Halden Robotics.</p></article>`

const GERMAN =
  'Stille hat in einer Finanzierungsrunde 20 Millionen Euro von der Bank erhalten und will damit die Fabrik in der Stadt ausbauen.'

const SITES: Record<string, Host> = {
  'halden-robotics.example': ({ url }) => {
    if (url.pathname === '/')
      return html(
        'Halden Robotics',
        '<nav><a href="/news">News</a> <a href="/careers">Careers</a> <a href="/team">Team</a></nav><main><h1>Robots for small warehouses</h1><p>Halden Robotics builds picking robots for small warehouses in Europe.</p></main>',
        organization({
          name: 'Halden Robotics AS',
          url: 'https://halden-robotics.example/',
          description: 'Picking robots for small warehouses.',
          numberOfEmployees: { '@type': 'QuantitativeValue', value: 220 },
          foundingDate: '2016-03-01',
          industry: 'Robotics',
          address: { '@type': 'PostalAddress', addressLocality: 'Oslo', addressCountry: 'NO' },
          logo: 'https://halden-robotics.example/logo.png',
        }),
      )
    if (url.pathname === '/news')
      return html(
        'News',
        `<main><h1>News</h1><article><h2><a href="/news/round">Halden Robotics raises $40 million in Series B funding</a></h2><time datetime="${day(4)}">${day(4)}</time></article></main>`,
      )
    if (url.pathname === '/team')
      return html(
        'Team',
        '<main><h1>Our team</h1><div class="card"><h3>Mira Solberg</h3><p>Chief Executive Officer</p></div><div class="card"><h3>Jonas Eck</h3><p>VP of Sales</p></div></main>',
      )
    if (url.pathname === '/news/round') return html('Halden Robotics raises $40 million in Series B funding', ROUND)
    if (url.pathname === '/careers')
      return html(
        'Careers',
        '<main><h1>Work with us</h1><a href="https://boards.greenhouse.io/haldenrobotics">Open positions</a></main>',
      )
    return { status: 404 }
  },
  'boards-api.greenhouse.io': ({ url }) =>
    url.pathname === '/v1/boards/haldenrobotics/jobs'
      ? {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            jobs: ['Robotics Engineer', 'Field Engineer', 'Account Executive', 'Recruiter'].map((title, id) => ({
              id,
              title,
              updated_at: `${day(id + 1)}T08:00:00Z`,
              first_published: `${day(id + 1)}T08:00:00Z`,
              location: { name: 'Oslo' },
              absolute_url: `https://boards.greenhouse.io/haldenrobotics/jobs/${id}`,
              content: '&lt;p&gt;Come.&lt;/p&gt;',
              departments: [{ name: 'Engineering' }],
              offices: [],
            })),
            meta: { total: 4 },
          }),
        }
      : { status: 404 },
  // Serves its last article only after the linked board was requested and the article before was judged.
  'early.example': async ({ url }) => {
    const story = (n: number) => `<h2><a href="/news/story-${n}">Early Gauges tells story ${n} of two</a></h2>`
    const board = '<a href="https://boards.greenhouse.io/early">Open positions</a>'
    if (url.pathname === '/') return html('Early Gauges', `<main>${story(1)}${story(2)}${board}</main>`)
    const tells = (text: string) =>
      html('News', `<main><time datetime="${day(3)}">${day(3)}</time><p>${text}</p></main>`)
    if (url.pathname === '/news/story-1') return tells('Early Gauges has raised $31 million in Series A funding.')
    if (url.pathname !== '/news/story-2') return { status: 404 }
    await internet.until(() => internet.requests.some((one) => one.url.includes('/boards/early/')))
    const judged = () => service.deps.db.selectFrom('judgements').select('key').executeTakeFirst()
    await eventually('a judgement', judged)
    return tells('Early Gauges has opened a factory in Leeds, its first in England.')
  },
  'quiet.example': ({ url }) =>
    url.pathname === '/'
      ? html('Quiet', '<main><p>Quiet makes chairs. Nothing ever happens here.</p></main>')
      : { status: 404 },
  'silence.example': ({ url }) =>
    url.pathname === '/'
      ? html('Silence', '<main><p>Silence makes chairs. Nothing ever happens here.</p></main>')
      : { status: 404 },
  'stille.example': ({ url }) => {
    if (url.pathname === '/')
      return html(
        'Stille',
        '<main><h1>Stille</h1><article><h2><a href="/news/runde">Stille erhält 20 Millionen Euro von der Bank</a></h2></article></main>',
      )
    if (url.pathname !== '/news/runde') return { status: 404 }
    const story = `<p>${GERMAN}</p><p>Die Firma baut Stühle und Tische für Schulen und ist mit der Arbeit zufrieden.</p>`
    return html(
      'Stille erhält 20 Millionen',
      `<article><h1>Neuigkeiten</h1><time datetime="${day(4)}"></time>${story}</article>`,
    )
  },
  'half.example': ({ url }) =>
    url.pathname === '/'
      ? html('Half', '<main><p>Half makes tables.</p><a href="https://jobs.lever.co/half">Jobs</a></main>')
      : { status: 404 },
  'api.lever.co': () => ({ status: 500 }),
  'api.eu.lever.co': () => ({ status: 500 }),
  'down.example': () => 'drop',
  'hn.algolia.com': () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hits: [], nbHits: 0, page: 0, nbPages: 0, hitsPerPage: 20 }),
  }),
}

const internet = await startInternet((request) => SITES[request.url.host]?.(request) ?? null)
const service = await testService({
  worker: true,
  env: { ...internet.env, CRAWL_DELAY_MS: '0', SOURCES: 'website,job-boards' },
})
/** News sources are rate limited, so only the test about them uses them. One host refuses connections. */
const withNews = await testService({
  worker: true,
  env: {
    ...internet.env,
    OUTBOUND_CONNECT_TO: `refused.example:443=127.0.0.1:1,www.refused.example:443=127.0.0.1:1,${internet.env.OUTBOUND_CONNECT_TO}`,
    SOURCES: 'website,hacker-news',
  },
})
after(() => internet[Symbol.asyncDispose]())
const { admin } = service

const HALDEN = { name: 'Halden Robotics', domain: 'halden-robotics.example' }

async function add(name: string, domain: string | null): Promise<string> {
  return (await admin.expect(201, 'POST', '/v1/accounts', { name, ...(domain ? { domain } : {}) })).id
}

const runEnded = (runId: string) => ended(admin, `/v1/runs/${runId}`)

test('a scan detects signals while it still fetches, and requests a job board as soon as a page links to it', async () => {
  // The site waits for a judgement, so the classifier is loaded before.
  await service.deps.classifier.status()
  service.deps.parserPool.warmUp()
  const id = await add('Early Gauges', 'early.example')
  const run = await runEnded((await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)).run_id)
  assert.equal(run.status, 'done', run.failure)
  const website = run.stats.sources.find(({ name }: { name: string }) => name === 'website')
  assert.deepEqual([website.items, website.reason], [3, null])
})

test('a scan reads the site and its job board, and stores what they prove', async () => {
  const id = await add('Halden Robotics', 'halden-robotics.example')
  const started = await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  assert.equal(started.status, 'running')
  assert.equal(started.jobs, 12)
  const run = await runEnded(started.run_id)
  assert.equal(run.status, 'done', run.failure)
  assert.deepEqual(
    [run.mode, run.account_id, run.stats.matched, run.timeframe_days, run.failure],
    ['monitor', id, 1, 90, null],
  )
  assert.deepEqual(
    run.stats.sources.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]),
    [
      ['greenhouse', 'items'],
      ['website', 'items'],
    ],
  )
  const signals = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  const present = signals.filter((one: { signal_present: boolean }) => one.signal_present)
  assert.deepEqual(present.map((one: { signal_id: string }) => one.signal_id).sort(), ['funding', 'hiring'])
  assert.equal(signals.length, 12)
  const funding = present.find((one: { signal_id: string }) => one.signal_id === 'funding')
  assert.deepEqual(funding.sources, ['https://halden-robotics.example/news/round'])
  assert.equal(funding.detected_at, day(4))
  const account = await admin.expect(200, 'GET', `/v1/accounts/${id}`)
  assert.ok(account.last_scanned_at)
  assert.deepEqual(
    [account.employees, account.country, account.founded_year, account.industry, account.short_description],
    [220, 'Norway', 2016, 'Robotics', 'Picking robots for small warehouses.'],
  )
})

test('scanning again adds nothing', async () => {
  const { id } = await admin.expect(200, 'POST', '/v1/accounts', HALDEN)
  const first = await runEnded((await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)).run_id)
  const before = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  const second = await runEnded((await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)).run_id)
  assert.deepEqual([first.status, second.status, second.stats.detections], ['done', 'done', 0])
  assert.deepEqual(await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`), before)
})

test('two concurrent scans of one account are one', async () => {
  const id = await add('Quiet', 'quiet.example')
  const started = await Promise.all(
    Array.from({ length: 8 }, () => admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)),
  )
  const runs = new Set(started.map(({ run_id }) => run_id))
  for (const run of runs) await runEnded(run)
  const { body } = await admin.get('/v1/runs?per_page=100')
  const mine = body.data.filter((run: { name: string }) => run.name === 'Scan of Quiet')
  assert.equal(mine.length, runs.size)
  assert.ok(runs.size < 8)
  assert.deepEqual((await admin.get(`/v1/runs?account_id=${id}`)).body.data, mine)
  for (const nobody of ['nobody', randomUUID()])
    assert.equal((await admin.get(`/v1/runs?account_id=${nobody}`)).body.pagination.total, 0)
})

test('a company that published nothing has only absent signals', async () => {
  const id = await add('Silence', 'silence.example')
  const run = await runEnded((await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)).run_id)
  assert.deepEqual([run.status, run.stats.matched], ['done', 0])
  const signals = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  assert.equal(signals.length, 12)
  assert.ok(signals.every((one: { signal_present: boolean }) => !one.signal_present))
})

test('a scan of an unreachable site fails with the reason, ends its jobs, and stores no absent signals', async () => {
  const dead = {
    'down.example': /^No source could be read\. website: \w/,
    // News is read and reports nothing.
    'refused.example': /^The company's own site could not be read, and the other sources report nothing\. website: \w/,
  }
  for (const [domain, reason] of Object.entries(dead)) {
    const client = domain === 'down.example' ? admin : withNews.admin
    const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: 'Down', domain })
    const started = await client.expect(202, 'POST', `/v1/accounts/${id}/scan`)
    const run = await ended(client, `/v1/runs/${started.run_id}`)
    assert.equal(run.status, 'failed', domain)
    assert.match(run.failure, reason)
    assert.deepEqual(new Set(run.jobs.map(({ state }: { state: string }) => state)), new Set(['failed']), domain)
    assert.deepEqual(await client.expect(200, 'GET', `/v1/accounts/${id}/signals`), [])
    assert.equal((await client.expect(200, 'GET', `/v1/accounts/${id}`)).last_scanned_at, null)
  }
})

test('a signal whose source failed is not stored as absent', async () => {
  const id = await add('Half', 'half.example')
  const run = await runEnded((await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)).run_id)
  assert.equal(run.status, 'done')
  const lever = run.stats.sources.find(({ name }: { name: string }) => name === 'lever')
  assert.equal(lever.outcome, 'failed')
  const states = new Map(run.jobs.map((job: { signal_id: string; state: string }) => [job.signal_id, job.state]))
  assert.deepEqual([states.get('hiring'), states.get('funding')], ['failed', 'absent'])
  const signals = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  assert.equal(signals.length, 11)
  assert.ok(!signals.some((one: { signal_id: string }) => one.signal_id === 'hiring'))
})

test('a site in another language is reported as not searched, and no signal is stored as absent', async () => {
  const id = await add('Stille', 'stille.example')
  const run = await runEnded((await admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)).run_id)
  const site = run.stats.sources.find(({ name }: { name: string }) => name === 'website')
  assert.deepEqual([run.status, site.outcome], ['done', 'items'])
  assert.match(site.reason, /1 of 1 documents were not searched for signals: German\./)
  assert.deepEqual(await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`), [])
})

test('enrichment stores what the sources report, and does not overwrite what a member has set', async () => {
  const { client, ids } = await scene(service, { accounts: [HALDEN] })
  const [id] = ids
  refused(await client.post(`/v1/accounts/${id}/enrich`), 409, 'account_not_active')
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { industry: 'Warehouse robots', name: 'Halden' })
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`, {})
  const account = await client.expect(200, 'POST', `/v1/accounts/${id}/enrich`)
  assert.deepEqual(
    [account.industry, account.employees, account.logo_url, account.name],
    ['Warehouse robots', 220, 'https://halden-robotics.example/logo.png', 'Halden'],
  )
  // Research continues to store values under the override, and null restores them immediately.
  assert.deepEqual(account.overridden, ['industry'])
  const back = await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { industry: null, employees: null })
  assert.deepEqual([back.industry, back.employees, back.overridden], ['Robotics', 220, []])
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { employees: 5, industry: 'Toys' })
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { employees: 6 })
  const partly = await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { employees: null })
  assert.deepEqual([partly.industry, partly.employees, partly.overridden], ['Toys', 220, ['industry']])
  assert.deepEqual(Object.values(account.workforce_by_department), [1, 1])
  assert.equal(account.workforce_basis.people, 2)
  const { data } = await client.get(`/v1/people?account_id=${id}&sort=full_name&order=asc`)
  assert.deepEqual(
    data.map((person: { full_name: string; source: string }) => [person.full_name, person.source]),
    [
      ['Jonas Eck', 'employee'],
      ['Mira Solberg', 'employee'],
    ],
  )
})

test('an account is qualified when its facts match the ideal customer, and its score lists unknown facts', async () => {
  const { client, ids } = await scene(service, { accounts: [HALDEN], active: true })
  const [id] = ids
  const assessed = async (content_md: string) => {
    const known = (await client.expect(200, 'GET', '/v1/knowledge-base')).find(
      ({ type }: { type: string }) => type === 'icp',
    )
    const section = { type: 'icp', title: 'Ideal customer', content_md }
    if (known) await client.expect(200, 'PATCH', `/v1/knowledge-base/${known.id}`, section)
    else await client.expect(201, 'POST', '/v1/knowledge-base', section)
    const { qualified, status } = await client.expect(200, 'POST', `/v1/accounts/${id}/enrich`)
    const { components } = await client.expect(200, 'GET', `/v1/accounts/${id}/score`)
    assert.equal(status, 'active')
    return [qualified, components.find(({ name }: { name: string }) => name === 'icp_fit').because.split(':')[0]]
  }
  assert.deepEqual(await assessed('Hospitals in Brazil with 20,000 to 50,000 employees.'), [false, 'does not fit'])
  await client.expect(200, 'PATCH', `/v1/accounts/${id}`, { industry: 'Industrial Machinery', country: 'Germany' })
  assert.deepEqual(await assessed('Manufacturers in Europe, 50-5,000'), [true, 'fits'])
  assert.deepEqual(await assessed('Teams that want to grow.'), [false, 'unknown'])
})

test('enrichment fills unknown fields from the imported universe, and normalizes country names', async () => {
  const { client, ids, save } = await scene(service, { accounts: [HALDEN, 'down.example'], active: true })
  const [halden, down] = ids as [string, string]
  const file =
    'domain,employees,industry,country,location,network_url,founded_year\n' +
    'halden-robotics.example,9999,Farming,Norway,Halden,network.example/halden,1987\n' +
    'down.example,12,Bakery,Germany,Kiel,,1999\n'
  const headers = { 'content-type': 'text/csv' }
  const { data } = await client.post('/v1/companies/import', undefined, { body: file, headers })
  assert.equal((await ended(client, `/v1/companies/imports/${data.id}`)).status, 'done')
  await save([
    { full_name: 'Ada Pike', title: 'CFO', country_code: 'DE', account_id: halden },
    { full_name: 'Bo Lund', title: 'CTO', country_code: 'GB', account_id: halden },
  ])
  await client.expect(200, 'PATCH', `/v1/accounts/${halden}`, { country: 'Denmark' })
  const enriched = await client.expect(200, 'POST', `/v1/accounts/${halden}/enrich`)
  assert.deepEqual(
    [enriched.employees, enriched.industry, enriched.network_url, enriched.founded_year, enriched.country],
    [220, 'Robotics', 'https://network.example/halden', 2016, 'Denmark'],
  )
  assert.deepEqual(enriched.workforce_by_country, { Germany: 1, 'United Kingdom': 1 })
  assert.equal((await client.expect(200, 'PATCH', `/v1/accounts/${halden}`, { country: null })).country, 'Norway')
  // No source can be read, but the universe has the company.
  const filled = await client.expect(200, 'POST', `/v1/accounts/${down}/enrich`)
  assert.deepEqual(
    [filled.employees, filled.industry, filled.country, filled.location, filled.founded_year],
    [12, 'Bakery', 'Germany', 'Kiel', 1999],
  )
  assert.ok(filled.problems.length > 0)
})

test('an account is filled from the universe however it is added, whichever form of its domain the universe has, and by an import after it', async () => {
  const { client, workspaceId, save } = await scene(service, {
    accounts: ['late.example', 'down.example'],
    active: true,
  })
  const headers = { 'content-type': 'text/csv' }
  const load = async (rows: string) => {
    const body = `domain,employees,industry,country,location,short_description,network_url,founded_year\n${rows}`
    const { data } = await client.post('/v1/companies/import', undefined, { body, headers })
    assert.equal((await ended(client, `/v1/companies/imports/${data.id}`)).status, 'done')
  }
  const known = async (id: string) => {
    const { employees, industry, country, location, founded_year } = await client.expect(
      200,
      'GET',
      `/v1/accounts/${id}`,
    )
    return [employees, industry, country, location, founded_year]
  }
  const accountOf = async (domain: string) => (await client.expect(200, 'GET', `/v1/accounts?domain=${domain}`))[0].id
  const row = (domain: string) => `${domain},12,Bakery,Germany,Kiel,"Ada Pike bakes.",network.example/${domain},1999`
  await load(
    [
      'exact.example',
      'www2.host.example',
      'site.example',
      'given.example',
      'file.example',
      'alice.github.io',
      'substack.com',
      'de.parent.example',
    ]
      .map(row)
      .join('\n'),
  )
  const all = [12, 'Bakery', 'Germany', 'Kiel', 1999]
  for (const domain of ['exact.example', 'https://www.host.example/de', 'shop.site.example']) {
    const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: domain, domain })
    assert.deepEqual(await known(id), all, domain)
  }
  // A page at a host of pages, and the parent of a company in one country.
  for (const domain of ['bob.github.io', 'bob.substack.com', 'parent.example']) {
    const { id } = await client.expect(201, 'POST', '/v1/accounts', { name: domain, domain })
    assert.deepEqual(await known(id), [null, null, null, null, null], domain)
  }
  // What a file gives is kept, and a location of another country is left out.
  const file = 'name,domain,employees,country\nFile,www.file.example,7,\nGiven,given.example,,Norway\n'
  const { data } = await client.post('/v1/accounts/import', undefined, { body: file, headers })
  assert.equal((await ended(client, `/v1/accounts/imports/${data.id}`)).status, 'done')
  assert.deepEqual(await known(await accountOf('file.example')), [7, 'Bakery', 'Germany', 'Kiel', 1999])
  assert.deepEqual(await known(await accountOf('given.example')), [12, 'Bakery', 'Norway', null, 1999])

  // The accounts exist already, and a member and an erased person have a say.
  const [late, down] = [await accountOf('late.example'), await accountOf('down.example')]
  await client.expect(200, 'PATCH', `/v1/accounts/${late}`, { employees: 5 })
  const [ada] = await save([{ full_name: 'Ada Pike', title: 'CEO', account_id: late }])
  await client.expect(200, 'DELETE', `/v1/people/${ada?.id}`)
  await load(['late.example', 'down.example'].map(row).join('\n'))
  await service.run(fillAccounts, { workspace_id: workspaceId })
  assert.deepEqual([await known(late), await known(down)], [[5, 'Bakery', 'Germany', 'Kiel', 1999], all])
  const shown = await client.expect(200, 'GET', `/v1/accounts/${late}`)
  assert.deepEqual(
    [shown.short_description, shown.network_url],
    ['[erased] bakes.', 'https://network.example/late.example'],
  )
  const reset = await client.expect(200, 'PATCH', `/v1/accounts/${late}`, { employees: null })
  assert.equal(reset.employees, 12)
  const { short_description } = await client.expect(201, 'POST', '/v1/accounts', {
    name: 'Later',
    domain: 'sub.late.example',
  })
  assert.equal(short_description, null, 'a text that may name an erased person is left to research')
})

test('enrichment from an unreachable site changes nothing and reports the failure', async () => {
  const { client, ids } = await scene(service, { accounts: ['down.example'], active: true })
  refused(await client.post(`/v1/accounts/${ids[0]}/enrich`), 503, 'unavailable')
})

test('without an active subscription or an active signal no account is scanned', async () => {
  const { client, ids } = await scene(service, { accounts: 1 })
  const [id] = ids
  await client.expect(200, 'PUT', '/v1/subscription', { status: 'inactive' })
  refused(await client.post(`/v1/accounts/${id}/scan`), 402, 'subscription_required')
  await client.expect(200, 'PUT', '/v1/subscription', { status: 'active' })
  for (const signal of await client.expect(200, 'GET', '/v1/signals')) {
    await client.expect(200, 'PATCH', `/v1/signals/${signal.id}`, { enabled: false })
  }
  refused(await client.post(`/v1/accounts/${id}/scan`), 409, 'no_active_signal')
  assert.equal((await client.get('/v1/runs')).body.pagination.total, 0)
})

test('activation starts a scan of the account', async () => {
  const { client, ids } = await scene(service, { accounts: [HALDEN], active: true })
  await idle(service)
  const { score, last_scanned_at } = await client.expect(200, 'GET', `/v1/accounts/${ids[0]}`)
  assert.ok(last_scanned_at)
  assert.ok(score > 40, `${score}`)
  // The name that the domain suggests is kept once the account was scanned.
  const path = `/v1/accounts/${ids[0]}`
  assert.equal((await client.expect(200, 'PATCH', path, { name: HALDEN.name })).name, HALDEN.name)
  await client.expect(202, 'POST', `${path}/scan`)
  await idle(service)
  assert.equal((await client.expect(200, 'GET', path)).name, HALDEN.name)
})

test('runs are listed newest first, by status, without those of other workspaces', async () => {
  const { client } = await service.stranger()
  assert.deepEqual((await client.get('/v1/runs')).body.pagination.total, 0)
  const { body } = await admin.get('/v1/runs?status=failed&per_page=1')
  assert.ok(body.data.every((run: { status: string }) => run.status === 'failed'))
  refused(await admin.get('/v1/runs?status=finished'), 400, 'invalid_request')
  const { data } = await admin.get('/v1/runs')
  const times = data.map((run: { created_at: string }) => run.created_at)
  assert.deepEqual(times, times.toSorted().reverse())
  refused(await client.get(`/v1/runs/${data[0].id}`), 404, 'not_found')
})

test('an abandoned run ends as failed', async () => {
  const { deps, workspaceId } = service
  const id = newId()
  await deps.db
    .insertInto('runs')
    .values({
      workspace_id: workspaceId,
      id,
      name: 'Forgotten',
      mode: 'discovery',
      status: 'running',
      touched_at: new Date(0),
    })
    .execute()
  await deps.jobs.enqueue(deps.db, failAbandonedRuns, {})
  assert.match((await runEnded(id)).failure, /interrupted/)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createGate } from '../../../sandbox/waiters.ts'
import { refused } from '../../../test/support/client.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { hostileTeam } from '../../../test/support/hostile.ts'
import { FILINGS, home, PDL, teamPage } from '../../../test/support/people.ts'
import { type Scene, scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { testWorld } from '../../../test/support/world.ts'
import { LimitExceeded, type ParserPool } from '../../engine/threads/pool.ts'
import { syncRoster } from './sync.ts'

const { env, sites, world, internet } = await testWorld({ mail: [] })
const service = await testService({ env: { ...env, ...PDL } })
const withFilings = await testService({ env: { ...env, ...PDL, ...FILINGS } })

type Shown = { id: string; full_name: string; title: string; [field: string]: unknown }
const people = async ({ client }: Scene, query = ''): Promise<Shown[]> =>
  client.expect(200, 'GET', `/v1/people?sort=full_name&order=asc&per_page=100&${query}`)
const load = ({ client, id }: Scene, domain: string) =>
  client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
const titles = (shown: Shown[]) => shown.map(({ full_name, title }) => [full_name, title])

const fixtures = new URL('../../../test/fixtures/pages/', import.meta.url)
const labelled = JSON.parse(readFileSync(new URL('people.json', fixtures), 'utf8')) as Record<
  string,
  [string, string][]
>
const markups = Object.keys(labelled).filter((name) => name.startsWith('m'))
assert.ok(markups.length >= 10)

test("a roster is loaded from the company's own pages in any markup", async () => {
  const domains = markups.map((markup) => `${markup}.example`)
  for (const [at, markup] of markups.entries()) {
    const page = readFileSync(new URL(`${markup}.html`, fixtures), 'utf8')
    sites.set(domains[at] as string, { '/': home(), '/team': page })
  }
  const workspace = await scene(service, { accounts: domains, active: true })
  const loaded = await Promise.all(domains.map((domain) => load(workspace, domain)))
  const loose = (rows: string[][]) => rows.map((row) => row.join('|').replace(/[.,]/g, '').toLowerCase()).sort()
  for (const [at, markup] of markups.entries()) {
    const accountId = workspace.id(domains[at] as string)
    const wanted = labelled[markup] as string[][]
    assert.deepEqual([loaded[at].account_id, loaded[at].synced], [accountId, wanted.length], markup)
    assert.deepEqual(loose(titles(await people(workspace, `account_id=${accountId}`))), loose(wanted), markup)
  }
})

test('location and headline are taken only from the person’s own card', async () => {
  const domain = 'cards.example'
  const about = 'Has built sales teams for rail and road for twenty years. Keeps bees.'
  const jsonLd = {
    '@type': 'Person',
    name: 'Dora Finch',
    jobTitle: 'Chief Financial Officer',
    description: 'Looks after the money.',
    workLocation: { '@type': 'Place', address: { addressLocality: 'Oslo', addressCountry: 'NO' } },
  }
  const markup = `<script type="application/ld+json">${JSON.stringify(jsonLd)}</script>`
  const cards = [
    { name: 'Ada Pike', title: 'Head of Sales', more: `<p>Leeds, United Kingdom</p><p>${about}</p>` },
    { name: 'Ben Moss', title: 'Head of Product', more: '<p class="member-location">Austin</p>' },
    { name: 'Cleo Hart', title: 'Chief Executive Officer' },
  ]
  const page = teamPage(cards).replace('<h1>Our team</h1>', '<h1>Our team</h1><p>We are at home in Bergen, Norway.</p>')
  sites.set(domain, { '/': home(), '/team': page.replace('</head>', `${markup}</head>`) })
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  const shown = (await people(workspace)) as Record<string, unknown>[]
  assert.deepEqual(
    shown
      .map(({ full_name, headline, location, country_code }) => [full_name, headline, location, country_code])
      .sort(),
    [
      ['Ada Pike', 'Has built sales teams for rail and road for twenty years.', 'Leeds, United Kingdom', 'GB'],
      ['Ben Moss', null, 'Austin', 'US'],
      ['Cleo Hart', null, null, null],
      ['Dora Finch', 'Looks after the money.', 'Oslo, Norway', 'NO'],
    ],
  )
})

test('loading twice changes nothing', async () => {
  const domain = 'twice.example'
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'Head of Sales' }]) })
  const workspace = await scene(service, { accounts: [domain], active: true })
  const first = await load(workspace, domain)
  const before = await people(workspace)
  assert.deepEqual(await load(workspace, domain), first)
  assert.deepEqual(await people(workspace), before)
  assert.equal(before[0]?.job_level, 'Director')
})

test('records of several sources are merged: the company’s title wins, the others fill gaps', async () => {
  const domain = 'mergeworks.com'
  sites.set(domain, {
    '/': home(),
    '/team': teamPage([
      { name: 'Ada Pike', title: 'VP Sales' },
      { name: 'Noor Falk', title: 'Chief Executive Officer' },
    ]),
  })
  world.profiles = [
    {
      id: '1',
      full_name: 'ada b. pike',
      job_title: 'vice president of sales',
      job_company_website: domain,
      linkedin_url: 'linkedin.com/in/adapike',
      location_country: 'germany',
    },
    { id: '2', full_name: 'ivo lindt', job_title: 'data engineer', job_company_website: domain, work_email: true },
  ]
  world.filings = [
    {
      cik: 77,
      company: 'Mergeworks, Inc.',
      form: 'D',
      accession: '0000000077-26-000001',
      filed: '2026-10-01',
      document: 'primary_doc.xml',
      text: '',
      officers: [
        { first: 'NOOR', last: 'FALK', roles: ['Executive Officer', 'Director'] },
        { first: 'Lena', last: 'Okafor', roles: ['Executive Officer'], clarification: 'Chief Financial Officer' },
        { first: 'Carl', last: 'Venture', roles: ['Director'] },
        { first: '-', last: 'Fund LP', roles: ['Promoter'] },
      ],
    },
  ]
  const workspace = await scene(withFilings, { accounts: [domain], active: true })
  const { synced, sources } = await load(workspace, domain)
  assert.equal(synced, 4)
  assert.deepEqual(
    sources.map(({ outcome, people: count }: { outcome: string; people: number }) => [outcome, count]),
    [
      ['items', 2],
      ['items', 2],
      ['items', 2],
    ],
  )
  const shown = await people(workspace)
  assert.deepEqual(titles(shown), [
    ['Ada Pike', 'VP Sales'],
    ['Ivo Lindt', 'Data Engineer'],
    ['Lena Okafor', 'Chief Financial Officer'],
    ['Noor Falk', 'Chief Executive Officer'],
  ])
  const [ada, , lena] = shown
  assert.deepEqual([ada?.network_url, ada?.country_code], ['https://www.linkedin.com/in/adapike', 'DE'])
  assert.deepEqual([lena?.location, lena?.country_code, lena?.job_level], ['Austin, TX', 'US', 'C-Team'])
  await load(workspace, domain)
  assert.deepEqual(await people(workspace), shown)
})

test('paginated lists and the pages of their people are read', async () => {
  const domain = 'pages.example'
  sites.set(domain, {
    '/': home('<a href="/about">About us</a>'),
    '/about': home('<a href="/people">Our people</a>'),
    '/people': teamPage([
      { name: 'Ada Pike', title: 'Head of Sales', more: '<a href="/people/ada-pike">More</a>' },
    ]).replace('</main>', '<a rel="next" href="/people?page=2">2</a></main>'),
    '/people?page=2': teamPage([{ name: 'Noor Falk', title: 'Head of Product' }]),
    '/people/ada-pike': teamPage([
      { name: 'Ada Pike', title: 'Head of Sales', more: '<a href="mailto:ada.pike@pages.example">Write</a>' },
    ]),
  })
  const workspace = await scene(service, { accounts: [domain], active: true })
  assert.equal((await load(workspace, domain)).synced, 2)
  const [ada] = await people(workspace)
  const kept = await service.deps.db
    .selectFrom('people')
    .select(['published_email', 'published_url'])
    .where('id', '=', ada?.id as string)
    .executeTakeFirst()
  assert.equal(kept?.published_email, 'ada.pike@pages.example')
})

test('a failed source is reported and removes no one', async () => {
  const domain = 'fails.example'
  sites.set(domain, 'drop')
  world.profiles = [{ id: '1', full_name: 'ada pike', job_title: 'cto', job_company_website: domain }]
  const workspace = await scene(service, { accounts: [domain], active: true })
  const { synced, sources } = await load(workspace, domain)
  assert.equal(synced, 1)
  const [pages] = sources
  assert.equal(pages.outcome, 'failed')
  assert.match(pages.reason, /\w.*\.$/)
  world.outages = { 'people-data-labs': 'error' }
  const answer = await workspace.client.post('/v1/people/sync', { account_id: workspace.id(domain) })
  world.outages = {}
  refused(answer, 503, 'unavailable')
  assert.equal(answer.error.details.length, 2)
  assert.equal((await people(workspace)).length, 1)
})

test('a company without a team page has an empty roster, which is not a failure', async () => {
  const domain = 'nobody.example'
  sites.set(domain, { '/': home('') })
  const workspace = await scene(service, { accounts: [domain], active: true })
  assert.equal((await load(workspace, domain)).synced, 0)
})

test('a new title updates the person and adds the old one to the history', async () => {
  const domain = 'promoted.example'
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'Head of Sales' }]) })
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  const [before] = await people(workspace)
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'Chief Revenue Officer' }]) })
  await load(workspace, domain)
  const shown = await people(workspace)
  assert.deepEqual(titles(shown), [['Ada Pike', 'Chief Revenue Officer']])
  const { title_history, job_level, id } = await workspace.client.expect(200, 'GET', `/v1/people/${before?.id}`)
  assert.deepEqual([id, job_level], [before?.id, 'C-Team'])
  assert.deepEqual(
    title_history.map(({ title }: { title: string }) => title),
    ['Head of Sales'],
  )
})

test('a person called former stays and is marked as left, until shown in office again', async () => {
  const domain = 'left.example'
  const team = (title: string) => ({ '/': home(), '/team': teamPage([{ name: 'Ada Pike', title }]) })
  sites.set(domain, team('Chief Technology Officer'))
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  const [{ id }] = (await people(workspace)) as [Shown]
  const left = async () => (await workspace.client.expect(200, 'GET', `/v1/people/${id}`)).left_on
  assert.equal(await left(), null)
  sites.set(domain, team('Former Chief Technology Officer'))
  await load(workspace, domain)
  assert.match(await left(), /^\d{4}-\d{2}-\d{2}$/)
  assert.equal((await people(workspace)).length, 1)
  sites.set(domain, team('Chief Technology Officer'))
  await load(workspace, domain)
  assert.equal(await left(), null)
})

test('a former employer in a biography neither marks a departure nor sets the title', async () => {
  const domain = 'biographies.example'
  const came = [
    { name: 'Ada Pike', title: 'Former VP Sales at Oracle' },
    { name: 'Ben Moss', title: 'Ex-Google Engineer' },
    { name: 'Noor Falk', title: 'Former Head of Product' },
  ]
  const are = [
    { name: 'Ada Pike', title: 'Chief Executive Officer' },
    { name: 'Noor Falk', title: 'Board Member' },
  ]
  sites.set(domain, { '/': home(`<a href="/team">Our team</a>${teamPage(came)}`), '/team': teamPage(are) })
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  const shown = await people(workspace)
  assert.deepEqual(titles(shown), [
    ['Ada Pike', 'Chief Executive Officer'],
    ['Ben Moss', null],
    ['Noor Falk', 'Board Member'],
  ])
  assert.equal(shown[1]?.headline, 'Ex-Google Engineer')
  for (const { id } of shown)
    assert.equal((await workspace.client.expect(200, 'GET', `/v1/people/${id}`)).left_on, null)
})

test('two namesakes stay separate across pages, and only one has the address', async () => {
  const domain = 'namesakes.example'
  const engineer = { name: 'John Smith', title: 'Software Engineer', more: '<a href="/people/john-smith-2">More</a>' }
  const mail = '<a href="mailto:john.smith@namesakes.example">Write</a>'
  sites.set(domain, {
    '/': home(),
    '/team': teamPage([{ name: 'John Smith', title: 'CEO' }, engineer]),
    '/people/john-smith-2': teamPage([{ ...engineer, more: mail }]),
  })
  const workspace = await scene(service, { accounts: [domain], active: true })
  assert.equal((await load(workspace, domain)).synced, 2)
  const kept = await service.deps.db
    .selectFrom('people')
    .select(['title', 'published_email', 'published_url'])
    .where('account_id', '=', workspace.id(domain))
    .orderBy('title')
    .execute()
  assert.deepEqual(kept, [
    { title: 'CEO', published_email: null, published_url: null },
    {
      title: 'Software Engineer',
      published_email: 'john.smith@namesakes.example',
      published_url: `https://${domain}/people/john-smith-2`,
    },
  ])
})

test('only the company’s own pages revert a departure', async () => {
  const domain = 'returns.example'
  const team = (title: string) => ({ '/': home(), '/team': teamPage([{ name: 'Ada Pike', title }]) })
  sites.set(domain, team('Former Chief Technology Officer'))
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  const [{ id }] = (await people(workspace)) as [Shown]
  const left = async () => (await workspace.client.expect(200, 'GET', `/v1/people/${id}`)).left_on
  const since = await left()
  assert.ok(since)
  sites.set(domain, { '/': home('') })
  world.profiles = [{ id: '1', full_name: 'ada pike', job_title: 'cto', job_company_website: domain }]
  assert.equal((await load(workspace, domain)).synced, 1)
  assert.deepEqual([await left(), (await people(workspace)).length], [since, 1])
  sites.set(domain, team('Chief Technology Officer'))
  await load(workspace, domain)
  assert.equal(await left(), null)
})

test('two sources are merged by name only if the jobs agree and the name is unambiguous', async () => {
  const shown = async (domain: string, cards: [string, string][], profiles: [string, string, string?][]) => {
    const card = ([name, title]: [string, string]) => ({ name, title })
    sites.set(domain, { '/': home(), '/team': teamPage(cards.map(card)) })
    world.profiles = profiles.map(([full_name, job_title, page], at) => ({
      id: String(at),
      full_name,
      job_title,
      job_company_website: domain,
      ...(page ? { linkedin_url: `linkedin.com/in/${page}` } : {}),
    }))
    const workspace = await scene(service, { accounts: [domain], active: true })
    await load(workspace, domain)
    return (await people(workspace)).map(({ title, network_url }) => `${title} ${network_url ?? '-'}`).sort()
  }
  const page = (name: string) => `https://www.linkedin.com/in/${name}`
  assert.deepEqual(await shown('jobs.example', [['John Smith', 'CEO']], [['john smith', 'software engineer', 'js']]), [
    'CEO -',
    `Software Engineer ${page('js')}`,
  ])
  const two: [string, string, string][] = [
    ['john smith', 'software engineer', 'js2'],
    ['john smith', 'chief executive officer', 'js1'],
  ]
  for (const [at, profiles] of [two, two.toReversed()].entries()) {
    assert.deepEqual(
      await shown(`either${at}.example`, [['John Smith', 'CEO']], profiles),
      [`CEO ${page('js1')}`, `Software Engineer ${page('js2')}`],
      `order ${at}`,
    )
  }
  const doubtful: [string, string, string][] = [
    ['john smith', 'director of sales', 'js3'],
    ['john smith', 'sales director', 'js4'],
  ]
  assert.deepEqual(await shown('doubt.example', [['John Smith', 'Head of Sales']], doubtful), [
    `Director Of Sales ${page('js3')}`,
    'Head of Sales -',
    `Sales Director ${page('js4')}`,
  ])
})

test('an erased person is not stored again by any source, under any title', async () => {
  const domain = 'erased.example'
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'Head of Sales' }]) })
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  const [ada] = await people(workspace)
  await workspace.client.expect(200, 'DELETE', `/v1/people/${ada?.id}`)
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'Chief Sales Officer' }]) })
  assert.equal((await load(workspace, domain)).synced, 0)
  world.profiles = [
    {
      id: '1',
      full_name: 'ada pike',
      job_title: 'cro',
      job_company_website: domain,
      linkedin_url: 'linkedin.com/in/ada',
    },
  ]
  assert.equal((await load(workspace, domain)).synced, 0)
  assert.deepEqual(await people(workspace), [])
})

test('a sync that read the page before an erasure does not store the erased person', async () => {
  const domain = 'underway.example'
  const team = teamPage([{ name: 'Ada Pike', title: 'Head of Sales' }])
  sites.set(domain, { '/': home(), '/team': team })
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  const [ada] = await people(workspace)
  const gate = createGate()
  sites.set(domain, { '/': home(), '/team': () => gate.pass().then(() => team) })
  const loading = load(workspace, domain)
  await gate.untilHeld(1)
  await workspace.client.expect(200, 'DELETE', `/v1/people/${ada?.id}`)
  gate.open()
  assert.equal((await loading).synced, 0)
  assert.deepEqual(await people(workspace), [])
})

test('a re-sync keeps owner and lists', async () => {
  const domain = 'kept.example'
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'Head of Sales' }]) })
  const workspace = await scene(service, { accounts: [domain], active: true })
  const { client } = workspace
  await load(workspace, domain)
  const [ada] = await people(workspace)
  const [member] = await client.expect(200, 'GET', '/v1/members')
  await client.expect(200, 'PUT', `/v1/people/${ada?.id}/owner`, { owner_id: member.id })
  const list = await client.expect(201, 'POST', '/v1/people/lists', { name: 'Keep' })
  await client.expect(200, 'POST', `/v1/people/lists/${list.id}/members`, { add: [ada?.id] })
  await load(workspace, domain)
  const after = await client.expect(200, 'GET', `/v1/people/${ada?.id}`)
  assert.deepEqual([after.owner_id, after.list_ids], [member.id, [list.id]])
})

test('the ranking reflects the distance to the personas of the knowledge base', async () => {
  const domain = 'ranked.example'
  sites.set(domain, {
    '/': home(),
    '/team': teamPage([
      { name: 'Ada Pike', title: 'VP Sales' },
      { name: 'Ben Moss', title: 'Director of Sales' },
      { name: 'Cleo Hart', title: 'Chief Executive Officer' },
      { name: 'Dora Lund', title: 'VP Engineering' },
      { name: 'Emil Berg', title: 'Office Manager' },
    ]),
  })
  const workspace = await scene(service, { accounts: [domain], active: true })
  await load(workspace, domain)
  assert.deepEqual(
    (await people(workspace)).map(({ ranking }) => ranking),
    [null, null, null, null, null],
  )
  const content_md = '## Who buys\n\n**Personas:**\n\n- VP Sales\n'
  await workspace.client.expect(201, 'POST', '/v1/knowledge-base', { type: 'icp', title: 'ICP', content_md })
  await load(workspace, domain)
  assert.deepEqual(
    (await people(workspace)).map(({ ranking }) => ranking),
    [1, 2, 3, 4, 5],
  )
})

test('concurrent syncs of an account read its site once', async () => {
  const domain = 'once.example'
  const gate = createGate()
  const team = teamPage([{ name: 'Ada Pike', title: 'Head of Sales' }])
  sites.set(domain, { '/': home(), '/team': () => gate.pass().then(() => team) })
  const workspace = await scene(service, { accounts: [domain], active: true })
  const { db } = service.deps
  const lockRosters = sql`lock table account_rosters in access exclusive mode`
  // A sync first reads the stored roster. One that starts after another has ended is a separate sync, so all are paused at
  // this first read, and the second lock is released when all have reached it.
  const { loads } = await db.transaction().execute(async (trx) => {
    await lockRosters.execute(trx)
    const loads = [1, 2, 3].map(() => load(workspace, domain))
    await eventually('all loads look', async () => {
      const { rows } = await sql`select from pg_locks where not granted and relation = 'account_rosters'::regclass
        and database = (select oid from pg_database where datname = current_database())`.execute(trx)
      return rows.length === loads.length
    })
    return { loads }
  })
  await db.transaction().execute((trx) => lockRosters.execute(trx))
  await gate.untilHeld(1)
  gate.open()
  const answers = await Promise.all(loads)
  assert.deepEqual(
    answers.map(({ synced }) => synced),
    [1, 1, 1],
  )
  assert.equal(internet.requests.filter(({ url }) => url === `https://${domain}/team`).length, 1)
})

test('Unicode forms of a name are equal, and the number of namesakes per page is limited', async () => {
  const [plain, linked] = ['spellings.example', 'profiles.example']
  const team = hostileTeam(2_000)
  const profiled = team.slice(0, 100).map((card, n) => ({
    ...card,
    more: `<a href="https://www.linkedin.com/in/ada-${n}">Profile</a>`,
  }))
  sites.set(plain, { '/': home(), '/team': teamPage(team) })
  sites.set(linked, { '/': home(), '/team': teamPage(profiled) })
  const workspace = await scene(service, { accounts: [plain, linked], active: true })
  const [one, many] = [await load(workspace, plain), await load(workspace, linked)]
  assert.deepEqual([one.synced, one.sources[0].outcome], [1, 'items'])
  assert.deepEqual([many.synced, many.sources[0].outcome], [20, 'items'])
})

test('a roster that times out fails the company pages with a reason, not the other sources', async () => {
  const domain = 'too-long.example'
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Ada Pike', title: 'Head of Sales' }]) })
  world.profiles = [{ id: 'long-1', full_name: 'ben moss', job_title: 'head of product', job_company_website: domain }]
  const { deps } = service
  const workspace = await scene(service, { accounts: [domain], active: true })
  const reason = 'It took too long to read.'
  /** Gives up every roster that holds what these sources brought. */
  const loadWithout = (isHasty: (source: { source: string }) => boolean) => {
    const run: ParserPool['run'] = (name, input, options) => {
      const brought = name === 'roster' && 'brought' in input ? input.brought : []
      const isOut = brought.some((one) => one.people.size > 0 && isHasty(one))
      if (isOut) return Promise.resolve(new LimitExceeded(reason))
      return deps.parserPool.run(name, input, { ...options, from: crypto.randomUUID() })
    }
    return syncRoster({ ...deps, parserPool: { run } as ParserPool }, workspace.workspaceId, workspace.id(domain))
  }
  const { synced, sources } = await loadWithout(({ source }) => source === 'company pages')
  assert.deepEqual(
    [synced, sources.slice(0, 2)],
    [
      1,
      [
        { name: 'company pages', outcome: 'failed', people: 0, reason },
        { name: 'People Data Labs', outcome: 'items', people: 1, reason: null },
      ],
    ],
  )
  assert.deepEqual(titles(await people(workspace)), [['Ben Moss', 'Head Of Product']])
  await assert.rejects(
    loadWithout(() => true),
    { code: 'unavailable' },
  )
})

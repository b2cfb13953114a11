import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Host, startInternet } from '../../../sandbox/internet.ts'
import type { Release, Story, World } from '../../../sandbox/types.ts'
import { COMPANIES_HOUSE_STREAM_KEY } from '../../../sandbox/vendors/companies-house.ts'
import { vendorResponse } from '../../../sandbox/vendors/index.ts'
import type { Answer, Client } from '../../../test/support/client.ts'
import { day, siteOf } from '../../../test/support/companies.ts'
import { ended, idle } from '../../../test/support/eventually.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { companyKey } from '../../engine/companies/company-names.ts'
import { searchFold } from '../../engine/text/fold.ts'
import { gdelt } from '../../providers/streams/gdelt.ts'
import { createAccountLookup } from './account-lookup.ts'
import { findStreamLeads } from './items.ts'
import { matchStreamItems, readAllStreams } from './match.ts'
import { readStreams } from './read.ts'

type Data = Answer['data']

const world: { -readonly [K in keyof World]: World[K] } = {
  today: day(0),
  companies: [],
  stories: [],
  filings: [],
  releases: [],
  outages: {},
}
const sites = new Map<string, Host>()
/** A part of an address whose response is replaced. */
let broken: { part: string; status: number } | null = null
const internet = await startInternet(async (request) => {
  if (broken && request.url.href.includes(broken.part)) {
    return { status: broken.status, headers: { 'content-type': 'text/html' }, body: '<p>We have moved.</p>' }
  }
  return (await vendorResponse(request, world)) ?? (await sites.get(request.url.hostname)?.(request)) ?? null
})
after(() => internet[Symbol.asyncDispose]())
const env = { ...internet.env, CRAWL_DELAY_MS: '0', OUTBOUND_CONTACT: 'ops@bellwether.example' }
const service = await testService({
  worker: true,
  env: { ...env, SOURCES: 'website,globenewswire,companies-house', COMPANIES_HOUSE_STREAM_KEY },
})

let releases = 3_000_000
function send(company: string, signal: string, title: string, text: string, more: Partial<Release> = {}): Release {
  const release = {
    id: String(++releases),
    ...{ company, title, summary: text, paragraphs: [text], published: day(2), signals: [signal], site: null },
    ...more,
  }
  world.releases = [...(world.releases ?? []), release]
  return release
}

/** Reads new items and waits for detection in them. */
async function readNow(): Promise<void> {
  await service.deps.db
    .updateTable('stream_feeds')
    .set({ due_at: day(1) })
    .execute()
  await service.run(readAllStreams, {})
  await idle(service)
}

async function account(client: Client, name: string, domain: string | null): Promise<string> {
  const { id } = await client.expect(201, 'POST', '/v1/accounts', { name, domain })
  await client.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  await idle(service)
  return id
}

async function findings(client: Client, id: string): Promise<Data[]> {
  const signals = await client.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  return signals.filter(({ signal_present }: Data) => signal_present)
}

const asked = (part: string) => internet.requests.filter(({ url }) => url.includes(part))

test('a press release is read once and detected at every account that it is about, with its page as evidence, once', async () => {
  for (const name of ['Larkspur Optics', 'Marrow Field']) {
    sites.set(`${name.toLowerCase().replace(' ', '-')}.example`, siteOf({ name }))
  }
  const other = (await service.stranger()).client
  const mine = await account(service.admin, 'Larkspur Optics', 'larkspur-optics.example')
  const theirs = await account(other, 'Larkspur Optics Inc', 'larkspur-optics.example')
  const partner = await account(other, 'Marrow Field', 'marrow-field.example')
  const release = send(
    'Larkspur Optics, Inc.',
    'acquisition',
    'Larkspur Optics Acquires Marrow Field',
    'Larkspur Optics today announced that it has acquired Marrow Field (marrow-field.example) for $25 million in cash.',
    { site: 'larkspur-optics.example' },
  )
  const before = asked('subjectcode/27').length
  await readNow()
  for (const [client, id] of [
    [service.admin, mine],
    [other, theirs],
    [other, partner],
  ] as const) {
    const found = await findings(client, id)
    assert.deepEqual(
      found.map(({ signal_id }) => signal_id),
      ['acquisition'],
    )
    assert.match(found[0].evidence[0].source_url, new RegExp(`/${release.id}/`))
    assert.equal(found[0].evidence[0].published_date, day(2))
  }
  assert.equal(asked('subjectcode/27').length - before, 1)
  assert.equal(asked(`/${release.id}/`).length, 1)
  const [run] = await service.admin.expect(200, 'GET', '/v1/runs')
  assert.equal(run.name, `Reported by GlobeNewswire on ${day(2)}`)

  await readNow()
  assert.equal(asked('subjectcode/27').at(-1)?.headers['if-none-match'] !== undefined, true)
  assert.equal((await findings(service.admin, mine)).length, 1)
  assert.equal((await findings(service.admin, mine))[0].evidence.length, 1)
})

test('the key of a company name is the same in the database and in the engine, for all spellings', async () => {
  const spellings: Record<string, string[]> = {
    'hydralund marine': [
      'Hydralund Marine AS',
      'HYDRALUND MARINE A/S',
      'Hydralund Marine',
      'The Hydralund Marine Company, Inc.',
    ],
    'muller sohne': ['Müller & Söhne GmbH', 'Muller and Sohne', 'MÜLLER & SÖHNE GMBH & CO. KG'],
    'orlen dalba': ['Orlen Dalba Sp. z o.o.', 'Orlen Dalba s.r.o.', 'Orlen Dalba S.A.', 'Orlen Dalba L.P.'],
    company: ['The Company'],
  }
  for (const [key, names] of Object.entries(spellings)) {
    const { rows } = await sql<{
      key: string
    }>`select company_key(name) as key from unnest(${names}::text[]) as name`.execute(service.deps.db)
    assert.deepEqual(
      rows.map((row) => row.key),
      names.map(() => key),
    )
    assert.deepEqual(
      names.map((name) => companyKey(searchFold(name))),
      names.map(() => key),
    )
  }
})

test('a press release of a company with the same name affects no account', async () => {
  sites.set('calderstone.example', siteOf({ name: 'Calderstone' }))
  sites.set('tallow-works.example', siteOf({ name: 'Tallow Works' }))
  sites.set('wickerhouse.example', siteOf({ name: 'The Wicker Loft' }))
  const single = await account(service.admin, 'Calderstone Ltd', 'calderstone.example')
  const withArticle = await account(service.admin, 'The Wicker Loft', 'wickerhouse.example')
  const double = await account(service.admin, 'Tallow Works', 'tallow-works.example')
  const fundingText = (name: string) => `${name} today announced that it has raised $40 million in Series B funding.`
  // One word is the name of many companies; so are two words where the release gives another site or another legal
  // form.
  send('Calderstone Ltd', 'funding', 'Calderstone Raises $40 Million', fundingText('Calderstone'))
  send('The Wicker Loft', 'funding', 'The Wicker Loft Raises $40 Million', fundingText('The Wicker Loft'))
  send('Tallow Works LLC', 'funding', 'Tallow Works Raises $40 Million', fundingText('Tallow Works'), {
    site: 'tallowworks.example',
  })
  await readNow()
  assert.deepEqual(await findings(service.admin, single), [])
  assert.deepEqual(await findings(service.admin, withArticle), [])
  assert.deepEqual(await findings(service.admin, double), [])
  // An item that cannot be opened might give another site: its summary proves nothing, also for a scan.
  const lost = send('Tallow Works LLC', 'funding', 'Tallow Works Raises Anew', fundingText('Tallow Works'))
  broken = { part: `/${lost.id}/`, status: 503 }
  for (let time = 1; time <= 3; time++) await readNow()
  const { run_id } = await service.admin.expect(202, 'POST', `/v1/accounts/${double}/scan`)
  await ended(service.admin, `/v1/runs/${run_id}`)
  broken = null
  assert.deepEqual(await findings(service.admin, double), [])
  // The same release with the account's own site matches.
  send('Tallow Works LLC', 'funding', 'Tallow Works Closes Its Series B', fundingText('Tallow Works'), {
    site: 'tallow-works.example',
  })
  await readNow()
  assert.equal((await findings(service.admin, double)).length, 1)
})

test('the first scan of an account finds items published before it was one', async () => {
  sites.set('verdigris-labs.example', siteOf({ name: 'Verdigris Labs' }))
  send(
    'Verdigris Labs Inc.',
    'leadership_change',
    'Verdigris Labs Appoints Ines Okafor as Chief Executive Officer',
    'Verdigris Labs today announced that it has appointed Ines Okafor as Chief Executive Officer.',
    { site: 'verdigris-labs.example' },
  )
  await readNow()
  const id = await account(service.admin, 'Verdigris Labs', 'verdigris-labs.example')
  const { run_id } = await service.admin.expect(202, 'POST', `/v1/accounts/${id}/scan`)
  const run = await ended(service.admin, `/v1/runs/${run_id}`)
  assert.deepEqual(
    (await findings(service.admin, id)).map(({ signal_id }) => signal_id),
    ['leadership_change'],
  )
  const source = run.stats.sources.find(({ name }: Data) => name === 'GlobeNewswire')
  assert.deepEqual(source, { name: 'GlobeNewswire', outcome: 'items', items: 1, reason: null })
})

test('a newswire reports where a contact has moved, and the company is suggested with the reason', async () => {
  sites.set('ottermere.example', siteOf({ name: 'Ottermere' }))
  sites.set('pinnacle-looms.example', siteOf({ name: 'Pinnacle Looms' }))
  const ours = await scene(service, { accounts: [{ name: 'Ottermere', domain: 'ottermere.example' }], active: true })
  const [person] = await ours.save([{ full_name: 'Ines Okafor', title: 'VP of Sales' }])
  // Without the former company it may be any person of that name.
  const title = 'Pinnacle Looms Appoints Ines Okafor as Chief Revenue Officer'
  const text = 'Pinnacle Looms today announced that it has appointed Ines Okafor as Chief Revenue Officer.'
  const more = { site: 'pinnacle-looms.example' }
  send('Pinnacle Looms, Inc.', 'leadership_change', title, text, more)
  await readNow()
  const history = async () => (await ours.client.expect(200, 'GET', `/v1/people/${person?.id}`)).history
  assert.deepEqual(
    (await history()).filter(({ employer }: Data) => employer.startsWith('Pinnacle')),
    [],
  )
  const before = `${text} Ms. Okafor was previously VP of Sales at Ottermere.`
  send('Pinnacle Looms, Inc.', 'leadership_change', `${title} to Lead Growth`, before, more)
  await readNow()
  const [now] = await history()
  assert.deepEqual([now.employer, now.title], ['Pinnacle Looms, Inc.', 'Chief Revenue Officer'])
  const [suggested] = await ours.client.expect(200, 'GET', '/v1/accounts?status=suggested')
  const { domain, suggestion_reason } = await ours.client.expect(200, 'GET', `/v1/accounts/${suggested.id}`)
  assert.equal(domain, 'pinnacle-looms.example')
  assert.match(suggestion_reason, /Your contact Ines Okafor is now Chief Revenue Officer/)
})

test('a new director in a public register is detected at the account with the number, and at no namesake', async () => {
  for (const domain of ['quarrel-bridge.example', 'quarrelbridge.example'])
    sites.set(domain, siteOf({ name: 'Quarrel Bridge' }))
  const [other, rejecting, without] = [await service.stranger(), await service.stranger(), await service.stranger()]
  const mine = await account(service.admin, 'Quarrel Bridge', 'quarrel-bridge.example')
  const namesake = await account(other.client, 'Quarrel Bridge', 'quarrelbridge.example')
  const rejected = await account(rejecting.client, 'Quarrel Bridge', 'quarrel-bridge.example')
  const unlocated = await account(without.client, 'Quarrel Bridge', null)
  const record = {
    register: 'companies-house' as const,
    register_id: '01234567',
    legal_name: 'QUARREL BRIDGE LTD',
    proof: 'number',
  }
  await service.deps.db
    .insertInto('account_registrations')
    .values([
      { workspace_id: service.workspaceId, account_id: mine, ...record },
      { workspace_id: rejecting.workspaceId, account_id: rejected, ...record, status: 'rejected' },
      { workspace_id: without.workspaceId, account_id: unlocated, ...record },
    ])
    .execute()
  const appointed = (timepoint: number, company: string) => ({
    ...{ timepoint, company, id: `appointed-${timepoint}`, category: 'officers', type: 'AP01', day: day(2) },
    description: 'appoint-person-director-company-with-name-date',
    values: { officer_name: 'Ines Okafor', appointment_date: day(3) },
  })
  world.register_filings = [appointed(5, '07654321')]
  await readNow()
  world.register_filings = [5, 6, 7].map((timepoint) => appointed(timepoint, timepoint === 6 ? '01234567' : '07654321'))
  await readNow()
  const [found, ...more] = await findings(service.admin, mine)
  assert.deepEqual([found?.signal_id, more], ['leadership_change', []])
  assert.match(found.evidence[0].claim, /Ines Okafor/)
  assert.match(found.evidence[0].source_url, /company\/01234567\/filing-history\/appointed-6/)
  assert.deepEqual(await findings(other.client, namesake), [])
  // What another workspace knows about the company proves nothing, and takes nothing away.
  assert.deepEqual(await findings(rejecting.client, rejected), [])
  assert.equal((await findings(without.client, unlocated)).length, 1)
  const stored = await service.deps.db
    .selectFrom('stream_items')
    .select('key')
    .where('key', 'like', 'appointed-%')
    .execute()
  assert.deepEqual(stored, [{ key: 'appointed-6' }])
})

test('a feed with a changed format has failed, even if the other feeds of the stream work', async () => {
  broken = { part: 'subjectcode/11', status: 200 }
  await readNow()
  const { providers } = await service.admin.expect(200, 'GET', '/v1/integrations')
  broken = null
  const [problem] = providers.problems.filter(({ name }: Data) => name === 'GlobeNewswire')
  assert.deepEqual([problem?.kind, /failed: unexpected response format/.test(problem?.message)], ['unreadable', true])
})

test('a stream with a changed format has failed: the next read and the integrations report it', async () => {
  world.outages = { globenewswire: 'garbage' }
  await readNow()
  const feeds = await service.deps.db
    .selectFrom('stream_feeds')
    .select('failure')
    .where('stream', '=', 'GlobeNewswire')
    .execute()
  for (const { failure } of feeds) assert.match(failure ?? '', /^GlobeNewswire failed: unexpected response format\./)
  const { providers } = await service.admin.expect(200, 'GET', '/v1/integrations')
  const [problem] = providers.problems.filter(({ name }: Data) => name === 'GlobeNewswire')
  assert.deepEqual([problem.kind, /failed: unexpected response format/.test(problem.message)], ['unreadable', true])
  world.outages = {}
  await readNow()
  const well = await service.admin.expect(200, 'GET', '/v1/integrations')
  assert.deepEqual(well.providers.problems, [])
})

test('discovery finds companies by newswires, filings and awards alone, without a universe', async () => {
  const planted = {
    // Each gives its site, or a fact that its site shows.
    wires: ['Aldermoor Labs', 'Birchgate Systems', 'Cinderlow Foods', 'Dunmere Optics', 'Elmhurst Robotics'],
    filings: ['Fenwick Dynamics', 'Gorsedale Energy'],
    awards: ['Hawthorn Marine', 'Ivelet Aerospace', 'Juniper Ridge Software'],
  }
  const domain = (name: string) => `${name.toLowerCase().replaceAll(' ', '')}.com`
  for (const name of Object.values(planted).flat()) {
    const address = { streetAddress: '12 Mill Lane', addressLocality: 'Dayton', addressCountry: 'US' }
    sites.set(domain(name), siteOf({ name, about: { address }, team: ['Ada Pike'] }))
  }
  for (const name of planted.wires) {
    const text = `${name} today announced that it has raised $40 million in Series B funding led by Vantor Capital.`
    send(`${name}, Inc.`, 'funding', `${name} Raises $40 Million in Series B Funding`, text, { site: domain(name) })
  }
  world.filings = planted.filings.map((company, at) => ({
    ...{
      cik: 9001 + at,
      company: `${company.toUpperCase()}, INC.`,
      form: 'D',
      filed: day(3),
      document: 'primary_doc.xml',
    },
    ...{
      accession: `000900${at}-26-000001`,
      text: '',
      officers: [{ first: 'Ada', last: 'Pike', roles: ['Executive Officer'] }],
    },
    offering: { sold: 4_000_000, offered: 4_000_000, first_sale: day(9), industry: 'Other Technology' },
  }))
  world.awards = planted.awards.map((recipient, at) => ({
    ...{ by: 'usaspending', id: `CONT_AWD_${at}`, recipient: `${recipient.toUpperCase()} INC`, amount: 4_200_000 },
    ...{ agency: 'Department of Energy', day: day(6), description: 'SENSORS', street: '12 Mill Lane' },
  }))
  const sources = 'website,globenewswire,sec,usaspending'
  const finder = await testService({ worker: true, env: { ...env, SOURCES: sources, DISCOVERY_MAX_CANDIDATES: '50' } })
  const spec = { name: 'New', signals: { any_of: ['funding', 'customer_win'] }, recency: '30' }
  const { run_id } = await finder.admin.expect(202, 'POST', '/v1/runs', spec)
  const run = await ended(finder.admin, `/v1/runs/${run_id}`)
  const accounts: Data[] = await finder.admin.expect(200, 'GET', '/v1/accounts?status=suggested')
  const found = accounts.map(({ domain }) => domain)
  const missed = Object.values(planted)
    .flat()
    .filter((name) => !found.includes(domain(name)))
  assert.deepEqual(missed, [], JSON.stringify(run.stats))
})

const PERIOD_MS = 15 * 60_000
// The last period of a day that has ended, so that no other begins meanwhile.
const latest = Date.parse(day(1)) + 86_400_000 - PERIOD_MS
/** A number of periods before the newest one, as GDELT names its files. */
const stamp = (before: number) => new Date(latest - before * PERIOD_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14)

/** Adds an article on a news site that GDELT lists with these organisations. */
function publish(
  title: string,
  organisations: string[],
  page: string | null,
  { before = 0, host = 'press.example', outlets = 1 } = {},
) {
  const url = `https://${host}/${world.stories.length}`
  const published = new Date(latest - before * PERIOD_MS).toISOString().slice(0, 10)
  const story: Story = {
    id: url,
    url,
    title,
    text: '',
    published,
    points: 1,
    about: '',
    organisations,
    outlets,
    period: stamp(before),
  }
  world.stories = [...world.stories, story]
  articles.set(url, page && `<title>${title} - The Press</title><article><h1>${title}</h1><p>${page}</p></article>`)
  sites.set(host, ({ url: { href, pathname } }) => {
    const body = articles.get(href)
    if (pathname === '/robots.txt' || body === undefined) return { status: 404 }
    return body === null ? { status: 503 } : { status: 200, headers: { 'content-type': 'text/html' }, body }
  })
  return url
}
const articles = new Map<string, string | null>()

/** Continues to read the articles of GDELT after a period; returns the number of new items. */
async function readArticles(before: number, deadline?: AbortSignal): Promise<number> {
  await setFeed({ state: JSON.stringify({ file: stamp(before) }), due_at: day(1) })
  const signal = new AbortController().signal
  const { found } = await readStreams(service.deps, signal, { streams: [gdelt], ...(deadline && { deadline }) })
  await matchStreamItems(service.deps, signal)
  await idle(service)
  return found
}

const feedOf = () =>
  service.deps.db.selectFrom('stream_feeds').selectAll().where('stream', '=', 'GDELT').executeTakeFirst()
const setFeed = (values: { state: string; due_at: string }) =>
  service.deps.db
    .insertInto('stream_feeds')
    .values({ stream: 'GDELT', feed: 'articles', ...values })
    .onConflict((conflict) => conflict.columns(['stream', 'feed']).doUpdateSet(values))
    .execute()

test('an article that GDELT lists is detected at the account that its page proves, and at no namesake', async () => {
  world.today = day(1)
  const names = ['Skagen Turbines', 'Ottoline Freight', 'Marlowe Ceramics', 'Hexley', 'Osprey Dairy', 'Pendle Looms']
  const ids = new Map<string, string>()
  // Domains that are not formed from the name: without them on the page, the name would be proof.
  const others: Record<string, string> = { 'Skagen Turbines': 'sk-wind.example', 'Osprey Dairy': 'odairy.example' }
  for (const name of names)
    ids.set(name, await account(service.admin, name, others[name] ?? `${name.toLowerCase().replace(' ', '-')}.example`))
  const funding = (name: string) => `${name} raises $40 million in Series B funding`
  const text = (name: string) => `${name} has raised $40 million in Series B funding led by Vantor Capital.`
  const proven = publish(
    funding('Skagen Turbines'),
    ['Skagen Turbines Ltd'],
    `${text('Skagen Turbines')} More at sk-wind.example.`,
  )
  // Another site, only a mention among others, a name of one word, and a page that cannot be read.
  publish(
    funding('Ottoline Freight'),
    ['Ottoline Freight'],
    `${text('Ottoline Freight')} Visit <a href="https://ottoline.example/">Ottoline Freight</a>.`,
  )
  publish(
    funding('Brightwater'),
    ['Brightwater', 'Marlowe Ceramics'],
    `${text('Brightwater')} It competes with Marlowe Ceramics (marlowe-ceramics.example).`,
  )
  publish(funding('Hexley'), ['Hexley'], text('Hexley'))
  publish(`${funding('Pendle Looms')}, says pendle-looms.example`, ['Pendle Looms'], null)
  // The company's own page needs no further proof.
  const own = publish(funding('Osprey Dairy'), ['Osprey Dairy'], text('We, Osprey Dairy,'), {
    host: 'news.odairy.example',
  })
  // After three failures the page is not requested again.
  for (let time = 1; time <= 4; time++) await readArticles(1)
  const found = async (name: string) =>
    (await findings(service.admin, ids.get(name) as string)).map(({ evidence }) => evidence[0].source_url)
  assert.deepEqual(Object.fromEntries(await Promise.all(names.map(async (name) => [name, await found(name)]))), {
    'Skagen Turbines': [proven],
    ...{ 'Ottoline Freight': [], 'Marlowe Ceramics': [], Hexley: [], 'Pendle Looms': [] },
    'Osprey Dairy': [own],
  })
  // Rows that name no account and are no lead are not stored.
  const { rows } = await sql<{ company: string }>`select company from stream_items where stream = 'GDELT'`.execute(
    service.deps.db,
  )
  assert.deepEqual(rows.map(({ company }) => company).sort(), [
    'Brightwater',
    'Hexley',
    'Marlowe Ceramics',
    'Osprey Dairy',
    'Ottoline Freight',
    'Pendle Looms',
    'Skagen Turbines Ltd',
  ])
})

test('files of GDELT are read one after another in one run, which continues after the last complete one when it was stopped', async () => {
  world.stories = []
  await account(service.admin, 'Quarrel Foundry', 'quarrel-foundry.example')
  for (const before of [3, 2, 1, 0])
    publish(`Quarrel Foundry ${before}`, ['Quarrel Foundry'], 'Nothing new.', { before })
  const stop = new AbortController()
  void internet.until(() => asked(`${stamp(1)}.gkg`).length > 0).then(() => stop.abort())
  assert.equal(await readArticles(4, stop.signal), 2)
  const stopped = await feedOf()
  assert.deepEqual([stopped?.state?.file, stopped?.failure], [stamp(2), null])
  assert.equal(new Date(stopped?.due_at ?? 0) <= new Date(), true)
  const { found } = await readStreams(service.deps, new AbortController().signal, { streams: [gdelt] })
  assert.deepEqual([found, (await feedOf())?.state?.file], [2, stamp(0)])
  // A process that was killed before it recorded its position reads the same files again, and stores nothing twice.
  assert.equal(await readArticles(4), 0)
  const missing = internet.requests.length
  broken = { part: `${stamp(2)}.gkg`, status: 404 }
  await readArticles(4)
  broken = null
  assert.ok(internet.requests.length > missing)
  assert.match((await feedOf())?.failure ?? '', /^GDELT lists a file that does not exist/)
})

test('an article that is stored only because its company is an account is no lead for discovery', async () => {
  world.stories = []
  await account(service.admin, 'Wexford Kilns', 'wexford-kilns.example')
  const raises = (name: string, outlets: number) =>
    publish(`${name} raises $40 million`, [name], `${name} has raised $40 million in Series B funding.`, { outlets })
  raises('Wexford Kilns', 1)
  const others = Array.from('ABCDEFGHIJ', (letter) => `Corvane${letter.toLowerCase()}`)
  for (const name of others) raises(name, 3)
  assert.equal(await readArticles(1), 11)
  const signal = new AbortController().signal
  const parts = { ...service.deps, config: { ...service.deps.config, SOURCES: new Set(['website', 'gdelt']) } }
  const { leads } = await findStreamLeads(parts, ['funding'], day(30), 100, signal)
  const names = leads.map(({ company }) => company.name)
  assert.deepEqual(
    others.filter((name) => !names.includes(name)),
    [],
  )
  assert.ok(!names.includes('Wexford Kilns'))
})

test('a lookup returns the names that active accounts of any workspace have, in every spelling', async () => {
  const other = (await service.stranger()).client
  await account(other, 'Tamarind Optics GmbH', 'tamarind.example')
  await other.expect(201, 'POST', '/v1/accounts', { name: 'Unused Optics', domain: 'unused.example' })
  const names = ['The Tamarind Optics', 'TAMARIND OPTICS INC', 'Tamarind', 'Unused Optics', '', 'Inc']
  const many = Array.from({ length: 2_500 }, (_, n) => `Unknown ${n}`)
  const found = await createAccountLookup(service.deps.db).named([...many, ...names])
  assert.deepEqual([...found].sort(), ['TAMARIND OPTICS INC', 'The Tamarind Optics'])
})

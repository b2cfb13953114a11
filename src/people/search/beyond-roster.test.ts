import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILINGS, home, mailAt, PDL, teamPage } from '../../../test/support/people.ts'
import { scene } from '../../../test/support/scene.ts'
import { testService } from '../../../test/support/service.ts'
import { daysAgo } from '../../../test/support/vendors.ts'
import { testWorld } from '../../../test/support/world.ts'
import { saveDocuments } from '../../resources/documents/store.ts'

const { env, sites, internet, world } = await testWorld({
  mail: [mailAt('beyondmotors.com', ['fay.forster', 'nia.newman', 'sam.stone', 'lea.lindt', 'vic.vendor'])],
})
const keyed = await testService({ env: { ...env, ...PDL, PDL_MAX_PEOPLE: '1', ...FILINGS } })

type Contact = {
  full_name: string
  icp_tier: number
  email: string | null
  source: string
  sources: string[]
  found_source: string | null
}
const namesOf = (contacts: Contact[]) => contacts.map(({ full_name, icp_tier }) => [full_name, icp_tier])

const article = (title: string, day: string) =>
  `<html><head><title>${title}</title><meta property="article:published_time" content="${day}T08:00:00Z"></head>
    <body><main><h1>${title}</h1><p>${title}. It makes motors for boats.</p></main></body></html>`
const sitemap = (domain: string, pages: readonly string[]) => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: `<urlset>${pages.map((page) => `<url><loc>https://${domain}${page}</loc></url>`).join('')}</urlset>`,
})

test('a search adds people from beyond the roster with their source', async () => {
  const domain = 'beyondmotors.com'
  const path = '/news/beyond-motors-appoints-nia-newman-as-chief-financial-officer'
  const gone = '/news/beyond-motors-names-old-hand-cfo'
  sites.set(domain, {
    '/': home(),
    '/team': teamPage([{ name: 'Emil Berg', title: 'CEO' }]),
    // No page links to it.
    '/leadership': teamPage([
      { name: 'Sam Stone', title: 'VP Finance' },
      { name: 'Tess Noble', title: 'VP Engineering' },
    ]),
    '/sitemap.xml': sitemap(domain, ['/leadership', path, gone, '/products/motor', '/privacy']),
    [path]: article('Beyond Motors appoints Nia Newman as Chief Financial Officer', daysAgo(40)),
    [gone]: article('Beyond Motors names Old Hand CFO', daysAgo(1500)),
  })
  const profile = (id: string, full_name: string, job_title: string) => ({
    id,
    full_name,
    job_title,
    job_company_website: domain,
  })
  world.profiles = [
    profile('1', 'emil berg', 'ceo'),
    profile('2', 'vic vendor', 'vp finance'),
    profile('3', 'ida sole', 'vp sales'),
  ]
  const filing = { cik: 4711, company: 'BEYOND MOTORS, INC.', document: 'report.htm', form: '8-K' }
  const text = (said: string) => `Item 5.02 Departure of Directors or Certain Officers. ${said}`
  world.filings = [
    {
      ...filing,
      accession: '0004711-26-000002',
      filed: daysAgo(20),
      text: text('On Monday, Ben Bygone resigned as Chief Financial Officer of the Company.'),
    },
    {
      ...filing,
      accession: '0004711-26-000001',
      filed: daysAgo(90),
      text: text(
        'Fay Forster was appointed as Chief Financial Officer of the Company. Ben Bygone was appointed as Chief Financial Officer of the Company.',
      ),
    },
  ]
  const owner = await keyed.stranger()
  const { client, id, workspaceId } = await scene(keyed, {
    accounts: [{ name: 'Beyond Motors', domain }],
    active: true,
    owner,
  })
  await saveDocuments(keyed.deps.db, workspaceId, id(domain), [
    {
      url: 'https://paper.example/1',
      kind: 'mention',
      source: 'Hacker News',
      title: 'Boats',
      text: '“We grow,” said Lea Lindt, CFO of Beyond Motors.',
      published_date: daysAgo(10),
    },
  ])
  const found = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO' })
  assert.deepEqual(found.problems, [])
  const shown = found.contacts.map((one: Contact) => [
    one.full_name,
    one.icp_tier,
    one.source,
    one.found_source,
    one.email,
  ])
  assert.deepEqual(shown.sort(), [
    ['Fay Forster', 1, 'waterfall', 'SEC EDGAR', `fay.forster@${domain}`],
    ['Lea Lindt', 1, 'waterfall', 'Hacker News', `lea.lindt@${domain}`],
    ['Nia Newman', 1, 'waterfall', 'company pages', `nia.newman@${domain}`],
  ])
  const nia = found.contacts.find(({ full_name }: Contact) => full_name === 'Nia Newman')
  assert.equal(nia.found_url, `https://${domain}${path}`)
  assert.equal((await client.expect(200, 'GET', `/v1/people/${nia.id}`)).found_url, nia.found_url)
  const people: Contact[] = await client.expect(200, 'GET', '/v1/people?source=waterfall&sort=full_name&order=asc')
  // Those next to the role were found as well, though enough had it.
  assert.deepEqual(
    people.map(({ full_name, icp_tier }) => [full_name, icp_tier]),
    [
      ['Fay Forster', 1],
      ['Lea Lindt', 1],
      ['Nia Newman', 1],
      ['Sam Stone', null],
      ['Vic Vendor', null],
    ],
  )
  // The same search soon after queries no source, and a roster that contains the person adds a source.
  const before = internet.requests.length
  const again = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO' })
  assert.deepEqual([internet.requests.length, again.found], [before, 3])
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Nia Newman', title: 'Chief Financial Officer' }]) })
  await client.expect(200, 'POST', '/v1/people/sync', { account_id: id(domain) })
  const both = await client.expect(200, 'GET', `/v1/people/${nia.id}`)
  assert.deepEqual([both.source, both.sources], ['waterfall', ['waterfall', 'employee']])
  world.profiles = []
  world.filings = []
})

test('failed sources beyond the roster are reported and queried again', async () => {
  const domain = 'half.example'
  const page = '/news/half-appoints-nia-newman-as-chief-financial-officer'
  const other = '/news/half-appoints-sam-stone-as-cfo'
  const gone = '/news/half-names-a-new-chief-financial-officer'
  const whole = { '/': home(), '/team': teamPage([{ name: 'Emil Berg', title: 'CEO' }]) }
  const { client } = await scene(keyed, { accounts: [{ name: 'Half', domain }], active: true })
  const find = async (site: Parameters<typeof sites.set>[1]) => {
    sites.set(domain, site)
    const { complete, problems, contacts } = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO' })
    return [complete, problems.length, namesOf(contacts)]
  }
  const ceo = ['Emil Berg', 3]
  const later = { status: 503, body: 'Later' }
  assert.deepEqual(await find({ ...whole, '/sitemap.xml': later }), [false, 1, [ceo]])
  const paidFor = () => internet.requests.filter(({ url }) => url.includes('peopledatalabs')).length
  const paid = paidFor()
  const listed = { ...whole, '/sitemap.xml': sitemap(domain, [other, page, gone]) }
  // One page was read and names no one; the unread one might.
  const dull = article('Half appoints nobody', daysAgo(9))
  assert.deepEqual(await find({ ...listed, [other]: dull, [page]: later }), [false, 1, [ceo]])
  const named = article('Half appoints Nia Newman as Chief Financial Officer', daysAgo(9))
  assert.deepEqual(await find({ ...listed, [other]: later, [page]: named }), [false, 1, [['Nia Newman', 1]]])
  assert.deepEqual([paid > 0, paidFor()], [true, paid], 'a source that succeeded is not queried again')
  // What is not there is no failure.
  assert.deepEqual(await find({ ...listed, [other]: dull, [page]: named }), [true, 0, [['Nia Newman', 1]]])
})

test('a partial roster of a vendor is reported, searched beyond, and loaded again', async () => {
  const paying = await testService({ env: { ...env, ...PDL, PDL_MAX_PEOPLE: '200' } })
  const domain = 'paged.example'
  const named = (full_name: string, job_title: string) => ({
    id: full_name,
    full_name,
    job_title,
    job_company_website: domain,
  })
  const letters = [...'abcdefghij']
  world.profiles = [
    ...letters.flatMap((one) => letters.map((two) => named(`an${one} pike${two}`, 'welder'))),
    named('vic vendor', 'cfo'),
  ]
  world.outages = { 'people-data-labs': 'paging' }
  sites.set(domain, { '/': home(), '/team': teamPage([{ name: 'Emil Berg', title: 'CEO' }]) })
  const { client } = await scene(paying, { accounts: [{ name: 'Paged', domain }], active: true })
  const find = async () => {
    const { complete, problems, contacts } = await client.expect(200, 'POST', '/v1/people/find', { query: 'CFO' })
    return [complete, problems.length, namesOf(contacts)]
  }
  const vic = ['Vic Vendor', 1]
  assert.deepEqual(await find(), [false, 1, [vic]])
  assert.deepEqual(await find(), [false, 1, [vic]])
  world.outages = {}
  assert.deepEqual(await find(), [true, 0, [vic]])
  const before = internet.requests.length
  assert.deepEqual([await find(), internet.requests.length], [[true, 0, [vic]], before])
  world.profiles = []
})

test('a request with further conditions does not affect the cached search for the role', async () => {
  const domain = 'plainrole.example'
  const page = '/news/plainrole-appoints-nia-newman-as-interim-chief-financial-officer'
  sites.set(domain, {
    '/': home(),
    '/team': teamPage([{ name: 'Emil Berg', title: 'CEO' }]),
    '/leadership': teamPage([{ name: 'Tess Noble', title: 'VP Engineering' }]),
    '/sitemap.xml': sitemap(domain, ['/leadership', page]),
    [page]: article('Plainrole appoints Nia Newman as Interim Chief Financial Officer', daysAgo(9)),
  })
  const { client } = await scene(keyed, { accounts: [{ name: 'Plainrole', domain }], active: true })
  const find = async (query: string) =>
    namesOf((await client.expect(200, 'POST', '/v1/people/find', { query })).contacts)
  // Excluded title words belong to the role; degree, name and place are conditions on the people found.
  assert.deepEqual(await find('CFO, no interim'), [['Emil Berg', 3]])
  assert.deepEqual(await find('CFO with an MBA'), [])
  const foundBeyond = async () => {
    const people: Contact[] = await client.expect(200, 'GET', '/v1/people?source=waterfall')
    return people.filter(({ sources }) => !sources.includes('employee')).map(({ full_name }) => full_name)
  }
  assert.deepEqual(await foundBeyond(), ['Nia Newman'])
  assert.deepEqual(await find('CFO'), [['Nia Newman', 1]])
  assert.deepEqual(await find('CFO named Nia'), [['Nia Newman', 1]])
  assert.deepEqual(await foundBeyond(), ['Nia Newman'], 'a name alone adds no other person')
})

// External documents must not block the event loop: for each kind of work on them, a hostile site is
// served and processed by the real service, and no stretch of CPU time on this thread may exceed the limit. The service,
// the site and the caller share the thread, so the measured time is an upper bound.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import products from '../../src/engine/technologies/products.json' with { type: 'json' }
import { ended, idle } from '../support/eventually.ts'
import { fullDirectory, hostileBoard, hostileIncidents, hostileTeam } from '../support/hostile.ts'
import { home, teamPage } from '../support/people.ts'
import { scene } from '../support/scene.ts'
import { testService } from '../support/service.ts'
import { StallWatch } from '../support/stalls.ts'
import { type Paths, testWorld } from '../support/world.ts'

const LIMIT_MS = 100

const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)
const { env, sites } = await testWorld({ mail: [] })
const service = await testService({
  worker: true,
  env: {
    ...{ ...env, SOURCES: 'website,job-boards,status-pages,hacker-news', CRAWL_MAX_PAGES: '40' },
    // The time limit of parser threads is not tested here.
    READING_TIMEOUT_MS: '60000',
  },
})
const watch = new StallWatch()
after(() => watch.stop())

/** Runs the work once to load and compile code, then again while the thread is measured. */
async function holdsNothingUp(t: { diagnostic: (text: string) => void }, work: () => Promise<unknown>): Promise<void> {
  await work()
  await idle(service)
  watch.longest()
  await work()
  await idle(service)
  const longest = Math.round(watch.longest())
  t.diagnostic(`the longest stretch took ${longest} ms`)
  assert.ok(longest <= LIMIT_MS, `The thread that answers computed for ${longest} ms at a stretch.`)
}

let serial = 0
/** A company whose site has these pages, in a separate workspace. */
async function companyWith(pages: (domain: string, name: string) => Paths) {
  const name = `hurt${++serial}`
  const domain = `${name}.example`
  sites.set(domain, pages(domain, name))
  const world = await scene(service, { accounts: [{ name, domain }], active: true })
  const scan = async (source = 'website') => {
    const { run_id } = await world.client.expect(202, 'POST', `/v1/accounts/${world.id(domain)}/scan`)
    const { status, stats, failure } = await ended(world.client, `/v1/runs/${run_id}`)
    assert.equal(status, 'done', failure)
    const read = stats.sources.find((one: { name: string }) => one.name === source)
    // Pages that were not read could not have blocked anything.
    assert.equal(read?.outcome, 'items', JSON.stringify(stats.sources))
  }
  const sync = async () => {
    const { sources } = await world.client.expect(200, 'POST', '/v1/people/sync', { account_id: world.id(domain) })
    assert.equal(sources[0].outcome, 'items', JSON.stringify(sources))
  }
  return { ...world, name, domain, scan, sync }
}

const article = (title: string, text: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><time datetime="${day}">${day}</time>${text}</main></body></html>`
const newsPage = (titles: readonly string[]) =>
  `<html><body><main>${titles.map((title, n) => `<article><h2><a href="/news/item-${n}">${title}</a></h2></article>`).join('')}</main></body></html>`

/** A site with these news items. */
const newsSite = (news: readonly { title: string; text: string }[]) => ({
  '/': home('<a href="/news">News</a>'),
  '/news': newsPage(news.map(({ title }) => title)),
  ...Object.fromEntries(news.map(({ title, text }, n) => [`/news/item-${n}`, article(title, text)])),
})

test('rosters: one name in thousands of spellings', async (t) => {
  const cards = hostileTeam(3_500)
  const { sync } = await companyWith(() => ({ '/': home(), '/team': teamPage(cards) }))
  await holdsNothingUp(t, sync)
})

test('rosters: thousands of people with all details, who change jobs and leave', async (t) => {
  const { sync, domain } = await companyWith((domain) => {
    return { '/': home(), '/team': teamPage(fullDirectory(3_000, domain)) }
  })
  let times = 0
  await holdsNothingUp(t, async () => {
    const cards = fullDirectory(3_000 - 300 * times, domain).map((card) => ({
      ...card,
      title: `VP ${times} ${card.title}`,
    }))
    sites.set(domain, { '/': home(), '/team': teamPage(cards) })
    times++
    await sync()
  })
})

test('moves: a text that names hundreds of people, whose names thousands share', async (t) => {
  const names = Array.from(
    { length: 200 },
    (_, n) => `Ann B${String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26))}son`,
  )
  const { scan, save, name } = await companyWith((_, name) =>
    newsSite([
      {
        title: `${name} appoints its leaders`,
        text: names.map((one) => `<p>${name} has appointed ${one} as Chief Financial Officer.</p>`).join(''),
      },
    ]),
  )
  for (let part = 0; part < 15; part++) {
    await save(names.map((full_name, n) => ({ full_name, title: `Head of Sales ${part} ${n} ${name}` })))
  }
  await holdsNothingUp(t, () => scan())
})

test('technologies: every product on every page', async (t) => {
  const hosts = Object.values(products).flatMap((some) =>
    some.flatMap((product) => ('loads' in product ? product.loads : [])),
  )
  const scripts = hosts.map((host) => `<script src="https://${host}/a.js"></script>`)
  const { scan } = await companyWith(() => {
    const links = Array.from({ length: 35 }, (_, n) => `<a href="/about/${n}">About us ${n}</a>`).join('')
    const page = home(links).replace('</head>', `${scripts.join('').repeat(20)}</head>`)
    return { '/': page, ...Object.fromEntries(Array.from({ length: 35 }, (_, n) => [`/about/${n}`, page])) }
  })
  await holdsNothingUp(t, () => scan())
})

test('hiring: a job board with thousands of positions', async (t) => {
  const { scan } = await companyWith((_, name) => ({
    '/': home(`<a href="https://boards.greenhouse.io/${name}">Jobs</a>`),
  }))
  const body = hostileBoard(3_000, day)
  sites.set('boards-api.greenhouse.io', { status: 200, headers: { 'content-type': 'application/json' }, body })
  await holdsNothingUp(t, () => scan('greenhouse'))
})

test('status pages: megabytes of incidents', async (t) => {
  const { scan, name, domain } = await companyWith((domain) => ({
    '/': home(`<a href="https://status.${domain}/">Status</a>`),
  }))
  const body = hostileIncidents(name, day)
  sites.set(`status.${domain}`, {
    '/api/v2/incidents.json': { status: 200, headers: { 'content-type': 'application/json' }, body },
  })
  await holdsNothingUp(t, () => scan('status-pages'))
})

test('vendors: megabytes of JSON that is not needed', async (t) => {
  const { scan, name } = await companyWith((_, name) => ({
    '/': home(),
    '/raised': article(`${name} raises money`, ''),
  }))
  const hit = {
    title: `${name} raises $40 million`,
    created_at: `${day}T00:00:00Z`,
    url: `https://${name}.example/raised`,
  }
  const body = `{"hits":[${JSON.stringify(hit)}],"more":[${'[],'.repeat(1_300_000)}[]]}`
  sites.set('hn.algolia.com', { status: 200, headers: { 'content-type': 'application/json' }, body })
  await holdsNothingUp(t, () => scan('Hacker News'))
  sites.delete('hn.algolia.com')
})

test('robots.txt: thousands of rules full of wildcards, and a redirect to an endless path', async (t) => {
  const { client, id, domain } = await companyWith(() => ({
    '/robots.txt': {
      status: 200,
      headers: {},
      body: `user-agent: *\n${`disallow: /${'*a'.repeat(60)}b\n`.repeat(3_000)}`,
    },
    '/': { status: 302, headers: { location: `/${'a'.repeat(8_000)}` }, body: '' },
  }))
  await holdsNothingUp(t, async () => {
    const { run_id } = await client.expect(202, 'POST', `/v1/accounts/${id(domain)}/scan`)
    await ended(client, `/v1/runs/${run_id}`)
  })
})

test('sitemaps: an index of thousands of files with endless addresses', async (t) => {
  const { scan } = await companyWith((domain) => {
    const file = (n: number) => `<sitemap><loc>https://${domain}/${'pos'.repeat(630)}${n}.xml</loc></sitemap>`
    const files = Array.from({ length: 5_000 }, (_, n) => file(n)).join('')
    return { '/': home(), '/sitemap.xml': `<sitemapindex>${files}</sitemapindex>` }
  })
  await holdsNothingUp(t, () => scan())
})

test('imports: a header of a thousand columns, each with hundreds of parts', async (t) => {
  const { client } = await companyWith(() => ({ '/': home() }))
  const header = ['domain', ...Array.from({ length: 900 }, () => 'a/'.repeat(99))].join(',')
  await holdsNothingUp(t, async () => {
    const upload = { body: `${header}\nacme.example\n`, headers: { 'content-type': 'text/csv' } }
    const { data } = await client.post('/v1/companies/import', undefined, upload)
    const { status, failure } = await ended(client, `/v1/companies/imports/${data.id}`)
    assert.equal(status, 'done', failure)
  })
})

test('drafts: a site that announces something on every page', async (t) => {
  const { scan, client, name } = await companyWith((_, name) =>
    newsSite(
      Array.from({ length: 30 }, (_, n) => ({
        title: `${name} raises $${n + 10} million and acquires Globex ${n}`,
        text: `<p>${`${name} today announced that it has raised $${n + 10} million in Series B funding led by Vantor ${n}. `.repeat(30)}</p>`,
      })),
    ),
  )
  await holdsNothingUp(t, async () => {
    await scan()
    const section = {
      type: 'icp',
      title: `Who ${crypto.randomUUID()}`,
      content_md: `Personas: CFO. ${name} sells. `.repeat(200),
    }
    await client.expect(201, 'POST', '/v1/knowledge-base', section)
  })
})

test('redaction: pages full of the name of an erased person', async (t) => {
  const { scan, save, client } = await companyWith((_, name) =>
    newsSite(
      Array.from({ length: 8 }, (_, n) => ({
        title: `${name} tells story ${n}`,
        text: `<p>${'Pike, Ada '.repeat(20_000)}</p>`,
      })),
    ),
  )
  await holdsNothingUp(t, async () => {
    const [ada] = await save([{ full_name: 'Ada Pike', title: 'Head of Sales' }])
    await scan()
    if (ada) await client.expect(200, 'DELETE', `/v1/people/${ada.id}`)
    await scan()
  })
})

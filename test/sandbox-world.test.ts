import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import robotsParser from 'robots-parser'
import { type CompanyTruth, domainsMatching, universeCsv } from '../sandbox/manifest.ts'
import { urlOf } from '../sandbox/sites/pages.ts'
import { startSandbox } from '../sandbox/start.ts'
import { SIGNAL_IDS } from '../src/engine/signals/index.ts'
import { providerDeps } from './support/provider-deps.ts'

const sandbox = await startSandbox({ slowMs: 20 })
const { world, internet } = sandbox
after(() => sandbox[Symbol.asyncDispose]())
const { outbound } = providerDeps(sandbox.env, { connectTimeout: 30_000 })

const get = (url: string, headers: Record<string, string> = {}) =>
  outbound.request(url, { redirects: 'follow', headers: { ...headers } })

/** All companies, a few concurrently: both ends of every TLS handshake run in this process. */
async function each(check: (company: CompanyTruth) => Promise<void>): Promise<void> {
  const left = sandbox.manifest().companies.values()
  const walk = async () => {
    for (const company of left) await check(company)
  }
  await Promise.all([walk(), walk(), walk(), walk()])
}

/** The visible text: no tags, entities decoded. */
const seen = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ')

// Its types declare a property of the module, but the module is the function.
const parseRobots = robotsParser as unknown as typeof robotsParser.default

test('there are at least forty companies, planted events of a dozen signals, and traps', () => {
  const { companies } = sandbox.manifest()
  assert.ok(companies.length >= 40)
  assert.equal(new Set(companies.map(({ domain }) => domain)).size, companies.length)
  const events = companies.flatMap(({ signals }) => signals)
  assert.ok(events.length >= 45, String(events.length))
  const told = new Set<string>(events.map(({ signal_id }) => signal_id))
  assert.ok(told.size >= 12 && told.isSubsetOf(new Set(SIGNAL_IDS)), [...told].join())
  assert.ok(companies.flatMap(({ traps }) => traps.filter(({ kind }) => kind !== 'no_openings')).length >= 25)
  assert.ok(new Set(companies.map(({ country_code }) => country_code)).size >= 10)
  assert.ok(new Set(companies.map(({ industry }) => industry)).size >= 10)
  const records = new Set(['sec', 'awards', 'notices'])
  const isQuiet = ({ signals, streamed }: CompanyTruth) => {
    const reports = [...signals, ...streamed].flatMap((event) => event.reports)
    return reports.length > 0 && reports.every(({ source }) => records.has(source))
  }
  assert.ok(companies.filter(isQuiet).length >= 5, 'companies that public records alone tell of')
  const markups = new Set(world.companies.map(({ site }) => site.team))
  assert.ok(markups.size >= 10, String(markups.size))
})

test('no trap contradicts a planted event, and no event is older than the window', () => {
  const { companies, today } = sandbox.manifest()
  for (const { domain, signals, streamed, arguable, traps } of companies) {
    const events = [...signals, ...streamed]
    const possible = new Set<string>([
      ...events.map(({ signal_id }) => signal_id),
      ...arguable.map(({ signal_id }) => signal_id),
    ])
    const wrong = traps.flatMap(({ signal_ids }) => signal_ids).filter((signal) => possible.has(signal))
    assert.deepEqual(wrong, [], domain)
    for (const { published, event } of events) {
      const age = (Date.parse(today) - Date.parse(published)) / 86_400_000
      assert.ok(age >= 0 && age <= 90, `${domain} ${event} ${age}`)
    }
  }
})

test('every page in the manifest is served and contains the promised text', async () => {
  await each(async ({ domain, signals, foreign, streamed, traps, readable }) => {
    for (const { url, says, source } of [...signals, ...foreign, ...streamed].flatMap(({ reports }) => reports)) {
      const answer = await get(url)
      assert.equal(answer.status, 200, url)
      const text = source === 'job-board' ? answer.text() : seen(answer.text())
      assert.ok(text.includes(says), `${url} does not say ${says}`)
    }
    for (const article of readable ? world.company(domain).articles : []) {
      const text = seen((await get(urlOf(world.company(domain), article.path))).text())
      for (const paragraph of article.paragraphs) assert.ok(text.includes(paragraph), `${domain} ${paragraph}`)
    }
    for (const { url, kind } of readable ? traps : []) {
      const answer = await get(url)
      assert.equal(answer.status, 200, `${domain} ${kind} ${url}`)
    }
  })
})

test('every page, feed and sitemap of a readable site is served, and its links resolve', async () => {
  await each(async ({ domain, readable }) => {
    if (!readable) return
    const home = await get(`https://${domain}/`)
    assert.equal(home.status, 200, domain)
    const links = [...home.text().matchAll(/href=["']?(\/[^"'>\s]*)/g)].map((match) => match[1] as string)
    const paths = new Set(links.filter((path) => !/^\/(assets|wp-|ads)/.test(path)))
    assert.ok(paths.size >= 5, `${domain} links to ${[...paths]}`)
    for (const path of paths) {
      const { status } = await get(new URL(path, home.url).href)
      assert.equal(status, 200, `${domain}${path}`)
    }
  })
})

test('people are listed on the team page with name and title', async () => {
  await each(async ({ domain, readable, people }) => {
    if (!readable) return
    const { team } = world.company(domain).site
    const page = (await get((await teamUrl(domain)).href)).text()
    for (const { shown_as, title, email, network_url } of people) {
      assert.ok(page.includes(shown_as), `${domain} ${shown_as}`)
      assert.ok(page.replaceAll('&amp;', '&').includes(title), `${domain} ${title}`)
      if (team === 'profiles') continue
      if (email && team !== 'bold') assert.ok(page.includes(email), email)
      if (network_url && !['table', 'json-ld'].includes(team)) assert.ok(page.includes(network_url), network_url)
    }
  })
})

async function teamUrl(domain: string): Promise<URL> {
  const home = await get(`https://${domain}/`)
  const path = /href=["']?([^"'> ]*(?:team|people|leadership|management|leitung)[^"'> ]*)/.exec(home.text())?.[1]
  return new URL(path as string, home.url)
}

test('a page that has not changed returns 304 where the site supports it', async () => {
  for (const [domain, header] of [
    ['tavrik.example', 'etag'],
    ['pellworth.example', 'last-modified'],
    ['gridhaven.example', 'etag'],
  ] as const) {
    const first = await get(`https://${domain}/`)
    const value = first.headers[header] as string
    assert.ok(value, domain)
    const name = header === 'etag' ? 'if-none-match' : 'if-modified-since'
    const again = await get(`https://${domain}/`, { [name]: value })
    assert.deepEqual([again.status, again.body.length], [304, 0], domain)
    world.change(domain, { note: { page: 'home', text: `Something else at ${domain}.` } })
    const changed = await get(`https://${domain}/`, { [name]: value })
    assert.equal(changed.status, 200)
    assert.ok(changed.text().includes('Something else'))
  }
  const { headers } = await get('https://quillstack.example/')
  assert.deepEqual([headers.etag, headers['last-modified']], [undefined, undefined])
})

for (const [domain, feed] of [
  ['halden-robotics.example', '/rss'],
  ['tavrik.example', '/atom.xml'],
  ['sundqvist-marine.example', '/feed.json'],
  ['pellworth.example', null],
] as const) {
  test(`an article published by ${domain} appears in its index, home page, feed and sitemap`, async () => {
    const { site } = world.company(domain)
    const known = new Map<string, string>()
    const places = [site.news, '/', feed, site.sitemap ? '/sitemap.xml' : null].filter((path) => path !== null)
    for (const path of places) {
      const { headers } = await get(`https://${domain}${path}`)
      known.set(path, (headers.etag ?? headers['last-modified']) as string)
    }
    const title = `Something new & good from ${domain}`
    const { url } = world.publish(domain, {
      title,
      text: 'SOMEWHERE, {date} – It has come.\n\nAnd it stays.',
      tells: ['expansion'],
      event: 'new',
    })
    for (const path of places) {
      const value = known.get(path) as string
      const name = value.startsWith('"') ? 'if-none-match' : 'if-modified-since'
      const answer = await get(`https://${domain}${path}`, { [name]: value })
      assert.equal(answer.status, 200, path)
      const wanted = path.startsWith('/sitemap') ? new URL(url).pathname : title
      assert.ok(answer.text().replaceAll('&amp;', '&').includes(wanted), path)
    }
    const article = await get(url)
    assert.ok(seen(article.text()).includes(title))
    assert.ok(article.text().includes('And it stays.'))
    const { signals } = sandbox.manifest().companies.find((each) => each.domain === domain) as { signals: unknown[] }
    assert.ok(JSON.stringify(signals).includes(url))
    assert.throws(() => world.publish(domain, { title, text: 'Again.' }), /already/)
  })
}

test('a redeployment changes the markup of every page, but not its text', async () => {
  const before = await get('https://fathomly.example/')
  world.redeploy('fathomly.example')
  const after = await get('https://fathomly.example/', { 'if-none-match': before.headers.etag as string })
  assert.equal(after.status, 200)
  assert.notEqual(after.text(), before.text())
  assert.equal(seen(after.text()), seen(before.text()))
})

test('a noisy site shows different content every time, but no other news', async () => {
  const [one, two] = [await get('https://petalmere.example/'), await get('https://petalmere.example/')]
  assert.notEqual(one.text(), two.text())
  const main = (html: string) => /class="x2b">([\s\S]*?)class="x9a"/.exec(html)?.[1]
  assert.equal(main(one.text()), main(two.text()))
})

test('robots.txt disallows the expected paths', async () => {
  const rules = async (domain: string) =>
    parseRobots(`https://${domain}/robots.txt`, (await get(`https://${domain}/robots.txt`)).text())
  assert.equal((await rules('scholarden.example')).isAllowed('https://scholarden.example/', 'Bellwether'), false)
  const partly = await rules('beamwright.example')
  const draft = sandbox
    .manifest()
    .companies.find(({ domain }) => domain === 'beamwright.example')
    ?.traps.find(({ kind }) => kind === 'disallowed')?.url as string
  assert.equal(partly.isAllowed(draft, 'Bellwether'), false)
  assert.equal(partly.isAllowed('https://beamwright.example/news', 'Bellwether'), true)
  assert.ok((await get('https://beamwright.example/sitemap.xml')).text().includes(draft))
  assert.equal((await get('https://ostrakeram.example/robots.txt')).status, 404)
})

test('sites fail in the configured ways', async () => {
  await assert.rejects(get('https://lanternfall.example/'))
  assert.equal((await get('https://cindermark.example/')).status, 500)
  const { body } = await get('https://garnetfield.example/')
  assert.ok(body.includes(0) && body.length > 1000)
  assert.equal((await get('https://mosshollow.example/')).status, 200)
  assert.ok(!(await get('https://umikaze-foods.example/')).text().includes('</html>'))
  await assert.rejects(get('https://no-such-company.example/'))

  world.drop('verrano.example')
  await assert.rejects(get('https://verrano.example/'))
  world.restore('verrano.example')
  assert.equal((await get('https://verrano.example/')).status, 200)
})

test('old domains redirect to the current domain of the company', async () => {
  for (const [from, to] of [
    ['https://kestrelvane.example/about', 'https://www.kestrelvane.example/about'],
    ['https://www.anvilry.example/team', 'https://anvilry.example/team'],
    ['https://oldforge-labs.example/team', 'https://anvilry.example/team'],
    ['https://thames-hosting.example/', 'https://www.wexbury.example/'],
  ] as const) {
    const answer = await get(from)
    assert.deepEqual([answer.status, answer.url], [200, to])
  }
})

test('job boards and the encyclopedia contain the same companies', async () => {
  const board = JSON.parse(
    (await get('https://boards-api.greenhouse.io/v1/boards/halden-robotics/jobs?content=true')).text(),
  )
  assert.equal(board.meta.total, world.company('halden-robotics.example').job_board?.postings.length)
  world.change('halden-robotics.example', { open: 'Welder, Operations, 0', close: ['Perception Engineer'] })
  const later = (await get('https://boards-api.greenhouse.io/v1/boards/halden-robotics/jobs')).text()
  assert.ok(later.includes('Welder') && !later.includes('Perception Engineer'))
  const vendors = new Set(world.companies.flatMap(({ job_board }) => job_board?.vendor ?? []))
  assert.equal(vendors.size, 6)
})

test('people and openings of a company change when time is advanced', async () => {
  const team = await get('https://anvilry.example/team')
  world.change('anvilry.example', {
    join: 'Jana Petřík, Chief Financial Officer [email]',
    leave: ['Leon Hartwich'],
    open: 'Data Engineer, Engineering, 0',
  })
  const changed = (await get('https://anvilry.example/team', { 'if-none-match': team.headers.etag as string })).text()
  assert.ok(changed.includes('jana.petrik@anvilry.example') && !changed.includes('Leon Hartwich'))
  assert.ok((await get('https://anvilry.example/careers')).text().includes('Data Engineer'))
  const opening = await get('https://anvilry.example/careers/data-engineer-munich')
  assert.ok(opening.text().includes('"@type":"JobPosting"'))
})

test('the sandbox can be controlled with curl: publish, fail and query', async () => {
  const call = async (path: string, body?: unknown) => {
    const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(sandbox.control.url + path, options)
    return { status: response.status, text: await response.text() }
  }
  assert.ok((await call('/')).text.includes('/publish'))
  const published = await call('/publish', { domain: 'askelund.example', title: 'Rain again', text: 'It rains.' })
  const { url } = JSON.parse(published.text)
  assert.ok((await get(url)).text().includes('It rains.'))
  assert.equal((await call('/fault', { domain: 'askelund.example', fault: 'error' })).status, 200)
  assert.equal((await get('https://askelund.example/')).status, 500)
  assert.equal((await call('/fault', { domain: 'askelund.example' })).status, 200)
  assert.equal((await get('https://askelund.example/')).status, 200)
  assert.equal((await call('/outage', { vendor: 'wikidata', outage: 'error' })).status, 200)
  assert.equal((await get('https://query.wikidata.org/sparql?query=SELECT')).status, 500)
  world.outage('wikidata', null)
  assert.equal(JSON.parse((await call('/manifest?domain=askelund.example')).text).name, 'Askelund Insurance')
  for (const [path, body] of [
    ['/publish', { domain: 'nobody.example', title: 'A', text: 'B' }],
    ['/publish', { domain: 'askelund.example' }],
    ['/fault', { domain: 'askelund.example', fault: 'tired' }],
  ] as const) {
    assert.equal((await call(path, body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await call('/constructor', {})).status, 404)
})

test('the manifest lists what a discovery run should find', () => {
  const manifest = sandbox.manifest()
  assert.deepEqual(domainsMatching(manifest, { must_have: ['ipo'], country_codes: ['DK'] }), ['gridhaven.example'])
  const funded = domainsMatching(manifest, { any_of: ['funding'], exclude: ['hiring'], employee_min: 100 })
  assert.ok(funded.includes('ilmarine-health.example') && !funded.includes('halden-robotics.example'))
  const [header, first] = universeCsv(manifest).split('\n')
  assert.equal(header, 'name,domain,industry,location,country,employees,description')
  assert.ok(first?.startsWith('"Halden Robotics","halden-robotics.example"'))
})

test('dates are relative to the day for which the world is generated', async () => {
  await using other = await startSandbox({ today: '2031-03-01' })
  const signal = other.manifest().companies[0]?.signals.find(({ signal_id }) => signal_id === 'funding')
  assert.equal(signal?.published, '2031-02-17')
  assert.ok(internet.requests.length > 0)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { HostResponse } from '../../../sandbox/internet.ts'
import { crawlerDeps, rss, xml } from '../../../test/support/crawler.ts'
import { html, testWorld } from '../../../test/support/world.ts'
import type { ContentPart } from '../../engine/content/index.ts'
import { ALLOW_ALL } from '../../engine/robots/rules.ts'
import { RobotsCache } from '../robots-cache.ts'
import { fetchPage } from './fetch-page.ts'
import { crawlPace, loadRobots } from './robots.ts'
import { findSitemapArticles } from './sitemaps.ts'

const article = (rest = '') => `<html><head><title>Harrow</title></head><body><nav>${Math.random()}</nav><main>
  <h1>Harrow makes gauges</h1><p>We have made gauges for the water industry since 1962, in two factories.</p>${rest}</main></body></html>`

let live = article()
let held: HostResponse = { status: 404 }
const { internet } = await testWorld({
  vendors: [],
  sites: {
    'tags.example': {
      '/': ({ headers }) =>
        headers['if-none-match'] === '"v1"'
          ? { status: 304, headers: { etag: '"v1"' } }
          : html(article(), { etag: '"v1"' }),
      '/dated': ({ headers }) =>
        headers['if-modified-since']
          ? { status: 304 }
          : html(article(), { 'last-modified': 'Mon, 02 Feb 2026 10:00:00 GMT' }),
    },
    'live.example': { '/': () => html(live) },
    'feed.example': {
      '/feed.xml': () => xml(live),
      '/broken.xml': xml('<rss><channel><item><title>Cut off'),
      '/page-as-feed.xml': xml(
        '<?xml version="1.0"?><!DOCTYPE html><html><body><p>Hello there, reader</p></body></html>',
      ),
      '/feed-as-html': () => html(rss([{ path: '/1', title: 'One', date: '2026-02-01' }], 'feed.example')),
      '/feed.json': {
        status: 200,
        headers: { 'content-type': 'application/feed+json' },
        body: JSON.stringify({
          version: 'https://jsonfeed.org/version/1.1',
          title: 'J',
          items: [{ id: '1', title: 'One' }],
        }),
      },
      '/api.json': { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
    },
    'odd.example': {
      '/gone': { status: 410 },
      '/error': { status: 500, body: 'no' },
      '/forbidden': { status: 403, body: 'no' },
      '/busy': { status: 429, body: 'no' },
      '/stall': () => 'stall',
      '/drop': () => 'drop',
      '/loop': { status: 302, headers: { location: '/loop' } },
      '/empty': html(''),
      '/binary': html('\0\x01\x02\x03'.repeat(100)),
      '/picture': { status: 200, headers: { 'content-type': 'image/png' }, body: 'PNG and more' },
      '/huge': html(`<p>${'Long text. '.repeat(100_000)}</p>`),
      '/old': { status: 301, headers: { location: 'https://new.example/here' } },
      '/private': { status: 302, headers: { location: 'https://closed.example/' } },
    },
    'new.example': { '/here': article() },
    'closed.example': { '/robots.txt': { status: 200, body: 'User-agent: *\nDisallow: /' }, '/': article() },
    'rules.example': {
      '/robots.txt': {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /\n\nUser-agent: bellwether\nDisallow: /secret\nCrawl-delay: 0.2\n',
      },
      '/moved': { status: 302, headers: { location: '/secret/moved' } },
      '*': article(),
    },
    'slow.example': { '/robots.txt': { status: 200, body: 'User-agent: *\nCrawl-delay: 3600' } },
    'no-rules.example': { '/robots.txt': { status: 403 }, '/': article() },
    'held.example': { '/feed.xml': () => held },
    'ill.example': { '/robots.txt': { status: 503 }, '/': article() },
  },
})
const deps = crawlerDeps(internet)
const anySite = { isOwn: () => true, domains: ['tags.example'] }
const reasonOf = async (url: string, options = {}) => {
  const found = await fetchPage(deps, url, null, options)
  return found.outcome === 'failed' || found.outcome === 'gone' ? `${found.outcome}: ${found.reason}` : found.outcome
}
const requests = (part: string) => internet.requests.filter(({ url }) => url.includes(part)).length

test('a page is read once and then requested conditionally', async () => {
  for (const url of ['https://tags.example/', 'https://tags.example/dated']) {
    const first = await fetchPage(deps, url)
    assert.equal(first.outcome, 'read')
    if (first.outcome !== 'read' || first.type !== 'page') return
    assert.equal(first.url, url)
    assert.match(first.page.text, /since 1962/)
    const second = await fetchPage(deps, url, first)
    const { etag, last_modified, body_hash } = first
    assert.deepEqual(second, { outcome: 'unchanged', etag, last_modified, body_hash, fresh_seconds: null })
  }
  assert.equal(requests('tags.example/robots.txt'), 1)
})

test('an identical body is neither decompressed nor parsed', async () => {
  live = article('<p>As it was.</p>')
  const first = await fetchPage(deps, 'https://live.example/')
  if (first.outcome !== 'read') return assert.fail(first.outcome)
  const parserPool = { run: () => assert.fail('it was read') } as unknown as typeof deps.parserPool
  assert.equal((await fetchPage({ ...deps, parserPool }, 'https://live.example/', first)).outcome, 'unchanged')
})

test('the lifetime of a response is taken from its headers, or from the feed', async () => {
  const seconds = async (headers: Record<string, string>, body = rss([], 'held.example')) => {
    held = { status: 200, headers: { 'content-type': 'application/rss+xml', ...headers }, body }
    const found = await fetchPage(deps, 'https://held.example/feed.xml')
    return found.outcome === 'read' ? found.fresh_seconds : found
  }
  const date = 'Mon, 02 Feb 2026 10:00:00 GMT'
  const expires = 'Mon, 02 Feb 2026 11:00:00 GMT'
  assert.equal(await seconds({}), null)
  assert.equal(await seconds({ 'cache-control': 'public, max-age=7200', age: '200', expires: '0' }), 7_000)
  for (const never of ['no-cache', 'no-store'])
    assert.equal(await seconds({ 'cache-control': `${never}, max-age=7200` }), 0, never)
  assert.equal(await seconds({ expires, date }), 3_600)
  for (const over of ['0', 'never']) assert.equal(await seconds({ expires: over }), 0, over)
  const daily = '<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>'
  const saying = (words: string) =>
    `<?xml version="1.0"?><rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel><title>News</title>${words}</channel></rss>`
  assert.equal(await seconds({}, saying('<ttl>90</ttl>')), 5_400)
  assert.equal(await seconds({}, saying(daily)), 21_600)
  assert.equal(await seconds({ 'cache-control': 'max-age=60' }, saying(daily)), 60)
})

test('clocks, counters, order, menus and markup are no change; a new line or article is one', async () => {
  const noted = (rest: string) => {
    live = article(rest)
  }
  noted(
    '<p>Posted 3 minutes ago</p><p>1,204 views</p><p>Monday, November 2, 2026 10:31</p><p>First quote.</p><p>Second quote.</p>',
  )
  const first = await fetchPage(deps, 'https://live.example/')
  assert.equal(first.outcome, 'read')
  if (first.outcome !== 'read') return
  noted(
    `<div class="x"><p>Second quote.</p></div><p>Posted 2 hours ago</p><p>1,931 views</p><p>Monday, November 9, 2026 08:02</p><p>First quote.</p><script nonce="${Math.random()}"></script>`,
  )
  assert.equal((await fetchPage(deps, 'https://live.example/', first)).outcome, 'unchanged')
  for (const news of [
    '<p>We have opened a third factory in Leeds.</p>',
    '<a href="/news/third-factory">A third factory</a>',
  ]) {
    noted(
      `<p>Posted 3 minutes ago</p><p>1,204 views</p><p>November 2, 2026</p><p>First quote.</p><p>Second quote.</p>${news}`,
    )
    const changed = await fetchPage(deps, 'https://live.example/', first)
    assert.equal(changed.outcome, 'read', news)
    if (changed.outcome !== 'read') return
    const fresh: ContentPart[] = changed.parts.filter(({ hash }) => !first.line_hashes.includes(hash))
    assert.deepEqual(
      fresh.map(({ kind, text }) => [kind, text]),
      [news.startsWith('<p>') ? ['line', 'We have opened a third factory in Leeds.'] : ['article', 'A third factory']],
    )
  }
})

test('a feed changes with a new item, not with its build date', async () => {
  const one = { path: '/1', title: 'One', date: '2026-02-01' }
  live = rss([one], 'feed.example')
  const first = await fetchPage(deps, 'https://feed.example/feed.xml')
  assert.equal(first.outcome, 'read')
  if (first.outcome !== 'read') return
  assert.equal(first.type, 'feed')
  live = live.replace('<channel>', '<channel><lastBuildDate>Tue, 03 Feb 2026 10:00:00 GMT</lastBuildDate><ttl>7</ttl>')
  assert.equal((await fetchPage(deps, 'https://feed.example/feed.xml', first)).outcome, 'unchanged')
  live = rss([{ path: '/2', title: 'Two', date: '2026-02-03' }, one], 'feed.example')
  assert.equal((await fetchPage(deps, 'https://feed.example/feed.xml', first)).outcome, 'read')
})

test('pages and feeds are distinguished by their content', async () => {
  for (const [path, type] of [
    ['/feed.json', 'feed'],
    ['/feed-as-html', 'feed'],
    ['/page-as-feed.xml', 'page'],
  ]) {
    const found = await fetchPage(deps, `https://feed.example${path}`)
    assert.equal(found.outcome === 'read' && found.type, type, path)
  }
  for (const path of ['/broken.xml', '/api.json']) {
    assert.equal(await reasonOf(`https://feed.example${path}`), 'failed: The feed cannot be read.')
  }
})

test('gone is not failed, and a failure has a plain reason', async () => {
  const at = (path: string, options = {}) => reasonOf(`https://odd.example${path}`, options)
  assert.equal(await at('/nowhere'), 'gone: The page does not exist (the site responded with 404).')
  assert.equal(await at('/gone'), 'gone: The page does not exist (the site responded with 410).')
  assert.equal(await at('/error'), 'failed: The site responded with an error (500).')
  assert.equal(await at('/forbidden'), 'failed: The site denied access (status 403).')
  assert.equal(await at('/busy'), 'failed: The rate limit of the site is exceeded (status 429).')
  assert.equal(await at('/stall', { timeouts: { headers: 50 } }), 'failed: The site did not respond in time.')
  assert.equal(await at('/drop'), 'failed: The site could not be reached.')
  assert.equal(await at('/loop'), 'failed: The site redirects too often or to a URL that is not allowed.')
  assert.equal(await at('/empty'), 'failed: The page was empty.')
  assert.equal(await at('/binary'), 'failed: The response is not a page.')
  assert.equal(await at('/picture'), 'failed: The response is not a page.')
  assert.equal(await at('/huge', { maxBytes: 1_000_000 }), 'failed: The page is larger than 1 MB.')
  assert.equal(await reasonOf('https://nowhere.example/'), 'failed: The site could not be reached.')
  assert.match(await reasonOf('http://odd.example/'), /^failed: The URL is not a public https site/)
})

test('redirects are followed if the robots.txt of the target allows it; otherwise the target is not requested', async () => {
  const found = await fetchPage(deps, 'https://odd.example/old')
  assert.equal(found.outcome === 'read' && found.url, 'https://new.example/here')
  assert.match(
    await reasonOf('https://odd.example/private'),
    /^failed: The robots.txt of the site does not allow reading/,
  )
  assert.equal(requests('closed.example/') - requests('closed.example/robots.txt'), 0)
  assert.match(await reasonOf('https://rules.example/moved'), /^failed: The robots.txt of the site does not allow/)
})

test('robots.txt is respected, our own group first, and requested once', async () => {
  assert.equal(await reasonOf('https://rules.example/open'), 'read')
  assert.equal(
    await reasonOf('https://rules.example/secret/plans'),
    'failed: The robots.txt of the site does not allow reading this page.',
  )
  assert.equal(await reasonOf('https://rules.example/open2'), 'read')
  assert.equal(requests('rules.example/secret'), 0)
  assert.equal(internet.requests.filter(({ url }) => url === 'https://rules.example/robots.txt').length, 1)
})

test('the crawl delay of a site is respected, up to a limit', async () => {
  const pauseOf = async (host: string) => {
    const robots = await loadRobots(deps, `https://${host}`)
    return robots.known && crawlPace(deps, robots.delayMs).intervalMs
  }
  assert.deepEqual([await pauseOf('rules.example'), await pauseOf('slow.example')], [200, 10_000])
})

test('a site without robots.txt allows everything; a failed robots.txt request allows nothing', async () => {
  assert.equal(await reasonOf('https://no-rules.example/'), 'read')
  assert.match(await reasonOf('https://ill.example/'), /^failed: The site responded with an error \(503\)/)
  assert.equal(internet.requests.filter(({ url }) => url === 'https://ill.example/').length, 0)
})

test('an aborted fetch throws', async () => {
  const ended = { ...deps, signal: AbortSignal.abort() }
  await assert.rejects(fetchPage(ended, 'https://odd.example/error'), { kind: 'aborted' })
})

test('a closed connection is a failure and does not crash the caller', async () => {
  const closed = crawlerDeps(internet)
  assert.equal((await fetchPage(closed, 'https://tags.example/')).outcome, 'read')
  const robots = await loadRobots(closed, 'https://tags.example')
  await closed.outbound.close()
  assert.equal((await fetchPage(closed, 'https://tags.example/')).outcome, 'failed')
  assert.equal((await fetchPage(closed, 'https://new.example/here')).outcome, 'failed')
  const { failures } = await findSitemapArticles(closed, 'https://tags.example', '2026-01-01', anySite)
  assert.ok(robots.known)
  assert.equal(failures.length, 1)
})

test('an external URL cannot reach a host of OUTBOUND_ALLOW, whatever its scheme', async () => {
  let reached = 0
  const inside = createServer((_request, response) => void response.end(article(String(++reached)))).listen(
    0,
    '127.0.0.1',
  )
  after(() => inside.close())
  await once(inside, 'listening')
  const host = `127.0.0.1:${(inside.address() as AddressInfo).port}`
  const trusting = crawlerDeps(internet, { OUTBOUND_ALLOW: host })
  assert.equal((await trusting.outbound.request(`http://${host}/`, { redirects: 'refuse' })).status, 200)
  for (const url of [`http://${host}/`, `https://${host}/`]) {
    const found = await fetchPage(trusting, url)
    assert.match(found.outcome === 'failed' ? found.reason : '', /not a public https site/, url)
  }
  const { failures } = await findSitemapArticles(trusting, `http://${host}`, '2026-01-01', anySite)
  assert.deepEqual([failures.length, reached], [1, 1])
})

test('the number of cached robots.txt rules is limited', async () => {
  const memory = new RobotsCache(null, 1_000)
  const now = new Date()
  const asked = Promise.resolve({ robots: ALLOW_ALL, chars: 300, until: now.getTime() + 1_000 })
  for (let i = 0; i < 10; i++) await memory.set(`https://${i}.example`, asked, now)
  assert.equal(memory.size, 3)
  assert.deepEqual([memory.get('https://9.example', now) !== null, memory.get('https://0.example', now)], [true, null])
  for (let i = 0; i < 10; i++) await memory.set('https://9.example', asked, now)
  assert.equal(memory.size, 3)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { crawlerDeps, rss, xml } from '../../../test/support/crawler.ts'
import { html, type Paths, testWorld } from '../../../test/support/world.ts'
import { surveySite } from './survey.ts'

const since = '2026-08-01'
const page = (title: string, body: string, head = '') =>
  `<html><head><title>${title}</title>${head}</head><body><nav><a href="/">Home</a></nav><main><h1>${title}</h1>${body}</main></body></html>`
const story = (title: string, day: string) =>
  page(
    title,
    `<article><time datetime="${day}">${day}</time><p>${title}. The company said so today in a statement to the press.</p></article>`,
  )
const robots = (text: string) => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: text })
const dead: Paths = { '*': { status: 500, body: 'no' } }

const { internet } = await testWorld({
  vendors: [],
  sites: {
    'www.harrow.example': {
      '/robots.txt': robots('User-agent: *\nDisallow: /pricing\nSitemap: https://www.harrow.example/map.xml.gz'),
      '/': page(
        'Harrow',
        `<p>Harrow makes gauges.</p><a href="/about">About us</a><a href="/news">News</a><a href="/careers">Careers</a><a href="/pricing">Pricing</a><a href="https://elsewhere.example/team">Team</a>`,
        `<link rel="alternate" type="application/rss+xml" href="/feed.xml">
       <script type="application/ld+json">{"@type":"Organization","name":"Harrow","url":"https://www.harrow.example","numberOfEmployees":120}</script>`,
      ),
      '/about': page('About', '<p>Since 1962.</p><a href="/team">Our team</a>'),
      '/team': page('Team', '<ul><li><h3>Ann Le Roux</h3><p>Chief Executive Officer</p></li></ul>'),
      '/careers': page('Careers', '<a href="https://boards.greenhouse.io/harrow">Open roles</a>'),
      '/news': page(
        'News',
        '<a href="/news/leeds-office">Harrow opens an office in Leeds</a><a href="/news/old-times">Harrow in the old times</a>',
      ),
      '/news/leeds-office': story('Harrow opens an office in Leeds', '2026-09-03'),
      '/news/old-times': story('Harrow in the old times', '2019-01-01'),
      '/news/series-b': story('Harrow raises a Series B', '2026-10-01'),
      '/news/only-in-the-map': story('Harrow wins the water prize', '2026-09-20'),
      '/feed.xml': xml(
        rss(
          [
            { path: '/news/series-b', title: 'Harrow raises a Series B', date: '2026-10-02' },
            {
              path: '/news/whole',
              title: 'Harrow tells everything',
              date: '2026-09-28',
              text: 'Every word is here. '.repeat(80),
            },
            { path: '/news/lost', title: 'Harrow loses a page', date: '2026-09-25' },
            { path: '/news/ancient', title: 'Harrow of old', date: '2020-10-02' },
          ],
          'www.harrow.example',
        ),
      ),
      '/map.xml.gz': () => ({
        status: 200,
        headers: { 'content-type': 'application/gzip' },
        body: gzipSync(
          '<sitemapindex><sitemap><loc>https://www.harrow.example/news-map.xml</loc></sitemap></sitemapindex>',
        ) as unknown as string,
      }),
      '/news-map.xml': xml(
        `<urlset><url><loc>https://www.harrow.example/news/only-in-the-map</loc><lastmod>2026-09-21</lastmod></url>
       <url><loc>https://www.harrow.example/news/older</loc><lastmod>2025-09-21</lastmod></url>
       <url><loc>https://www.harrow.example/products</loc><lastmod>2026-09-21</lastmod></url></urlset>`,
      ),
    },
    'empty.example': {},
    'www.empty.example': {},
    'ill.example': dead,
    'www.ill.example': dead,
    'mute.example': { '*': () => 'stall' },
    'www.mute.example': { '*': () => 'stall' },
    'half.example': { '*': () => 'drop' },
    'www.half.example': {},
    'other-half.example': {},
    'www.other-half.example': dead,
    'closed.example': { '*': robots('User-agent: *\nDisallow: /') },
    'www.closed.example': { '*': robots('User-agent: *\nDisallow: /') },
    'binary.example': { '/robots.txt': { status: 404 }, '/': html('\0\x01'.repeat(500)) },
    'ring.example': { '/robots.txt': { status: 404 }, '*': { status: 302, headers: { location: '/ring' } } },
    'feed-only.example': {
      '/': page(
        'Feed only',
        '<p>See our feed.</p>',
        '<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
      ),
      '/feed.xml': xml(rss([{ path: '/p/1', title: 'Feed only raises money', date: '2026-09-01' }], 'other.example')),
    },
    'broken-feed.example': {
      '/': page('Broken', '<p>Hello there.</p>', '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'),
      '/feed.xml': xml('<rss><channel>'),
    },
    'vast.example': {
      '/': page(
        'Vast',
        Array.from({ length: 90 }, (_, n) => `<a href="/news/story-${n}-of-many">Story ${n} of very many</a>`).join(''),
      ),
      '*': story('One of many', '2026-09-01'),
      '/robots.txt': { status: 404 },
      '/sitemap.xml': { status: 404 },
    },
    'renamed.example': {
      '*': { status: 301, headers: { location: 'https://fresh-name.example/' } },
      '/robots.txt': { status: 404 },
    },
    'fresh-name.example': {
      '/': page('Fresh', '<p>We are new.</p><a href="/about">About</a>'),
      '/about': page('About', '<p>Fresh since May.</p>'),
    },
    'guest.example': {
      '*': { status: 302, headers: { location: 'https://social.example/guest' } },
      '/robots.txt': { status: 404 },
    },
    'social.example': {
      '*': page('Guest', '<p>A profile.</p><a href="/about">About</a>'),
      '/robots.txt': { status: 404 },
    },
  },
})
const deps = crawlerDeps(internet)
const survey = (domain: string, options = {}) => surveySite(deps, domain, { since, maxPages: 25, ...options })
const asked = (url: string) => internet.requests.some((request) => request.url === url)

test('a whole site is read: company, jobs, feeds and articles in the window', async () => {
  const found = await survey('harrow.example')
  assert.equal(found.outcome, 'items')
  if (found.outcome !== 'items') return
  assert.deepEqual(
    found.pages
      .map(({ kind, url }) => `${kind} ${new URL(url).pathname}`)
      .filter((name) => !name.startsWith('article'))
      .sort(),
    ['about /about', 'careers /careers', 'feed /feed.xml', 'home /', 'press /news', 'team /team'],
  )
  assert.deepEqual(
    found.documents.map(({ title, published_date, kind }) => `${kind} ${published_date} ${title}`),
    [
      'article 2026-10-02 Harrow raises a Series B',
      'article 2026-09-28 Harrow tells everything',
      'article 2026-09-25 Harrow loses a page',
      'article 2026-09-20 Harrow wins the water prize',
      'article 2026-09-03 Harrow opens an office in Leeds',
    ],
  )
  assert.match(found.documents[0]?.text ?? '', /said so today/)
  assert.equal(found.organization?.employees, 120)
  assert.deepEqual(
    found.job_boards.map(({ vendor, token }) => [vendor, token]),
    [['greenhouse', 'harrow']],
  )
  assert.deepEqual(found.feeds, ['https://www.harrow.example/feed.xml'])
  assert.deepEqual(
    found.failures.map(({ url, reason }) => [new URL(url).pathname, reason]),
    [
      ['/pricing', 'The robots.txt of the site does not allow reading this page.'],
      ['/news/lost', 'The page does not exist (the site responded with 404).'],
    ],
  )
  for (const path of ['/pricing', '/news/whole', '/news/ancient', '/news/older', '/products']) {
    assert.ok(!asked(`https://www.harrow.example${path}`), path)
  }
  assert.ok(!internet.requests.some(({ url }) => url.startsWith('https://elsewhere')))
  const home = found.pages.find(({ kind }) => kind === 'home')
  assert.match(home?.content_hash ?? '', /^[\w-]{43}$/)
  assert.match(home?.text ?? '', /makes gauges/)
})

test('a missing site and a failed one are distinguished', async () => {
  assert.equal((await survey('empty.example')).outcome, 'nothing')
  for (const [domain, reason] of [
    ['ill.example', /^The site responded with an error \(500\)/],
    ['mute.example', /^The site did not respond in time\.$/],
    ['nowhere.example', /^The site could not be reached\.$/],
    ['closed.example', /^The robots\.txt of the site does not allow reading this page\.$/],
    ['binary.example', /^The response is not a page\.$/],
    ['ring.example', /^The site redirects too often or to a URL that is not allowed\.$/],
  ] as const) {
    const found = await survey(domain, domain === 'mute.example' ? { timeouts: { headers: 100 } } : {})
    assert.equal(found.outcome, 'failed', domain)
    if (found.outcome === 'failed') assert.match(found.reason, reason, domain)
  }
})

test('a feed replaces the sitemap, and a broken one is reported', async () => {
  const only = await survey('feed-only.example')
  assert.deepEqual(only.outcome === 'items' && only.documents, [
    {
      url: 'https://other.example/p/1',
      kind: 'article',
      title: 'Feed only raises money',
      text: 'In short.',
      published_date: '2026-09-01',
    },
  ])
  const broken = await survey('broken-feed.example')
  assert.equal(broken.outcome, 'items')
  assert.deepEqual(broken.failures, [
    { url: 'https://broken-feed.example/feed.xml', reason: 'The feed cannot be read.' },
  ])
})

test('the page limit is respected', async () => {
  const found = await survey('vast.example', { maxPages: 6 })
  assert.equal(found.outcome === 'items' && found.pages.length, 6)
  assert.equal(internet.requests.filter(({ url }) => url.includes('//vast.example/news')).length, 5)
})

test('a renamed company is followed to its new site, a profile on another site is not crawled', async () => {
  const renamed = await survey('renamed.example')
  assert.deepEqual(renamed.outcome === 'items' && renamed.pages.map(({ url }) => url).sort(), [
    'https://fresh-name.example/',
    'https://fresh-name.example/about',
  ])
  await survey('guest.example')
  assert.ok(asked('https://social.example/guest') && !asked('https://social.example/about'))
})

test('an aborted survey throws', async () => {
  const ended = { ...deps, signal: AbortSignal.abort() }
  await assert.rejects(surveySite(ended, 'harrow.example', { since, maxPages: 25 }), { kind: 'aborted' })
})

test('a site that is unreachable at one of its hosts has failed, whatever the other responds', async () => {
  for (const domain of ['half.example', 'other-half.example']) {
    assert.equal((await surveySite(deps, domain, { since, maxPages: 5 })).outcome, 'failed', domain)
  }
})

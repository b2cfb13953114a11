import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rss, xml } from '../../../test/support/crawler.ts'
import { page, watchedSites } from '../../../test/support/watched-sites.ts'
import { html, type Paths } from '../../../test/support/world.ts'
import { RobotsCache } from '../../providers/robots-cache.ts'
import { StoredRobots } from '../stored-robots.ts'

const { internet, service, watched, sweep } = await watchedSites()
const { deps } = service
const { db } = deps

/** Checks all monitors at intervals, each time in another worker: all state is in the database. */
async function checksOnDays(accounts: { id: string }[], days: number[], before: (day: number) => void = () => {}) {
  const ids = accounts.map(({ id }) => id)
  for (const day of days) {
    before(day)
    await db
      .updateTable('monitors')
      .set({ next_check_at: '2020-01-01T00:00:00Z' })
      .where('account_id', 'in', ids)
      .execute()
    await using stored = new StoredRobots(db, deps.log)
    // A check follows the last one after the interval or slightly less.
    const now = () => new Date(Date.now() + day * 23 * 3_600_000)
    await sweep({ ...deps, now, robots: new RobotsCache(stored) })
  }
}

test('over a week a quiet account costs fewer than two requests per check, as its cache headers allow', async () => {
  const tagged =
    (body: string, headers: Record<string, string> = {}): Paths[string] =>
    (request) =>
      request.headers['if-none-match'] === '"1"'
        ? { status: 304, headers }
        : xml(body, { 'content-type': 'text/html', etag: '"1"', ...headers })
  const home = page('Halden', '<p>Robots.</p>', '<link rel="alternate" type="application/rss+xml" href="/feed.xml">')
  // A NUL cannot be stored, which must not fail the other rows.
  const robots = 'User-agent: *\nDisallow: /private\nSitemap: /a\0b\n'
  const site = (host: string, ofRobots = {}, ofFeed = {}): Paths => ({
    '/robots.txt': tagged(robots, { 'content-type': 'text/plain', ...ofRobots }),
    '/': tagged(home),
    '/feed.xml': tagged(rss([{ path: '/news/a', title: 'Halden moves house', date: '2026-01-05' }], host), {
      'content-type': 'application/rss+xml',
      ...ofFeed,
    }),
  })
  const plain = await watched((host) => site(host))
  const brief = await watched((host) => site(host, { 'cache-control': 'max-age=60' }))
  const lasting = await watched((host) =>
    site(host, { 'cache-control': 'max-age=31536000' }, { 'cache-control': 'max-age=31536000' }),
  )
  const accounts = [plain, brief, lasting]
  for (const { due } of accounts) await due()
  await checksOnDays(accounts, [0])
  const counts = ({ asked, host }: typeof plain) => {
    const homes = internet.requests.filter(({ url }) => url === `https://${host}/`).length
    return [asked('/robots.txt'), homes, asked('/feed.xml')]
  }
  for (const account of accounts) assert.deepEqual(counts(account), [1, 1, 1])
  await checksOnDays(accounts, [1, 2, 3, 4, 5, 6])
  // Rules are cached for a day at most, and pages other than the feed are checked every third time.
  assert.deepEqual(counts(plain), [1 + 3, 1 + 2, 1 + 6])
  assert.ok((plain.asked() - 3) / 6 < 2)
  assert.deepEqual(counts(brief), [1 + 6, 1 + 2, 1 + 6], 'rules that hold for a minute are asked for at every visit')
  assert.deepEqual(
    counts(lasting),
    [1 + 2, 1 + 2, 1 + 1],
    'a feed is asked for after three days, however long it holds',
  )
  const again = internet.requests.filter(({ url }) => url === `https://${plain.host}/robots.txt`)
  assert.deepEqual(
    again.map(({ status }) => status),
    [200, 304, 304, 304],
  )
  await db
    .updateTable('watched_pages')
    .set({ changed_at: '2020-01-01T00:00:00Z' })
    .where('account_id', '=', plain.id)
    .execute()
  const [, homes, feeds] = counts(plain) as [number, number, number]
  await checksOnDays([plain], [7, 8, 9, 10, 11, 12])
  assert.deepEqual(counts(plain).slice(1), [homes + 1, feeds + 6], 'what has not changed for long waits twice as long')
  if (plain.site) plain.site['/'] = { status: 500 }
  await checksOnDays([plain], [13, 14, 15, 16, 17, 18])
  const [, failed] = counts(plain) as [number, number, number]
  assert.equal(failed, homes + 2)
  await checksOnDays([plain], [19])
  assert.ok((counts(plain)[1] as number) > failed, 'what failed waits for no turn')
})

test('a page that no longer responds does not keep others from being checked', async () => {
  const paths = ['/', '/press', '/careers']
  const links = paths.slice(1).map((path) => `<a href="${path}">${path.slice(1)}</a>`)
  const link = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
  const news = [{ path: '/news/a', title: 'Halden moves house', date: '2026-01-05' }]
  const accounts = await Promise.all(
    [0, 1, 2].map(() =>
      watched((host) => ({
        '/': html(page('Halden', `<p>Robots.</p>${links.join('')}`, link)),
        '/feed.xml': xml(rss(news, host)),
        ...Object.fromEntries(paths.slice(1).map((path) => [path, html(page(path, `<p>All about ${path}.</p>`))])),
      })),
    ),
  )
  for (const account of accounts) await account.due()
  await checksOnDays(accounts, [0])
  for (const [checks, { id, site }] of accounts.entries()) {
    if (site) site['/feed.xml'] = () => 'drop'
    await db.updateTable('monitors').set({ checks }).where('account_id', '=', id).execute()
  }
  const since = internet.requests.length
  // The first check finds the site unreachable and does not count.
  await checksOnDays(accounts, [1, 2, 3, 4])
  for (const { host } of accounts) {
    const asked = internet.requests.slice(since).map(({ url }) => url)
    assert.deepEqual(
      paths.filter((path) => !asked.includes(`https://${host}${path}`)),
      [],
      host,
    )
  }
})

test('news is found in time, and changed robots.txt rules are respected first', async () => {
  const news = [{ path: '/news/a', title: 'Halden moves house', date: '2026-01-05' }]
  let line = ''
  const link = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
  const account = await watched((host) => ({
    '/': () => html(page('Halden', `<p>Robots.</p>${line}`, link)),
    '/feed.xml': () => xml(rss(news, host)),
  }))
  await account.due()
  await checksOnDays([account], [0])
  const changes = async () =>
    (await account.events()).filter(({ status }) => status === 'changed').map(({ url }) => new URL(url).pathname)
  await checksOnDays([account], [1], () => {
    news.unshift({ path: '/news/b', title: 'Halden opens a factory', date: '2026-01-06' })
    line = '<p>We have opened a second factory in Leeds this week.</p>'
  })
  assert.deepEqual(await changes(), ['/feed.xml'], 'news at the next check')
  await checksOnDays([account], [2, 3])
  assert.deepEqual(await changes(), ['/', '/feed.xml'], 'the rest at the third')
  // Requested on day 2 for the last time: on day 4 it is older than a day.
  if (account.site) account.site['/robots.txt'] = 'User-agent: *\nDisallow: /\n'
  const before = account.asked()
  await checksOnDays([account], [4, 5])
  assert.equal(account.asked() - before, 1, 'the rules alone were asked for')
  const [latest] = await account.events()
  assert.equal(latest?.reason, 'The robots.txt of the site does not allow reading this page.')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { rss, xml } from '../../../test/support/crawler.ts'
import { type MonitorEvent, page, watchedSites } from '../../../test/support/watched-sites.ts'
import { html, type Paths } from '../../../test/support/world.ts'
import { surveySite } from '../../providers/web/survey.ts'
import { listDueScans } from '../../resources/accounts/due-store.ts'
import { loadRoster } from '../enrich.ts'
import { seedWatchedPages } from './page-schedule.ts'

const { internet, sites, service, watched, sweep } = await watchedSites()
const { admin, deps, workspaceId } = service
const { db } = deps
const today = new Date().toISOString().slice(0, 10)

const brief = ({ status, search_status, meaningful, reason }: MonitorEvent) => [
  status,
  search_status,
  meaningful,
  reason,
]

test('a page is new, then unchanged, then changed without meaning, then with news, then failed', async () => {
  let customers = '1,240'
  const news: { path: string; title: string; date: string }[] = [
    { path: '/news/first', title: 'Halden Robotics moves house', date: '2026-01-05' },
    { path: '/news/older', title: 'Halden Robotics paints its house', date: '2026-01-04' },
  ]
  const { id, check, events, site } = await watched((host) => ({
    '/': () =>
      html(
        page(
          'Halden Robotics',
          `<p>Trusted by ${customers} warehouses all over the world.</p>`,
          '<link rel="alternate" type="application/rss+xml" href="/feed.xml">',
        ),
      ),
    '/feed.xml': () => xml(rss(news, host)),
    '/news/round': page(
      'Halden Robotics raises $40 million in Series B funding',
      `<article><time datetime="${today}">${today}</time><p>Halden Robotics today announced that it has raised $40 million in Series B funding led by Vantor Capital.</p></article>`,
    ),
  }))
  const first = await check()
  assert.deepEqual([...first.keys()].sort(), ['/', '/feed.xml'])
  for (const event of first.values()) assert.deepEqual(brief(event).slice(0, 3), ['new', 'skipped', false])

  const since = `Nothing changed since ${new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date())}.`
  for (const event of (await check()).values()) assert.deepEqual(brief(event), ['unchanged', 'skipped', false, since])

  const aged = { changed_at: '2024-11-03T08:00:00Z' }
  await db.updateTable('watched_pages').set(aged).where('account_id', '=', id).execute()
  assert.equal((await check()).get('/')?.reason, 'Nothing changed since 3 November 2024.')

  customers = '1,312'
  const noise = await check()
  assert.deepEqual(brief(noise.get('/') as MonitorEvent), [
    'changed',
    'skipped',
    false,
    'Only dates and numbers changed.',
  ])
  assert.equal(noise.get('/feed.xml')?.status, 'unchanged')
  assert.deepEqual(await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`), [])
  assert.equal((await check()).get('/')?.reason, since)

  // The check has the id of the event that is stored longest.
  news.pop()
  const fewer = await check()
  const [home, feedEvent] = [fewer.get('/') as MonitorEvent, fewer.get('/feed.xml') as MonitorEvent]
  assert.deepEqual([home.status, feedEvent.status], ['unchanged', 'changed'])
  assert.deepEqual([home.run_id, feedEvent.run_id], [feedEvent.id, feedEvent.id])

  const title = 'Halden Robotics raises $40 million in Series B funding'
  news.unshift({ path: '/news/round', title, date: today })
  const event = (await check()).get('/feed.xml') as MonitorEvent
  assert.deepEqual(brief(event), ['changed', 'searched', true, `One new entry in the feed: "${title}".`])
  assert.ok(event.confidence > 0.5 && event.confidence <= 1)
  // A check with new content is a run; one without can be read as a run, but is not listed.
  const run = await admin.expect(200, 'GET', `/v1/runs/${event.run_id}`)
  assert.deepEqual([run.mode, run.status, run.account_id, run.stats.matched], ['monitor', 'done', id, 1])
  assert.deepEqual([run.stats.documents, run.stats.detections], [1, 1])
  const quietly = await admin.expect(200, 'GET', `/v1/runs/${noise.get('/feed.xml')?.run_id}`)
  assert.equal(quietly.id, noise.get('/')?.run_id, 'one check')
  assert.deepEqual([quietly.mode, quietly.status, quietly.account_id, quietly.jobs], ['monitor', 'done', id, []])
  const listed = await admin.expect(200, 'GET', `/v1/runs?account_id=${id}&per_page=100`)
  assert.ok(!listed.some((one: { id: string }) => one.id === quietly.id))
  // It does not replace a scan.
  await db.deleteFrom('runs').where('account_id', '=', id).where('status', '=', 'running').execute()
  assert.ok((await listDueScans(db, 7, 100)).some((account) => account.id === id))
  const [detection, ...rest] = await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)
  assert.equal(rest.length, 0)
  assert.equal(detection.signal_id, 'funding')
  assert.match(detection.evidence[0].source_url, /\/news\/round$/)

  assert.equal((await check()).get('/feed.xml')?.status, 'unchanged')
  assert.equal((await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`)).length, 1)

  if (site) site['/feed.xml'] = { status: 500, body: 'no' }
  assert.deepEqual(brief((await check()).get('/feed.xml') as MonitorEvent), [
    'failed',
    'skipped',
    false,
    'The site responded with an error (500).',
  ])
  assert.equal((await check()).get('/feed.xml'), undefined, 'it fails still, and is no other event')

  // The feed shows events by default; checks without news only on request.
  const feed = (query = '') => admin.get(`/v1/accounts/${id}/monitor-events${query}`)
  const shown = await feed()
  assert.deepEqual(
    shown.data.map(({ status }: MonitorEvent) => status),
    ['failed', 'changed'],
  )
  assert.equal(shown.body.pagination.total, 2)
  const quiet = await feed('?meaningful=false&per_page=100')
  assert.ok(quiet.data.every(({ meaningful }: MonitorEvent) => !meaningful))
  assert.equal(quiet.body.pagination.total, (await events()).length - 1)
})

test('new sentences, people and positions are meaningful; order, labels and removals are not; a changed team page reloads the roster', async () => {
  let home = '<p>First quote of a customer of ours.</p><p>Second quote of a customer of ours.</p>'
  let team = '<ul><li><h3>Ann Le Roux</h3><p>Chief Executive Officer</p></li></ul>'
  let jobs = '<p>Sales Manager</p>'
  const { id, check } = await watched(() => ({
    '/': () => html(page('Halden', `${home}<a href="/team">Team</a><a href="/careers">Careers</a>`)),
    '/team': () => html(page('Team', team)),
    '/careers': () => html(page('Careers', jobs)),
  }))
  await check()
  home = '<p>Second quote of a customer of ours.</p><p>First quote of a customer of ours.</p>'
  assert.equal((await check()).get('/')?.status, 'unchanged')
  home += '<p>Book a demo</p>'
  assert.deepEqual(brief((await check()).get('/') as MonitorEvent), [
    'changed',
    'skipped',
    false,
    'Only labels changed: "Book a demo".',
  ])
  home = '<p>First quote of a customer of ours.</p>'
  assert.equal((await check()).get('/')?.reason, 'Something was removed, and nothing was added.')
  home += '<p>We have opened a second factory in Leeds this week.</p>'
  team += '<ul><li><h3>Obi Eze</h3><p>Chief Financial Officer</p></li></ul>'
  jobs += '<p>Senior Data Engineer, Berlin</p>'
  const events = await check()
  for (const [path, reason] of [
    ['/', 'One new line of text: "We have opened a second factory in Leeds this week.".'],
    ['/team', 'One new person on the team page: "Obi Eze, Chief Financial Officer".'],
    ['/careers', 'One new position: "Senior Data Engineer, Berlin".'],
  ] as const) {
    assert.deepEqual(brief(events.get(path) as MonitorEvent), ['changed', 'searched', true, reason])
  }
  team = '<ul><li><h3>Obi Eze</h3><p>Chief Financial Officer</p></li></ul>'
  await check()
  team += '<p>Book a demo</p>'
  assert.equal((await check()).get('/team')?.reason, 'Only labels changed: "Book a demo".')
  const { rows } = await sql`select from pgboss.job
    where name = ${loadRoster.name} and data ->> 'account_id' = ${id} and data ->> 'own' = 'true'`.execute(db)
  assert.equal(rows.length, 2)
})

test('the monitor starts from the pages of the scan and sends conditional requests', async () => {
  const { id, host, check, asked } = await watched(() => ({
    '/': ({ headers }) =>
      headers['if-none-match'] === '"1"'
        ? { status: 304 }
        : html(page('Halden', '<p>Robots.</p><a href="/news">News</a>'), { etag: '"1"' }),
    '/news': page('News', '<p>None yet.</p>'),
  }))
  const survey = await surveySite({ ...deps, signal: new AbortController().signal }, host, {
    since: today,
    maxPages: 5,
  })
  assert.equal(survey.outcome, 'items')
  if (survey.outcome !== 'items') return
  await seedWatchedPages(db, workspaceId, id, survey.pages)
  const before = asked()
  const events = await check()
  assert.deepEqual([...events].map(([path, { status }]) => [path, status]).sort(), [
    ['/', 'unchanged'],
    ['/news', 'unchanged'],
  ])
  assert.equal(asked() - before, 2)
  assert.equal(internet.requests.findLast(({ url }) => url === `https://${host}/`)?.status, 304)
})

test('a page that stays missing is dropped, and a new one is found through the home page', async () => {
  let links = '<a href="/careers">Careers</a>'
  const { check, events, site } = await watched(() => ({
    '/': () => html(page('Halden', `<p>Robots.</p>${links}`)),
    '/careers': page('Careers', '<p>Clerk</p>'),
    '/news': page('News', '<p>We have news.</p>'),
  }))
  await check()
  delete site?.['/careers']
  for (const reason of [/404\)\.$/, undefined, /It is no longer watched\.$/]) {
    const actual = (await check()).get('/careers')?.reason
    if (reason) assert.match(actual ?? '', reason)
    else assert.equal(actual, undefined)
  }
  assert.deepEqual(
    (await events())
      .filter(({ status }) => status === 'failed')
      .map(({ meaningful, count, is_ongoing }) => [meaningful, count, is_ongoing]),
    [
      [false, 1, false],
      [false, 2, false],
    ],
    'that it went away and that it is watched no longer',
  )
  links = '<p>Read the news about us and our robots.</p><a href="/news">News</a>'
  const later = await check()
  assert.equal(later.get('/careers'), undefined)
  assert.equal(later.get('/news')?.status, 'new')
  assert.equal((await check()).get('/news')?.status, 'unchanged')
})

test('an unreachable site is one failure instead of one per page, and recovers', async () => {
  const paths: Paths = {
    '/': page('Halden', '<p>Robots.</p><a href="/news">News</a>'),
    '/news': page('News', '<p>None yet.</p>'),
  }
  const { check, host } = await watched(() => paths)
  assert.equal((await check()).size, 2)
  sites.delete(host)
  const down = await check()
  assert.deepEqual([...down.values()].map(brief), [['failed', 'skipped', false, 'The site could not be reached.']])
  sites.set(host, paths)
  assert.deepEqual(
    [...(await check()).values()].map(({ status }) => status),
    ['unchanged', 'unchanged'],
  )
})

test('pages that fail for the same reason are one event with a count, until they are read again', async () => {
  const kinds = ['news', 'blog', 'careers', 'team', 'pricing']
  const links = kinds.map((kind) => `<a href="/${kind}">${kind}</a>`).join('')
  const site: Paths = {
    '/': page('Halden', `<p>Robots.</p>${links}`),
    ...Object.fromEntries(kinds.map((kind) => [`/${kind}`, page(kind, '<p>None yet.</p>')])),
  }
  const { id, host, check, events } = await watched(() => site)
  assert.equal((await check()).size, 6)
  const failures = async () => (await events()).filter(({ status }) => status === 'failed')
  const refuse = (paths: string[], status = 403) => {
    sites.set(host, { ...site, ...Object.fromEntries(paths.map((path) => [path, { status, body: 'no' }])) })
  }
  refuse(Object.keys(site))
  await check()
  const [first, ...others] = await failures()
  assert.equal(others.length, 0)
  assert.deepEqual([first?.count, first?.urls.length, first?.meaningful, first?.is_ongoing], [6, 6, false, true])
  await check()
  const [second, ...more] = await failures()
  assert.equal(more.length, 0)
  assert.deepEqual(
    [second?.id, second?.count, second?.created_at, second?.run_id],
    [first?.id, 12, first?.created_at, first?.run_id],
  )
  assert.ok((second?.last_seen_at ?? '') > (first?.last_seen_at ?? ''))
  const run = await admin.expect(200, 'GET', `/v1/runs/${first?.run_id}`)
  assert.deepEqual([run.mode, run.status, run.failure, run.account_id], ['monitor', 'failed', first?.reason, id])
  // By default a failure is shown once.
  const feed = await admin.get(`/v1/accounts/${id}/monitor-events`)
  assert.deepEqual([feed.body.pagination.total, feed.data[0].id], [1, first?.id])
  assert.deepEqual((await admin.get(`/v1/accounts/${id}/monitor-events?meaningful=true`)).data, [])

  // All but one are read again, and that one fails for another reason from now on.
  refuse(['/team'])
  await check()
  assert.deepEqual(await briefly(failures), [[13, true]])
  refuse(['/team'], 500)
  await check()
  assert.deepEqual(await briefly(failures), [
    [1, true],
    [13, false],
  ])
  sites.set(host, site)
  await check()
  refuse(Object.keys(site))
  await check()
  assert.deepEqual(
    await briefly(failures),
    [
      [6, true],
      [1, false],
      [13, false],
    ],
    'what fails again after it was read is another event',
  )
  await admin.expect(200, 'POST', `/v1/accounts/${id}/deactivate`)
  assert.equal((await failures())[0]?.is_ongoing, false, 'the account is no longer checked')
})

const briefly = async (failures: () => Promise<MonitorEvent[]>) =>
  (await failures()).map(({ count, is_ongoing }) => [count, is_ongoing])

test('a site that was never read is one event after any number of checks', async () => {
  const refusing: Paths = { '/': { status: 403, body: 'no' } }
  const { host, check, events } = await watched(() => refusing)
  sites.set(`www.${host}`, refusing)
  for (let n = 0; n < 3; n++) await check()
  assert.deepEqual(await briefly(events), [[3, true]])
  sites.set(`www.${host}`, { '/': page('Halden', '<p>Robots.</p>') })
  sites.set(host, { '/': { status: 301, headers: { location: `https://www.${host}/` } } })
  await check()
  assert.deepEqual(await briefly(events), [
    [1, false],
    [3, false],
  ])
})

test('a new article that cannot be read is retried, and its news is not lost', async () => {
  let list = ''
  const { id, check, site } = await watched(() => ({
    '/': () => html(page('Halden', `<p>Robots.</p>${list}`)),
    '/news/round': { status: 503, body: 'later' },
  }))
  await check()
  list = '<a href="/news/round">Halden Robotics raises $40 million</a>'
  const failed = (await check()).get('/') as MonitorEvent
  assert.deepEqual([failed.status, failed.search_status, failed.meaningful], ['changed', 'failed', true])
  const run = await admin.expect(200, 'GET', `/v1/runs/${failed.run_id}`)
  assert.deepEqual([run.mode, run.status], ['monitor', 'failed'])
  assert.match(run.failure, /503/)
  assert.match(failed.reason, /Not all could be read: The site responded with an error \(503\)\.$/)
  if (site) {
    site['/news/round'] = page(
      'Halden Robotics raises $40 million in Series B funding',
      `<article><time datetime="${today}">${today}</time><p>Halden Robotics today announced that it has raised $40 million in Series B funding led by Vantor Capital.</p></article>`,
    )
  }
  assert.equal((await check()).get('/')?.search_status, 'searched')
  assert.equal((await admin.expect(200, 'GET', `/v1/accounts/${id}/signals`))[0].signal_id, 'funding')
  assert.equal((await check()).get('/')?.status, 'unchanged')
})

test('a new article with an old date is not a failure', async () => {
  let list = ''
  const { check } = await watched(() => ({
    '/': () => html(page('Halden', `<p>Robots.</p>${list}`)),
    '/news/round': page(
      'Halden Robotics raises $40 million',
      '<article><time datetime="2019-03-04">2019-03-04</time><p>Halden Robotics has raised $40 million.</p></article>',
    ),
  }))
  await check()
  list = '<a href="/news/round">Halden Robotics raises $40 million</a>'
  const event = (await check()).get('/') as MonitorEvent
  assert.deepEqual([event.status, event.search_status], ['changed', 'searched'])
  const run = await admin.expect(200, 'GET', `/v1/runs/${event.run_id}`)
  assert.deepEqual([run.status, run.failure, run.stats.documents], ['done', null, 0])
})

test('deactivation and deletion stop the monitor immediately, even during a check', async () => {
  const doings = {
    deactivate: (id: string) => admin.expect(200, 'POST', `/v1/accounts/${id}/deactivate`),
    delete: (id: string) => admin.expect(200, 'DELETE', `/v1/accounts/${id}`),
  }
  for (const [name, stop] of Object.entries(doings)) {
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { id, due, asked, check, site } = await watched(() => ({ '/': page('Halden', '<p>Robots.</p>') }))
    await check()
    if (site) {
      site['/'] = () => {
        reach()
        return released.then(() => html(page('Halden', '<p>Robots.</p><a href="/news/big">Something very big</a>')))
      }
    }
    await due()
    const sweeping = sweep()
    await reached
    await stop(id)
    release()
    await sweeping
    const left = async (table: 'monitors' | 'watched_pages' | 'monitor_events') =>
      (await db.selectFrom(table).selectAll().where('account_id', '=', id).execute()).length
    const events = name === 'delete' ? 0 : 1
    assert.deepEqual(
      [await left('monitors'), await left('watched_pages'), await left('monitor_events')],
      [0, 0, events],
      name,
    )
    assert.equal(asked('/news'), 0)
    const before = asked()
    await sweep()
    assert.equal(asked(), before, name)
  }
})

test('an account that is activated again is monitored again, and only once', async () => {
  const { id, check } = await watched(() => ({ '/': page('Halden', '<p>Robots.</p>') }))
  await check()
  await admin.expect(200, 'POST', `/v1/accounts/${id}/deactivate`)
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  assert.equal((await check()).get('/')?.status, 'new')
})

test('after a change of the domain the monitor starts again', async () => {
  const { id, check } = await watched(() => ({ '/': page('Halden', '<p>Robots.</p>') }))
  await check()
  sites.set('moved.example', { '/': page('Moved', '<p>Robots, elsewhere.</p>') })
  await admin.expect(200, 'PATCH', `/v1/accounts/${id}`, { domain: 'moved.example' })
  const [event] = [...(await check()).values()]
  assert.deepEqual([event?.url, event?.status], ['https://moved.example/', 'new'])
})

test('two workers never check one account twice', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 12 }, () => watched(() => ({ '/': page('Halden', '<p>Robots.</p>') }))),
  )
  for (const { due } of accounts) await due()
  await Promise.all([sweep(), sweep(), sweep()])
  for (const { host, asked, events } of accounts) {
    assert.equal((await events()).length, 1, host)
    assert.equal(asked('/robots.txt'), 1)
  }
})

test('an account that another worker is claiming is skipped without waiting', async () => {
  const [taken, free] = [
    await watched(() => ({ '/': page('Halden', '<p>Robots.</p>') })),
    await watched(() => ({ '/': page('Halden', '<p>Robots.</p>') })),
  ]
  await taken.due()
  await free.due()
  await db.transaction().execute(async (other) => {
    await other.updateTable('monitors').set({ lease_id: null }).where('account_id', '=', taken.id).execute()
    await sweep()
    assert.deepEqual([(await taken.events()).length, (await free.events()).length], [0, 1])
  })
})

test('a worker that has lost its lease writes nothing', async () => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { id, due, events } = await watched(() => ({
    '/': () => {
      reach()
      return released.then(() => html(page('Halden', '<p>Robots.</p>')))
    },
  }))
  await due()
  const sweeping = sweep()
  await reached
  await db.updateTable('monitors').set({ lease_id: crypto.randomUUID() }).where('account_id', '=', id).execute()
  release()
  await sweeping
  assert.deepEqual(await events(), [])
})

test('an account of a killed worker is checked after its lease has expired, not before', async () => {
  const { account, due, events } = await watched(() => ({ '/': page('Halden', '<p>Robots.</p>') }))
  const lease = (until: string) =>
    db
      .updateTable('monitors')
      .set({ lease_id: crypto.randomUUID(), lease_until: until })
      .where('account_id', '=', account.account_id)
      .execute()
  await due()
  await lease('2100-01-01T00:00:00Z')
  await sweep()
  assert.equal((await events()).length, 0)
  await lease('2020-01-01T00:00:00Z')
  await sweep()
  assert.equal((await events()).length, 1)
})

test('the next check is due after the interval, at a different time for each account', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 8 }, () => watched(() => ({ '/': page('Halden', '<p>Robots.</p>') }))),
  )
  const waits = async () => {
    const ids = accounts.map(({ id }) => id)
    const rows = await db.selectFrom('monitors').select('next_check_at').where('account_id', 'in', ids).execute()
    return rows.map(({ next_check_at }) => (Date.parse(next_check_at) - Date.now()) / 3_600_000)
  }
  for (const { due } of accounts) await due()
  await sweep()
  const first = await waits()
  assert.ok(first.every((hours) => hours > -0.1 && hours <= 24.1))
  assert.ok(Math.max(...first) - Math.min(...first) > 1)
  for (const { due } of accounts) await due()
  await sweep()
  assert.ok((await waits()).every((hours) => hours > 22 && hours < 26))
})

test('an account without a domain has no pages to check', async () => {
  const { id } = await admin.expect(201, 'POST', '/v1/accounts', { name: 'Nameless' })
  await admin.expect(200, 'POST', `/v1/accounts/${id}/activate`)
  await db.updateTable('monitors').set({ next_check_at: '2020-01-01T00:00:00Z' }).where('account_id', '=', id).execute()
  await sweep()
  assert.deepEqual(await admin.expect(200, 'GET', `/v1/accounts/${id}/monitor-events?all=true`), [])
})

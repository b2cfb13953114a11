import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Story } from '../../../sandbox/types.ts'
import { daysAgo, vendorNet } from '../../../test/support/vendors.ts'
import { findHeadlineSubject } from '../../engine/companies/headline.ts'
import { OutboundError } from '../../outbound/errors.ts'
import type { SourceResult } from '../types.ts'
import { hackerNews, hackerNewsLeads } from './hacker-news.ts'

const net = await vendorNet({}, ({ url }) => {
  if (url.host === 'down.example') return null
  if (url.pathname === '/robots.txt') {
    const body = url.host === 'closed.example' ? 'User-agent: *\nDisallow: /' : ''
    return { status: 200, headers: { 'content-type': 'text/plain' }, body }
  }
  const day = url.searchParams.get('day')
  const time = day ? `<meta property="article:published_time" content="${day}">` : ''
  const body = `<title>News</title>${time}<article><p>The whole story of ${url.pathname} is told here.</p></article>`
  return { status: 200, headers: { 'content-type': 'text/html' }, body }
})
after(() => net[Symbol.asyncDispose]())

const SINCE = daysAgo(30)
let count = 0

function story(title: string, more: Partial<Story> = {}): Story {
  const id = String(++count)
  return {
    id,
    url: `https://news.example/${id}`,
    title,
    text: '',
    published: daysAgo(3),
    points: 5,
    about: '',
    ...more,
  }
}

function publish(...stories: Story[]): void {
  net.world = { ...net.world, stories, outages: {} }
  net.asked()
}

for (const source of [hackerNews]) {
  test(`${source.name}: a story that mentions the company has the text of its article`, async () => {
    const url = `https://news.example/told?day=${daysAgo(3)}`
    const told = story('Acme Robotics, maker of arms, raises $20M', { url })
    publish(told, story('Acme Robotics of old', { published: daysAgo(60) }), story('Another company raises $20M'))
    const found = listOf(await source.find(net.deps(), { name: 'Acme Robotics', domain: null }, SINCE))
    assert.deepEqual(found, [
      {
        url,
        kind: 'mention',
        title: 'News',
        text: 'The whole story of /told is told here.',
        published_date: daysAgo(3),
        published_by: 'metadata',
        language: 'en',
      },
    ])
  })

  test(`${source.name}: an article that cannot or may not be read is no document, whatever its search result says`, async () => {
    publish(
      story('Acme Robotics lays off staff', { url: 'https://down.example/1' }),
      story('Acme Robotics hires a chief', { url: 'https://closed.example/1' }),
    )
    const found = await source.find(net.deps(), { name: 'Acme Robotics', domain: null }, SINCE)
    const reason = `${source.name} lists stories about the company, but none of the articles opened could be read.`
    assert.deepEqual(found, { outcome: 'failed', reason }, 'which is not the same as no news')
    assert.ok(!net.asked().includes('https://closed.example/1'))
  })

  test(`${source.name}: a story is never dated later than its article, and not by the day it was listed`, async () => {
    const at = (path: string) => ({ url: `https://${path}` })
    const cases: [title: string, url: { url: string }, day: string | null][] = [
      ['Acme Robotics raises money', at(`news.example/old?day=${daysAgo(400)}`), daysAgo(400)],
      ['Acme Robotics buys Tern', at('news.example/undated'), null],
      ['Acme Robotics sells Tern', at(`news.example/changed?day=${daysAgo(1)}`), daysAgo(3)],
    ]
    publish(...cases.map(([title, url]) => story(title, url)))
    const found = listOf(await source.find(net.deps(), { name: 'Acme Robotics', domain: null }, SINCE))
    const days = new Map(found.map(({ url, published_date }) => [url, published_date]))
    for (const [title, { url }, day] of cases) assert.equal(days.get(url), day, title)
  })

  test(`${source.name}: a namesake with a longer name is another company`, async () => {
    publish(story('Sales of Hugo Boss suits rise again this year'))
    const found = await source.find(net.deps(), { name: 'Hugo', domain: null }, SINCE)
    assert.deepEqual(found, { outcome: 'nothing' })
  })
}

for (const source of [hackerNewsLeads]) {
  test(`${source.name}: a headline with a clear subject is a lead, any other is not`, async () => {
    publish(
      story('Acme Robotics raises $20M Series A'),
      story('Acme Robotics raises $20M', { published: daysAgo(5) }),
      story('Fintech startup Tern raises €5M', { url: 'https://tern.example/blog/funding' }),
      story('Why nobody raises a seed round these days'),
      story('Fed raises $5 fee'),
    )
    const leads = listOf(await source.leads(net.deps(), ['funding'], SINCE, 10))
    assert.deepEqual(leads.map(({ company, signal_id }) => [company.name, company.domain, signal_id]).sort(), [
      ['Acme Robotics', null, 'funding'],
      ['Tern', 'tern.example', 'funding'],
    ])
  })

  test(`${source.name}: an event years ago is no lead`, async () => {
    publish(story('Acme Robotics raises $20M Series A (2019)'))
    assert.deepEqual(await source.leads(net.deps(), ['funding'], SINCE, 10), { outcome: 'nothing' })
  })

  test(`${source.name}: items before a failure are kept, the failure is reported, and no more requests are sent`, async () => {
    publish(story('Acme Robotics files for IPO'), story('Tern raises $3M seed round'))
    const deps = net.deps()
    const leadsUntil = async (failing: number, signals: string[]) => {
      let calls = 0
      const request: typeof deps.outbound.request = (url, options) =>
        ++calls >= failing ? Promise.reject(new OutboundError('timeout')) : deps.outbound.request(url, options)
      const leads = await source.leads({ ...deps, outbound: { ...deps.outbound, request } }, signals, SINCE, 10)
      return { leads, calls }
    }
    const { leads, calls } = await leadsUntil(2, ['ipo', 'funding', 'layoffs'])
    assert.deepEqual([listOf(leads).map(({ company }) => company.name), calls], [['Acme Robotics'], 2])
    assert.match((leads as { reason?: string }).reason ?? '', /did not answer in time/)
    publish(story('Nobody files for IPO'), story('Why an IPO is no exit'))
    assert.equal((await leadsUntil(2, ['ipo', 'funding'])).leads.outcome, 'failed')
  })

  test(`${source.name}: leads are limited, alternating between the signals`, async () => {
    publish(
      ...['Alder', 'Birch', 'Cedar', 'Dogwood'].map((name) => story(`${name} raises $3M seed round`)),
      story('Elm files for IPO'),
    )
    const leads = listOf(await source.leads(net.deps(), ['funding', 'ipo'], SINCE, 3))
    assert.deepEqual(
      leads.map(({ signal_id }) => signal_id),
      ['funding', 'ipo', 'funding'],
    )
  })
}

test('Hacker News is searched by title', async () => {
  publish(story('Acme Robotics raises $20M'))
  await hackerNews.find(net.deps(), { name: 'Acme Robotics', domain: null }, '2026-01-02')
  const url = new URL(net.asked()[0] as string)
  assert.equal(url.origin + url.pathname, 'https://hn.algolia.com/api/v1/search_by_date')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    query: 'Acme Robotics',
    tags: 'story',
    numericFilters: `created_at_i>${Date.parse('2026-01-02') / 1000 - 1}`,
    restrictSearchableAttributes: 'title',
    typoTolerance: 'false',
    hitsPerPage: '100',
  })
})

test('the subject of a headline is found only when it is unambiguous', () => {
  const headlines: [string, string, string | null][] = [
    ['funding', 'Acme Raises $20M Series A', 'Acme'],
    ['funding', 'Berlin-based Acme Robotics closes seed round', 'Acme Robotics'],
    ['funding', 'Acme, the robot maker, raises $4M', 'Acme'],
    ['funding', 'AI chip maker Tenstorrent raises $700M', 'Tenstorrent'],
    ['funding', 'Acme in talks to raise $20M', null],
    ['funding', 'The startup raises $4M', null],
    ['funding', 'Company raises $5M', null],
    ['funding', 'Why Acme raised $20M', null],
    ['acquisition', 'Northwind acquires Tern for $300M', 'Northwind'],
    ['acquisition', 'Tern (YC W19) acquired by Northwind', 'Tern'],
    ['acquisition', 'eBay to buy Tern', 'eBay'],
    ['acquisition', 'Lanternfall Studios, maker of “Moth at Noon”, acquired by Pikku Games', 'Lanternfall Studios'],
    ['acquisition', 'Belgium’s Gelidor buys Meridon Foods', 'Gelidor'],
    ['acquisition', 'Gelidor buys back shares', null],
    ['ipo', 'Cloud-cost firm Nimbrel files to go public in New York', 'Nimbrel'],
    ['funding', 'Corvane Capital raises £310m for fifth fund', null],
    ['expansion', 'Meridon Freight opens terminal at Rhine port', 'Meridon Freight'],
    ['expansion', 'Northwind opens its API to everyone', null],
    ['acquisition', 'Northwind reportedly wants to buy Tern', null],
    ['ipo', 'Northwind files for IPO', 'Northwind'],
    ['layoffs', 'Northwind cuts 10% of workforce', 'Northwind'],
    ['leadership_change', 'Northwind CEO Jane Roe steps down', 'Northwind'],
    ['leadership_change', 'Northwind names Jane Roe CEO', 'Northwind'],
    ['security_incident', 'Northwind discloses data breach affecting 2M users', 'Northwind'],
    ['security_incident', 'Hackers breached Northwind', null],
    ['product_launch', 'Show HN: Tern launches local-first notes', 'Tern'],
    ['product_launch', 'India launches its own cloud', null],
    ['expansion', 'Northwind opens new office in Berlin', 'Northwind'],
    ['partnership', 'Northwind partners with Tern on payments', 'Northwind'],
    ['hiring', 'Northwind is hiring 300 engineers', 'Northwind'],
    ['customer_win', 'Northwind wins $4M Air Force contract', 'Northwind'],
    ['technology_adoption', 'Northwind migrates from Oracle to PostgreSQL', 'Northwind'],
    ['no_such_signal', 'Acme raises $20M', null],
  ]
  for (const [signal, headline, subject] of headlines)
    assert.equal(findHeadlineSubject(headline, signal), subject, headline)
})

function listOf<T>(found: SourceResult<T>): T[] {
  assert.equal(found.outcome, 'items', JSON.stringify(found))
  return (found as { items: T[] }).items
}

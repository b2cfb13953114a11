// Rules for every stream: items, nothing and failed are never mixed up, nothing is lost between two runs, and the size
// of a feed is bounded.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Award, Filing, LayoffNotice, World } from '../../../sandbox/types.ts'
import { altering, itemsOf, OUTAGES, startStreamVendors } from '../../../test/support/streams.ts'
import { daysAgo } from '../../../test/support/vendors.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { ProviderDeps } from '../types.ts'
import { globenewswire } from './globenewswire.ts'
import { nihReporter } from './nih-reporter.ts'
import { prNewswire } from './pr-newswire.ts'
import { secStream } from './sec.ts'
import { ted } from './ted.ts'
import { type FeedState, MAX_ITEMS, type Stream, type StreamItem } from './types.ts'
import { usaspending } from './usaspending.ts'
import { warn } from './warn.ts'

type Case = {
  stream: Stream
  feed: string
  /** The vendor in the sandbox. */
  vendor: string
  /** The name its failures are reported under; the stream's name by default. */
  reported?: string
  /** A world with an entry for every day. */
  told: (days: readonly string[]) => Partial<World>
  /** The first item: its company and the signals it proves. */
  company: string
  tells: [signal_id: string, claim: string][]
  about: string[]
  /** Responses always contain the newest entries, known or not. */
  isWhole?: boolean
}

const DAY = daysAgo(3)

const { net, alter, setWorld, reading } = await startStreamVendors()

function award(by: Award['by'], more: Partial<Award> = {}) {
  return (days: readonly string[]): Partial<World> => ({
    awards: days.map((day, i) => ({
      by,
      id: by === 'ted' ? `${1000 + i}-2026` : String(1000 + i),
      recipient: 'ACME ROBOTICS, INC.',
      amount: 4_200_000,
      agency: 'Department of Energy',
      day,
      description: 'ROBOTS',
      ...more,
    })),
  })
}

function notice(state: LayoffNotice['state'], place: string) {
  return (days: readonly string[]): Partial<World> => ({
    notices: days.map((noticed, i) => ({
      state,
      company: 'Acme Robotics, Inc. d/b/a Arms - Plant 2',
      place,
      people: 120 + i,
      noticed,
      starts: '2031-12-01',
    })),
  })
}

function filing(form: string, more: Partial<Filing> = {}) {
  return (days: readonly string[]): Partial<World> => ({
    filings: days.map((filed, i) => ({
      cik: 1001 + i,
      company: 'ACME ROBOTICS, INC.',
      form,
      accession: `0001001-26-${String(i).padStart(6, '0')}`,
      filed,
      document: form === 'D' ? 'primary_doc.xml' : 'main.htm',
      text: 'Item 1.05 Material Cybersecurity Incidents. Item 5.02 Departure of Directors.',
      ...more,
    })),
  })
}

function release(days: readonly string[]): Partial<World> {
  const text = 'Acme Robotics, Inc. today announced that it has raised $40 million.'
  const more = { summary: text, paragraphs: [text], signals: ['funding'], site: 'acme.example' }
  return {
    releases: days.map((published, i) => ({
      id: String(3_000_000 + i),
      company: 'Acme Robotics, Inc.',
      title: 'Acme Robotics Raises $40 Million',
      published,
      ...more,
    })),
  }
}

const layoffs = (place: string): [string, string][] => [
  ['layoffs', `Acme Robotics, Inc. gave notice of layoffs of 120 people in ${place}, from 2031-12-01.`],
]
const acme = { company: 'Acme Robotics, Inc.' }

const cases: Case[] = [
  {
    ...acme,
    stream: secStream,
    feed: '8-K',
    vendor: 'sec',
    told: filing('8-K', { exhibit: 'A press release.' }),
    tells: [
      [
        'security_incident',
        'Acme Robotics, Inc. reported a material cybersecurity incident to the regulator (Form 8-K, item 1.05).',
      ],
    ],
    about: ['security_incident', 'leadership_change'],
  },
  {
    ...acme,
    stream: secStream,
    feed: 'listings',
    vendor: 'sec',
    told: filing('S-1'),
    tells: [],
    about: ['ipo'],
  },
  {
    ...acme,
    stream: secStream,
    feed: 'D',
    vendor: 'sec',
    told: filing('D'),
    tells: [],
    about: ['funding'],
  },
  {
    ...acme,
    stream: usaspending,
    feed: 'contracts',
    vendor: 'usaspending',
    told: award('usaspending'),
    tells: [['customer_win', 'Acme Robotics, Inc. was awarded a contract of $4,200,000 by the Department of Energy.']],
    about: ['customer_win'],
  },
  {
    ...acme,
    stream: ted,
    feed: 'north',
    vendor: 'ted',
    told: award('ted', { country: 'NOR', agency: 'Sandvik kommune' }),
    tells: [['customer_win', 'Acme Robotics, Inc. was awarded a public contract by Sandvik kommune.']],
    about: ['customer_win'],
  },
  {
    ...acme,
    stream: nihReporter,
    feed: 'small-companies',
    vendor: 'nih-reporter',
    told: award('nih-reporter', { agency: 'National Cancer Institute' }),
    tells: [['funding', 'Acme Robotics, Inc. was awarded a grant of $4,200,000 by the National Cancer Institute.']],
    about: ['funding'],
  },
  ...(
    [
      ['TX', 'AUSTIN', 'Austin, Texas', 'Texas'],
      ['OR', 'Century Blvd., 2 sites', 'Oregon', 'Oregon'],
      ['IN', 'Gary', 'Gary, Indiana', 'Indiana'],
      ['TN', 'Davidson', 'Davidson County, Tennessee', 'Tennessee'],
      ['WA', 'Tacoma', 'Tacoma, Washington', 'Washington'],
    ] as const
  ).map(([feed, place, shown, state]) => ({
    ...acme,
    stream: warn,
    feed,
    vendor: 'warn',
    reported: `Layoff notices of ${state}`,
    told: notice(feed, place),
    tells: layoffs(shown),
    about: ['layoffs'],
  })),
  ...(
    [
      [globenewswire, '17'],
      [prNewswire, 'financial-services-latest-news/venture-capital'],
    ] as const
  ).map(([stream, feed]) => ({
    ...acme,
    stream,
    feed,
    vendor: stream.source,
    told: release,
    tells: [],
    about: ['funding'],
    isWhole: true,
  })),
]

const caseOf = (feed: string) => cases.find((one) => one.feed === feed) as Case

for (const one of cases) {
  const { stream, feed, vendor, reported: name = stream.name, told } = one

  describe(`${stream.name}: ${feed}`, () => {
    test('entries become items with the signals they prove, and no entries are nothing', async () => {
      setWorld(told([DAY]))
      const { read, reported } = await reading(one)
      const [item, ...others] = itemsOf(read)
      assert.deepEqual(others, [])
      assert.deepEqual(
        [item?.company.name, item?.about, item?.document.published_date, item?.document.tells ?? []],
        [one.company, one.about, DAY, one.tells.map(([signal_id, claim]) => ({ signal_id, claim }))],
      )
      assert.ok(item?.key && item.document.text.includes(one.company) && URL.canParse(item.document.url))
      assert.equal(reported.get(name), null)
      setWorld({})
      assert.equal((await reading(one)).read.outcome, 'nothing')
    })

    test('a response that differs from the documentation is a reported failure', async () => {
      for (const outage of OUTAGES) {
        setWorld(told([DAY]), { [vendor]: outage })
        const { read, reported } = await reading(one, null, outage === 'stall' ? 100 : undefined)
        assert.equal(read.outcome, 'failed', `${outage} ${JSON.stringify(read)}`)
        assert.match(read.outcome === 'failed' ? read.reason : '', /^[A-Z].*\.$/)
        assert.ok(reported.get(name), outage)
        if (outage === 'misshapen') {
          assert.equal(reported.get(name)?.kind, 'unreadable')
          assert.match(reported.get(name)?.message ?? '', /failed: unexpected response format/)
        }
      }
    })

    test('the next run continues where the last one ended, without a gap', async () => {
      const old = daysAgo(stream.firstDays - 1)
      // Registers receive some entries late; the SEC dates a filing by the day it appears.
      const late = stream === secStream ? daysAgo(1) : DAY
      const days = (items: readonly StreamItem[]) => items.map(({ document }) => document.published_date)
      setWorld(told([old, DAY, daysAgo(2)]))
      const first = (await reading(one)).read
      const known = itemsOf(first)
      assert.deepEqual(days(known), [daysAgo(2), DAY, old])
      setWorld(told([old, DAY, daysAgo(2), daysAgo(1), daysAgo(0), late]))
      const second = itemsOf((await reading(one, first.outcome === 'items' ? first.state : null)).read)
      const news = second.filter(({ key }) => known.every((item) => item.key !== key))
      assert.deepEqual(days(news), [daysAgo(0), daysAgo(1), late])
      assert.equal(days(second).includes(old), one.isWhole ?? false)
    })
  })
}

test('a feed of 100,000 items is limited', async () => {
  const days = Array.from({ length: 100_000 }, () => DAY)
  for (const one of cases.filter(({ feed }) => ['8-K', 'contracts', 'TX'].includes(feed))) {
    setWorld(one.stream === secStream ? filing('8-K')(days) : one.told(days))
    const found = itemsOf((await reading(one)).read)
    assert.ok(found.length >= 1_000 && found.length <= MAX_ITEMS, `${one.stream.name} ${found.length}`)
  }
  const page = cases.find(({ feed }) => feed === 'IN') as Case
  setWorld(page.told(days))
  const { read } = await reading(page)
  assert.ok(read.outcome === 'failed' && read.reason.endsWith('too large.'), JSON.stringify(read).slice(0, 200))
})

test('a page that failed is reported, and read again by the next run', async () => {
  const days = Array.from({ length: 600 }, (_, i) => daysAgo(1 + Math.floor(i / 150)))
  for (const one of cases.filter(({ feed }) => ['8-K', 'contracts', 'north', 'small-companies'].includes(feed))) {
    setWorld(one.told(days), { [one.vendor]: 'paging' })
    const { read } = await reading(one)
    const found = itemsOf(read)
    assert.ok(found.length > 0 && found.length < 600, one.stream.name)
    const { state = null, reason = '' } = read.outcome === 'items' ? read : {}
    assert.match(reason, /status 500/)
    setWorld(one.told(days))
    const again = itemsOf((await reading(one, state)).read)
    assert.deepEqual(new Set([...found, ...again].map(({ key }) => key)).size, 600, one.stream.name)
  }
})

test('a field with another type is a failed format, not an empty feed', async () => {
  for (const [feed, field, other] of [
    ['8-K', /"items":\[[^\]]*\]/g, '"items":[]'],
    ['north', /"winner-name":\{[^}]*\}/g, '"winner-name":[{"name":"Acme"}]'],
    ['small-companies', /"award_type":"1"/g, '"award_type":{"code":1}'],
  ] as const) {
    const one = caseOf(feed)
    setWorld(one.told([DAY]))
    alter(altering((body) => body.replaceAll(field, other)))
    const { read, reported } = await reading(one)
    assert.equal(read.outcome, 'failed', JSON.stringify(read))
    assert.match(reported.get(one.stream.name)?.message ?? '', /failed: unexpected response format/)
  }
})

test('an aborted run keeps its items, and the next run starts at the same day or after the completed days', async () => {
  const days = Array.from({ length: 600 }, (_, i) => daysAgo(1 + Math.floor(i / 150)))
  for (const [feed, last] of [
    ['contracts', 2],
    ['north', 2],
    ['8-K', 9],
  ] as const) {
    const one = caseOf(feed)
    const endedAt = async (request: number) => {
      setWorld(one.told(days))
      const ended = new AbortController()
      let asked = 0
      alter((answer) => {
        asked += 1
        if (asked === request) ended.abort()
        return answer
      })
      return (await reading(one, null, undefined, { signal: ended.signal })).read
    }
    await assert.rejects(endedAt(1), feed)
    const read = await endedAt(last)
    const found = itemsOf(read)
    const { state = null, reason = '' } = read.outcome === 'items' ? read : {}
    assert.match(reason, /timed out/, feed)
    assert.deepEqual(state, feed === '8-K' ? { day: daysAgo(4) } : null)
    setWorld(one.told(days))
    const again = itemsOf((await reading(one, state)).read)
    assert.equal(new Set([...found, ...again].map(({ key }) => key)).size, 600, feed)
  }
})

test('exceeding the item limit is reported, and two full days of filings are read in two runs', async () => {
  const notices = caseOf('north')
  const others = Array.from({ length: 39 }, (_, i) => `Bolt ${i} AS`)
  setWorld(award('ted', { country: 'NOR', others })(Array.from({ length: 60 }, () => DAY)))
  const { read } = await reading(notices)
  assert.equal(itemsOf(read).length, MAX_ITEMS)
  assert.match((read.outcome === 'items' && read.reason) || '', /more than 2,000 new items/)
  const filed = Array.from({ length: 2_400 }, (_, i) => (i < 1_200 ? daysAgo(3) : daysAgo(2)))
  setWorld(filing('8-K')(filed))
  let state: FeedState['state'] = { day: daysAgo(3) }
  for (const day of [daysAgo(3), daysAgo(2)]) {
    const { read } = await reading(caseOf('8-K'), state)
    assert.deepEqual([...new Set(itemsOf(read).map(({ document }) => document.published_date))], [day])
    assert.equal(itemsOf(read).length, 1_200)
    state = read.outcome === 'items' ? read.state : null
  }
})

test('every layoff notice has a distinct URL, and a page that exceeds the parser limit is reported', async () => {
  for (const one of cases.filter(({ stream }) => stream === warn)) {
    setWorld(one.told([DAY, DAY]))
    const addresses = itemsOf((await reading(one)).read).map(({ document }) => document.url)
    assert.equal(new Set(addresses).size, 2, one.feed)
  }
  const page = caseOf('TN')
  const pool = Object.create(net.deps().parserPool, {
    run: { value: async () => new LimitExceeded('It took too long to read.') },
  }) as ProviderDeps['parserPool']
  const { read, reported } = await reading(page, null, undefined, { parserPool: pool })
  assert.equal(read.outcome, 'failed')
  assert.equal(reported.get('Layoff notices of Tennessee')?.kind, 'unreadable')
})

test('a page that robots.txt forbids is not read', async () => {
  const page = cases.find(({ feed }) => feed === 'TN') as Case
  setWorld(page.told([DAY]))
  alter((answer) =>
    answer !== null && typeof answer === 'object' && answer.status === 404
      ? { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /workforce/' }
      : answer,
  )
  const { read, reported } = await reading(page)
  assert.match(read.outcome === 'failed' ? read.reason : '', /robots\.txt of the site does not allow/)
  assert.equal(reported.get('Layoff notices of Tennessee')?.kind, 'refused')
  assert.deepEqual(net.asked(), ['https://www.tn.gov/robots.txt'])
})

test('amendments, funds, real estate and other items are no events', async () => {
  const one = cases.find(({ feed }) => feed === '8-K')
  const text = (item: string) => `Item ${item} as prescribed.`
  const [told] = filing('8-K')([DAY]).filings as Filing[]
  const filings = [
    { ...told, text: text('2.01') },
    { ...told, text: text('2.01'), industry: '6798' },
    { ...told, text: text('2.05') },
    { ...told, text: text('8.01') },
    { ...told, text: text('7.01') },
    { ...told, text: text('1.05'), form: '8-K/A' },
  ].map((each, i) => ({ ...each, accession: `0001001-26-00000${i}` })) as Filing[]
  setWorld({ filings })
  const found = itemsOf((await reading(one as Case)).read)
  assert.deepEqual(
    found.map(({ key, about, document }) => [key.at(-1), about, document.tells?.map(({ claim }) => claim) ?? []]),
    [
      [
        '0',
        ['acquisition'],
        [
          'Acme Robotics, Inc. reported to the regulator that it completed an acquisition or disposal of assets (Form 8-K, item 2.01).',
        ],
      ],
      ['1', ['acquisition'], []],
      [
        '2',
        ['layoffs'],
        [
          'Acme Robotics, Inc. reported to the regulator costs of exit or disposal activities, such as ending jobs or closing sites (Form 8-K, item 2.05).',
        ],
      ],
      ['3', [], []],
    ],
  )
})

test('opening an item: a filing gets its main document, an award the street of its recipient, a fund is dropped', async () => {
  const open = async ({ stream, feed }: Case) => {
    const [item] = itemsOf((await reading({ stream, feed })).read)
    return stream.open?.(net.deps(), JSON.parse(JSON.stringify(item)))
  }
  const [report, , offering, contract] = cases as [Case, Case, Case, Case]
  setWorld(report.told([DAY]))
  const opened = await open(report)
  assert.ok(opened?.outcome === 'read' && opened.document.text.startsWith('Item 1.05'), JSON.stringify(opened))
  assert.equal(opened.document.tells?.[0]?.signal_id, 'security_incident')
  const industry = 'Pooled Investment Fund'
  setWorld(filing('D', { offering: { sold: 9_000_000, offered: null, first_sale: null, industry } })([DAY]))
  assert.deepEqual(await open(offering), { outcome: 'dropped' })
  setWorld(award('usaspending', { street: '1 MAIN STREET' })([DAY]))
  const known = await open(contract)
  assert.deepEqual(known?.outcome === 'read' && known.hints, { named: [], witnesses: ['1 MAIN STREET'], country: 'US' })
})

test('a register lists companies and no people, and attributes a website only when it is unambiguous', async () => {
  const [, , , contract, tender, grant] = cases as [Case, Case, Case, Case, Case, Case]
  const names = async (one: Case) => {
    const { read } = await reading(one)
    return read.outcome === 'items'
      ? read.items.map(({ company, hints }) => [company.name, company.domain ?? hints?.named[0] ?? null])
      : read.outcome
  }
  const site = 'https://www.acme.example/no'
  setWorld(award('ted', { country: 'NOR', recipient: 'ACME AS', site })([DAY]))
  assert.deepEqual(await names(tender), [['Acme AS', 'acme.example']])
  alter(altering((body) => body.replace('"winner-name":{', '"winner-name":{"eng":["Bolt Ltd"],')))
  assert.deepEqual(await names(tender), [['Bolt Ltd', null]])
  for (const shared of ['https://nb-no.facebook.com/acme', 'post@acme.example', 'www.wp.pl', 'gmail.com']) {
    setWorld(award('ted', { country: 'NOR', recipient: 'ACME AS', site: shared })([DAY]))
    assert.deepEqual(await names(tender), [['Acme AS', null]], shared)
  }
  const others = ['Kari Nordmann', 'Bolt Bygg AS']
  setWorld(award('ted', { country: 'NOR', recipient: 'ACME AS', site, others })([DAY]))
  assert.deepEqual(await names(tender), [
    ['Acme AS', null],
    ['Bolt Bygg AS', null],
  ])
  setWorld(award('usaspending', { recipient: 'MULTIPLE RECIPIENTS' })([DAY]))
  assert.equal(await names(contract), 'nothing')
  setWorld(award('nih-reporter', { isContinued: true })([DAY]))
  assert.equal(await names(grant), 'nothing')
  const [rescinded] = notice('TX', 'Austin')([DAY]).notices as LayoffNotice[]
  setWorld({ notices: [{ ...(rescinded as LayoffNotice), company: 'ACME INC (RESCINDED)' }] })
  assert.equal(await names({ ...contract, stream: warn, feed: 'TX' }), 'nothing')
})

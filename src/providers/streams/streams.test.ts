// Rules for every stream: items, nothing and failed are never mixed up, nothing is lost between two runs, and the size
// of a feed is bounded.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import type { HostResponse } from '../../../sandbox/internet.ts'
import type {
  Award,
  Filing,
  LayoffNotice,
  Outage,
  RegisterFiling,
  SandboxRequest,
  Story,
  World,
} from '../../../sandbox/types.ts'
import { COMPANIES_HOUSE_STREAM_KEY } from '../../../sandbox/vendors/companies-house.ts'
import { gdelt as gdeltVendor, zip } from '../../../sandbox/vendors/gdelt.ts'
import { daysAgo, vendorNet } from '../../../test/support/vendors.ts'
import { LimitExceeded } from '../../engine/threads/pool.ts'
import type { ProviderProblem } from '../health.ts'
import type { ProviderDeps } from '../types.ts'
import { companiesHouseStream } from './companies-house.ts'
import { gdelt } from './gdelt.ts'
import { globenewswire } from './globenewswire.ts'
import { nihReporter } from './nih-reporter.ts'
import { prNewswire } from './pr-newswire.ts'
import { secStream } from './sec.ts'
import { ted } from './ted.ts'
import {
  type AccountLookup,
  type FeedResult,
  type FeedState,
  MAX_ITEMS,
  type Stream,
  type StreamItem,
} from './types.ts'
import { usaspending } from './usaspending.ts'
import { warn } from './warn.ts'

/** Transforms responses. */
let alter: (answer: HostResponse, request: SandboxRequest) => HostResponse = (answer) => answer
const net = await vendorNet(
  {},
  () => null,
  (answer, request) => alter(answer, request),
)
after(() => net[Symbol.asyncDispose]())

const OUTAGES: Outage[] = ['error', 'refused', 'spent', 'garbage', 'misshapen', 'busy', 'stall', 'drop']

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

/** The accounts by company number. */
const ACCOUNTS = new Map([['01234567', 'ACME ROBOTICS LIMITED']])
const lookups: (readonly string[])[] = []
/** The names that accounts have. */
const accountNames = new Set<string>()
const accounts: AccountLookup = {
  async registered(register, ids) {
    assert.equal(register, 'companies-house')
    lookups.push(ids)
    return new Map([...ACCOUNTS].filter(([id]) => ids.includes(id)))
  },
  named: async (names) => new Set(names.filter((name) => accountNames.has(name))),
}

/** A run, and what it reported about the source. */
async function reading(
  { stream, feed }: Pick<Case, 'stream' | 'feed'>,
  state: FeedState['state'] = null,
  timeoutMs?: number,
  given: Partial<ProviderDeps> = {},
) {
  const reported = new Map<string, ProviderProblem | null>()
  const health = { report: async (name: string, problem: ProviderProblem | null) => void reported.set(name, problem) }
  const deps = {
    ...net.deps({ CRAWL_DELAY_MS: '0', COMPANIES_HOUSE_STREAM_KEY }, timeoutMs ? { timeoutMs } : {}),
    health,
    ...given,
  }
  const read = await stream.read(deps, feed, { since: daysAgo(stream.firstDays), state, accounts })
  return { read, reported }
}

function itemsOf(read: FeedResult): StreamItem[] {
  assert.equal(read.outcome, 'items', JSON.stringify(read))
  return read.outcome === 'items' ? read.items : []
}

function setWorld(told: Partial<World>, outages: World['outages'] = {}): void {
  alter = (answer) => answer
  net.world = { today: daysAgo(0), companies: [], stories: [], filings: [], ...told, outages }
  net.asked()
}

/** Changes the text of responses. */
function altering(change: (body: string) => string): typeof alter {
  return (answer) => {
    if (answer === null || typeof answer === 'string') return answer
    const { pieces } = answer
    if (pieces) {
      return {
        ...answer,
        async *pieces() {
          for await (const piece of pieces()) yield change(piece)
        },
      }
    }
    return typeof answer.body === 'string' ? { ...answer, body: change(answer.body) } : answer
  }
}

/** Responses in which a field, a column header, or an element is renamed. */
function renaming(field: string): typeof alter {
  return altering((body) =>
    body
      .replaceAll(`"${field}"`, '"other"')
      .replaceAll(`>${field}<`, '>Other<')
      .replaceAll(new RegExp(`(</?)${field}>`, 'g'), '$1other>'),
  )
}

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
    alter = altering((body) => body.replaceAll(field, other))
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
      alter = (answer) => {
        asked += 1
        if (asked === request) ended.abort()
        return answer
      }
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
  alter = (answer) =>
    answer !== null && typeof answer === 'object' && answer.status === 404
      ? { status: 200, headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /workforce/' }
      : answer
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
  alter = altering((body) => body.replace('"winner-name":{', '"winner-name":{"eng":["Bolt Ltd"],'))
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

describe('Companies House filings', () => {
  const one = { stream: companiesHouseStream, feed: 'filings' }
  const director = (timepoint: number, more: Partial<RegisterFiling> = {}): RegisterFiling => ({
    timepoint,
    company: '01234567',
    id: `filing-${timepoint}`,
    category: 'officers',
    type: 'AP01',
    description: 'appoint-person-director-company-with-name-date',
    values: { officer_name: 'Mrs Jane Doe', appointment_date: daysAgo(4) },
    day: DAY,
    ...more,
  })
  const other = (timepoint: number) => director(timepoint, { company: '07654321' })
  const left = {
    type: 'TM01',
    description: 'termination-director-company-with-name-termination-date',
    values: { officer_name: 'John Roe', termination_date: daysAgo(4) },
  }
  const from = (timepoint: number) => ({ timepoint })
  const told = (read: FeedResult) => itemsOf(read).map(({ document }) => document.tells?.map(({ claim }) => claim))

  test('keeps directors of accounts while the connection stays open, and continues at the last timepoint', async () => {
    setWorld({ register_filings: [director(10), director(11, left), other(12)] })
    lookups.length = 0
    const { read, reported } = await reading(one, from(10))
    const [item] = itemsOf(read)
    assert.deepEqual(told(read), [
      [`Acme Robotics Limited reported that John Roe left as a director on ${daysAgo(4)}.`],
    ])
    assert.deepEqual([item?.company.domain, item?.about, item?.hints?.named], [null, [], []])
    assert.deepEqual(item?.ref, { register: 'companies-house', register_id: '01234567' })
    assert.equal(item?.document.tells?.[0]?.signal_id, 'leadership_change')
    assert.deepEqual(lookups, [['01234567', '07654321']])
    assert.deepEqual(read.outcome !== 'failed' && read.state, from(12))
    assert.equal(reported.get(companiesHouseStream.name), null)

    setWorld({ register_filings: [director(10), director(11), other(12), director(13)] })
    const next = (await reading(one, from(12))).read
    assert.deepEqual(told(next), [[`Acme Robotics Limited appointed Mrs Jane Doe as a director on ${daysAgo(4)}.`]])
    assert.deepEqual((await reading(one, from(13))).read, { outcome: 'nothing', state: from(13) })
  })

  test('begins with the next event, and reports filings that are no longer available as missing', async () => {
    setWorld({})
    assert.deepEqual((await reading(one)).read, { outcome: 'nothing', state: null })
    setWorld({ register_filings: [director(10), director(11)] })
    const first = (await reading(one)).read
    assert.deepEqual([itemsOf(first).length, first.outcome === 'items' && first.state], [1, from(11)])
    const gap = (await reading(one, from(3))).read
    assert.deepEqual([itemsOf(gap).length, gap.outcome === 'items' && gap.state], [1, from(11)])
    assert.match(
      (gap.outcome === 'items' && gap.reason) || '',
      /filings since the last run: those in between are missing/,
    )
    setWorld({ register_filings: [other(10), other(11)] })
    const none = (await reading(one, from(3))).read
    assert.ok(none.outcome === 'nothing' && none.reason?.includes('are missing'), JSON.stringify(none))
  })

  test('a filing that proves no change of leadership is no item', async () => {
    const officer = (values: Record<string, string>) => ({ values })
    setWorld({
      register_filings: [
        director(11, { category: 'accounts', description: 'accounts-with-accounts-type-full', values: {} }),
        director(12, { category: 'mortgage', description: 'mortgage-create-with-deed', values: {} }),
        director(13, { description: 'appoint-person-secretary-company-with-name-date' }),
        director(14, officer({ officer_name: 'Bolt Directors Limited' })),
        director(15, officer({ officer_name: 'Jane Doe', appointment_date: daysAgo(400) })),
        director(16, { day: daysAgo(90) }),
      ],
    })
    assert.deepEqual((await reading(one, from(11))).read, { outcome: 'nothing', state: from(16) })
  })

  test('a failed connection and a changed format are reported failures, and a cut one continues', async () => {
    for (const outage of OUTAGES) {
      setWorld({ register_filings: [director(11)] }, { 'companies-house-stream': outage })
      const { read, reported } = await reading(one, from(11), outage === 'stall' ? 100 : undefined)
      assert.equal(read.outcome, 'failed', `${outage} ${JSON.stringify(read)}`)
      assert.ok(reported.get(companiesHouseStream.name), outage)
    }
    for (const field of ['timepoint', 'resource_uri', 'description', 'date']) {
      setWorld({ register_filings: [director(11), director(12)] })
      alter = renaming(field)
      const { read, reported } = await reading(one, from(11))
      assert.equal(read.outcome, 'failed', field)
      assert.match(reported.get(companiesHouseStream.name)?.message ?? '', /failed: unexpected response format/)
    }
    setWorld({ register_filings: [director(11), director(12)] })
    let sent = 0
    alter = altering((piece) => {
      if (++sent === 2) throw new Error('The server fails.')
      return piece
    })
    const { read } = await reading(one, from(11))
    assert.deepEqual([itemsOf(read).length, read.outcome === 'items' && read.state], [1, from(12)])
    assert.match((read.outcome === 'items' && read.reason) || '', /connection failed/)
  })

  test('entries that cannot be read are reported, and filings of which none has the name of a director have failed', async () => {
    const unreadable = director(12, { company: 'none' })
    setWorld({ register_filings: [director(11), unreadable, director(13)] })
    const { read } = await reading(one, from(11))
    assert.deepEqual([itemsOf(read).length, read.outcome === 'items' && read.state], [1, from(13)])
    assert.match(
      (read.outcome === 'items' && read.reason) || '',
      /^1 of 2 entries of Companies House filings could not/,
    )

    const unnamed = Array.from({ length: 10 }, (_, i) => other(12 + i)).map((filing) => ({ ...filing, values: {} }))
    setWorld({ register_filings: [director(11), ...unnamed] })
    const changed = await reading(one, from(11))
    assert.equal(changed.read.outcome, 'failed', JSON.stringify(changed.read))
    assert.match(changed.reported.get(companiesHouseStream.name)?.message ?? '', /failed: unexpected response format/)
    setWorld({ register_filings: [director(11), ...unnamed, director(22)] })
    assert.equal(itemsOf((await reading(one, from(11))).read).length, 1)
  })

  test('a run over a backlog is limited, and the next one continues', async () => {
    // The first one that counts is of another company, so that batches end before the limit.
    const filings = Array.from({ length: 4_000 }, (_, i) => (i === 1 ? other(11 + i) : director(11 + i)))
    setWorld({ register_filings: filings })
    const keys = new Set<string>()
    let state: FeedState['state'] = from(11)
    for (let run = 0; run < 2; run++) {
      const { read } = await reading(one, state)
      const found = itemsOf(read)
      assert.ok(found.length >= 1_500 && found.length <= MAX_ITEMS, String(found.length))
      for (const { key } of found) keys.add(key)
      if (run === 0) assert.match((read.outcome === 'items' && read.reason) || '', /has more filings/)
      state = read.outcome === 'failed' ? state : read.state
    }
    assert.equal(keys.size, 3_998)
  })
})

describe('GDELT: articles', () => {
  const PERIOD_MS = 15 * 60_000
  // The last period of a day that has ended, so that no other begins meanwhile.
  const TODAY = daysAgo(1)
  const latest = Date.parse(TODAY) + 86_400_000 - PERIOD_MS
  const setNews: typeof setWorld = (told, outages) => setWorld({ today: TODAY, ...told }, outages)
  /** A number of periods before the newest. */
  const stamp = (before: number) =>
    new Date(latest - before * PERIOD_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const dayOf = (before: number) => new Date(latest - before * PERIOD_MS).toISOString().slice(0, 10)
  const one = { stream: gdelt, feed: 'articles' }
  const from = (before: number) => ({ file: stamp(before + 1) })

  let stories = 0
  function story(title: string, organisations: string[], before = 0, more: Partial<Story> = {}): Story {
    const [id, url] = [String(++stories), `https://news.example/${stories}`]
    const period = { published: dayOf(before), period: stamp(before) }
    return { id, url, title, text: '', points: 1, about: '', organisations, ...period, ...more }
  }

  /** Reads until there is no more, and returns what each run found. */
  async function readAll(state: FeedState['state']): Promise<FeedResult[]> {
    const results: FeedResult[] = []
    for (;;) {
      const { read } = await reading(one, state)
      results.push(read)
      state = read.outcome === 'failed' ? (read.state ?? null) : read.state
      if (!read.more) return results
    }
  }

  const titles = (results: readonly FeedResult[]) =>
    results.flatMap((read) => (read.outcome === 'items' ? read.items.map(({ document }) => document.title) : []))
  const reasons = (results: readonly FeedResult[]) =>
    results.flatMap((read) => (read.outcome !== 'nothing' && read.reason !== undefined ? [read.reason] : []))
  const askedFor = (part: string) => net.asked().filter((url) => url.includes(part)).length

  /** Responses in which the rows of a table are changed, with the checksums of the changed files. */
  function changing(kind: 'gkg.csv' | 'mentions.CSV', change: (columns: string[]) => string[]): typeof alter {
    const changed = (archive: Buffer) => {
      const from = 30 + archive.readUInt16LE(26)
      const rows = inflateRawSync(archive.subarray(from, from + archive.readUInt32LE(18)))
        .toString()
        .trimEnd()
        .split('\n')
      return zip('changed', `${rows.map((row) => change(row.split('\t')).join('\t')).join('\n')}\n`)
    }
    return (answer, request) => {
      if (answer === null || typeof answer === 'string') return answer
      const { href } = request.url
      if (href.endsWith(`.${kind}.zip`)) return { ...answer, body: changed(answer.body as Buffer) }
      if (!href.endsWith('.txt')) return answer
      const body = String(answer.body).replaceAll(/^\d+ \w+ http:\S+?(\d{14}\.\S+)$/gm, (line, file: string) => {
        if (!file.endsWith(`.${kind}.zip`)) return line
        const url = new URL(`https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/${file}`)
        const given = gdeltVendor.answer({ ...request, url }, net.world) as unknown as { body: Buffer }
        const other = changed(given.body)
        return `${other.length} ${createHash('md5').update(other).digest('hex')} ${url.href}`
      })
      return { ...answer, body }
    }
  }

  function setAccounts(...names: string[]): void {
    accountNames.clear()
    for (const name of names) accountNames.add(name)
  }

  test('articles that name an account and unambiguous headlines become items; other rows are not stored', async () => {
    setAccounts('Tern Ltd', 'Acme Robotics')
    setNews({
      stories: [
        story('Acme Robotics raises $20M – “for arms” & legs', ['Acme Robotics', 'Vantor Capital']),
        story('The market for arms', ['Tern Ltd', 'Somebody Else']),
        story('Nimbrel acquires Meridon for $300M', ['Nimbrel', 'Meridon'], 0, {
          url: 'https://nimbrel.example/news/1',
        }),
        story('Why nobody raises $5M these days', ['Nobody']),
        story('Nimbrel raises $20M (2019)', ['Nimbrel']),
      ],
    })
    const { read, reported } = await reading(one, from(0))
    assert.deepEqual(
      itemsOf(read).map(({ company, about, document }) => [company.name, company.domain, about, document.title]),
      [
        ['Acme Robotics', null, ['funding'], 'Acme Robotics raises $20M – “for arms” & legs'],
        ['Tern Ltd', null, [], 'The market for arms'],
        ['Nimbrel', 'nimbrel.example', ['acquisition'], 'Nimbrel acquires Meridon for $300M'],
      ],
    )
    const [first] = itemsOf(read)
    assert.deepEqual([first?.document.kind, first?.document.published_date], ['mention', dayOf(0)])
    assert.deepEqual([read.more, read.outcome === 'items' && read.state?.file], [false, stamp(0)])
    assert.equal(reported.get('GDELT'), null)
    assert.equal(askedFor('masterfilelist'), 0)
    assert.equal((await reading(one, { file: stamp(0) })).read.outcome, 'nothing')
  })

  test('a run reads one file and the next one continues after it; a day is caught up, and older files are skipped, which is reported', async () => {
    setAccounts('Acme Robotics')
    const made = [300, 95, 40, 1, 0].map((before) =>
      story(`Acme Robotics, ${before} periods ago`, ['Acme Robotics'], before),
    )
    setNews({ stories: made })
    const all = await readAll({ file: stamp(200) })
    assert.deepEqual(
      titles(all),
      [95, 40, 1, 0].map((before) => `Acme Robotics, ${before} periods ago`),
    )
    assert.deepEqual([all.length, reasons(all).length], [96, 1])
    assert.match(reasons(all)[0] ?? '', /^GDELT was not read for a day: its files before .* UTC were skipped\.$/)
    // Without a state, the same day is read, and nothing is missing.
    const { read: first } = await reading(one, null)
    assert.deepEqual([titles([first]), reasons([first]), first.more], [['Acme Robotics, 95 periods ago'], [], true])
    // A run that was killed is repeated, with the same keys.
    const keys = async () => itemsOf((await reading(one, from(40))).read).map(({ key }) => key)
    assert.deepEqual(await keys(), await keys())
    assert.match(
      net.internet.requests.findLast(({ url }) => url.includes('masterfile'))?.headers.range ?? '',
      /^bytes=-/,
    )
  })

  test('a listed file that does not exist and periods that are not listed are reported, and the following files are read', async () => {
    setAccounts('Acme Robotics')
    setNews({ stories: [0, 1, 2, 3].map((before) => story(`Acme Robotics ${before}`, ['Acme Robotics'], before)) })
    alter = (answer, { url }) => (url.href.includes(`${stamp(2)}.gkg`) ? { status: 404 } : answer)
    const all = await readAll(from(3))
    assert.deepEqual(titles(all), ['Acme Robotics 3', 'Acme Robotics 1', 'Acme Robotics 0'])
    assert.match(reasons(all).join(), /^GDELT lists a file that does not exist: that of \S+ \S+ UTC\.$/)
    const unlisted = new RegExp(`^.*(?:${stamp(2)}|${stamp(1)}).*\n`, 'gm')
    alter = altering((body) => body.replaceAll(unlisted, ''))
    const rest = await readAll(from(3))
    assert.deepEqual(titles(rest), ['Acme Robotics 3', 'Acme Robotics 0'])
    assert.match(reasons(rest).join(), /^GDELT lists no files for 2 periods of 15 minutes before/)
  })

  test('an outage, and files that are damaged or in another format, have failed and are read again', async () => {
    setAccounts('Acme Robotics')
    const stories = [1, 0].map((before) => story(`Acme Robotics ${before}`, ['Acme Robotics'], before))
    for (const outage of OUTAGES) {
      setNews({ stories }, { gdelt: outage })
      const { read, reported } = await reading(one, from(1), outage === 'stall' ? 100 : undefined)
      assert.ok(read.outcome === 'failed' && (read.state?.file ?? from(1).file) === from(1).file, outage)
      assert.ok(reported.get('GDELT'), outage)
    }
    // A file that cannot be fetched does not delay the following ones for ever either.
    setNews({ stories })
    alter = (answer, { url }) => (url.href.includes('.gkg.') ? { status: 403 } : answer)
    const { read: refused } = await reading(one, { ...from(1), attempts: 10 })
    assert.ok(refused.outcome === 'failed' && !refused.more && refused.state?.attempts === 11)
    const { read: skipped } = await reading(one, refused.state)
    assert.ok(skipped.outcome === 'failed' && skipped.more && skipped.state?.file === stamp(1))
    assert.match(skipped.reason, /It was skipped\.$/)
    const damaging = (damage: (body: Buffer) => Buffer): typeof alter => {
      return (answer, { url }) => {
        const isFile = answer !== null && typeof answer === 'object' && url.href.includes('.gkg.')
        return isFile ? { ...answer, body: damage(Buffer.from(answer.body as Buffer)) } : answer
      }
    }
    const format = /^GDELT failed: unexpected response format\./
    const damage = /^The file of GDELT of .* UTC could not be read\. The (?:file differs|archive is damaged)/
    const without = (column: number) => (columns: string[]) => columns.toSpliced(column, 1)
    const cases: [name: string, change: typeof alter, reason: RegExp][] = [
      ['truncated', damaging((body) => body.subarray(0, body.length / 2)), damage],
      ['one byte', damaging((body) => body.fill(body[60] === 1 ? 2 : 1, 60, 61)), damage],
      ['no list', altering(() => 'moved'), format],
      ['a column less', changing('gkg.csv', without(17)), format],
      ['a column more', changing('gkg.csv', (columns) => [...columns, '']), format],
      ['no titles', changing('gkg.csv', (columns) => columns.with(26, '<PAGE_LINKS></PAGE_LINKS>')), format],
      ['other organisations', changing('gkg.csv', (columns) => columns.with(14, '["Acme Robotics"]')), format],
      ['no addresses', changing('gkg.csv', (columns) => columns.with(4, 'news.example')), format],
      ['no tone', changing('gkg.csv', (columns) => columns.with(15, 'neutral')), format],
    ]
    for (const [name, change, reason] of cases) {
      setNews({ stories })
      alter = change
      const state = name === 'no list' ? null : from(1)
      const { read, reported } = await reading(one, state)
      assert.ok(read.outcome === 'failed' && !read.more, `${name} ${JSON.stringify(read)}`)
      assert.match(read.reason, reason, name)
      assert.match(reported.get('GDELT')?.message ?? '', reason, name)
      if (name === 'no list') continue
      // It is read again, and after the third time the following files are no longer delayed.
      const again = (await reading(one, read.state)).read
      assert.deepEqual([again.outcome, again.more ?? false], ['failed', false], name)
      const last = (await reading(one, again.outcome === 'failed' ? (again.state ?? null) : null)).read
      assert.ok(last.outcome === 'failed' && last.more && last.state?.file === stamp(1), name)
      assert.match(last.reason, /It was skipped\.$/, name)
      alter = (answer) => answer
      assert.deepEqual(titles(await readAll(read.state ?? null)), ['Acme Robotics 1', 'Acme Robotics 0'], name)
    }
  })

  test('an archive that decompresses to too much or differs from its header or its listed checksum is damaged', async () => {
    setAccounts()
    const bomb = zip('bomb', Buffer.alloc(50 * 1024 * 1024, 'a'))
    const lying = Buffer.from(bomb)
    lying.writeUInt32LE(100, lying.length - 22 - 46 - 4 + 24)
    const wrong = zip('wrong', 'one\ttwo\n')
    wrong.writeUInt8(wrong.readUInt8(wrong.length - 22 - 51 + 16) ^ 1, wrong.length - 22 - 51 + 16)
    const sumOf = (body: Buffer) => createHash('md5').update(body).digest('hex')
    for (const [body, md5, reason] of [
      [bomb, sumOf(bomb), /The file has a row that is too long/],
      [lying, sumOf(lying), /The archive is damaged/],
      [wrong, sumOf(wrong), /The archive is damaged/],
      [zip('other', 'one\ttwo\n'), sumOf(wrong), /The file differs/],
    ] as const) {
      const line = `${body.length} ${md5} http://data.gdeltproject.org/gdeltv2/${stamp(0)}.gkg.csv.zip\n`
      setNews({})
      alter = (answer, { url }) => {
        if (answer === null || typeof answer === 'string') return answer
        return { ...answer, body: url.href.endsWith('.txt') ? line : body }
      }
      const { read } = await reading(one, from(0))
      assert.match(read.outcome === 'failed' ? read.reason : '', reason)
    }
  })

  test('a story is kept once, of a company those that most sites report, and of a day a limited number', async () => {
    setAccounts('Acme Robotics', 'Tern Ltd')
    const many = Array.from({ length: 8 }, (_, n) =>
      story(`Story ${n} of the market`, ['Acme Robotics'], 0, { outlets: 1 + ((n * 3) % 8) }),
    )
    const copies = [1, 2, 3].map(() => story('The same everywhere', ['Tern Ltd']))
    setNews({ stories: [...many, ...copies] })
    const { read } = await reading(one, from(0))
    const most = ['Story 5', 'Story 2', 'Story 7', 'Story 4', 'Story 1'].map((name) => `${name} of the market`)
    assert.deepEqual([...titles([read])].sort(), [...most, 'The same everywhere'].sort())
    // Without the mentions there is no such order, which is reported.
    alter = (answer, { url }) => (url.href.includes('mentions') ? { status: 404 } : answer)
    const unordered = (await reading(one, from(0))).read
    assert.equal(itemsOf(unordered).length, 6)
    assert.match(reasons([unordered]).join(), /mentions of events in GDELT .* could not be read/)
    alter = changing('mentions.CSV', (columns) => columns.slice(1))
    assert.match(reasons([(await reading(one, from(0))).read]).join(), /mentions of events in GDELT/)
    alter = (answer) => answer
    const full = { ...from(0), day: dayOf(0), kept: 4_998 }
    const rest = (await reading(one, full)).read
    assert.equal(itemsOf(rest).length, 2)
    assert.match(reasons([rest]).join(), /more articles than are kept of a day: 4 of .* were left out/)
    assert.equal(rest.outcome === 'items' && rest.state?.kept, full.kept + 2)
    // Leads are chosen in the same way, and of them a limited number in every file.
    const names = Array.from({ length: 15 }, (_, n) => `Nimbrel${'abcdefghijklmno'[n]}`)
    setNews({ stories: names.map((name, n) => story(`${name} raises $5M`, [], 0, { outlets: n + 1 })) })
    const leads = itemsOf((await reading(one, full)).read).map(({ company }) => company.name)
    assert.deepEqual(leads, names.slice(5).reverse())
    // An account among them is stored beyond this number, but is no lead; one that is among the first is a lead like the others.
    setAccounts(names[0] as string, names[14] as string)
    const marked = itemsOf((await reading(one, from(0))).read).map(({ company, isLead }) => [company.name, isLead])
    assert.deepEqual(marked.slice(0, 2), [
      [names[14], undefined],
      [names[0], false],
    ])
    assert.equal(marked.length, 11)
    // The first period of a day leaves most of the day's articles to the others.
    setAccounts('Acme Robotics')
    setNews({ stories: ['first', 'second', 'third'].map((n) => story(`The ${n} robot`, ['Acme Robotics'], 95)) })
    const early = (await reading(one, { ...from(95), day: dayOf(95), kept: 415 })).read
    assert.deepEqual([itemsOf(early).length, early.outcome === 'items' && early.state?.kept], [1, 416])
  })
})

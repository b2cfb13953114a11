import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Filing } from '../../../sandbox/types.ts'
import { company, daysAgo, vendorNet } from '../../../test/support/vendors.ts'
import { describeFormD, parseFormD } from '../../engine/filings/form-d.ts'
import type { SourceResult } from '../types.ts'
import { readableName } from './edgar.ts'
import { secFilings } from './sec.ts'
import { secLeads } from './sec-leads.ts'

const net = await vendorNet()
after(() => net[Symbol.asyncDispose]())

const acme = company('Acme Robotics', { cik: 1001 })
const SINCE = daysAgo(90)

function filing(form: string, more: Partial<Filing> = {}): Filing {
  const number = Math.random().toString().slice(2, 8)
  return {
    cik: 1001,
    company: 'ACME ROBOTICS, INC.',
    form,
    accession: `0001001-26-${number}`,
    filed: daysAgo(4),
    document: form.startsWith('D') ? 'primary_doc.xml' : 'main.htm',
    text: 'Nothing of note.',
    ...more,
  }
}

const notice = filing('D', {
  offering: { sold: 12_000_000, offered: 15_000_000, first_sale: daysAgo(9), industry: 'Other Technology' },
})
const departure = filing('8-K', {
  filed: daysAgo(2),
  text: 'Item 5.02 Departure of Directors or Certain Officers; Election of Directors.\nOn Monday, Acme Robotics, Inc. appointed Jane Roe as Chief Financial Officer.',
})

function world(filings: Filing[]): void {
  net.world = { ...net.world, companies: [acme], filings, outages: {} }
  net.asked()
}

test('recent filings become documents: event forms with their text, reports with their title', async () => {
  world([notice, departure, filing('10-K'), filing('4'), filing('10-Q', { filed: daysAgo(200) })])
  const found = listOf(await secFilings.find(net.deps(), acme, SINCE))
  assert.deepEqual(
    found.map(({ title, published_date, kind }) => [title, published_date, kind]),
    [
      [
        'Acme Robotics: Form 8-K: current report on departure, election or appointment of directors or officers',
        daysAgo(2),
        'filing',
      ],
      ['Acme Robotics: Form D: notice of an exempt offering of securities', daysAgo(4), 'filing'],
      ['Acme Robotics: Form 10-K: annual report', daysAgo(4), 'filing'],
    ],
  )
  assert.match(found[0]?.text ?? '', /appointed Jane Roe/)
  const accession = notice.accession.replaceAll('-', '')
  assert.equal(found[1]?.url, `https://www.sec.gov/Archives/edgar/data/1001/${accession}/xslFormDX01/primary_doc.xml`)
  assert.match(found[1]?.text ?? '', /^Acme Robotics raised \$12,000,000 in an exempt offering of equity securities\./)
  assert.deepEqual(net.asked().slice(0, 2), [
    'https://efts.sec.gov/LATEST/search-index?keysTyped=acme+robotics',
    'https://data.sec.gov/submissions/CIK0000001001.json',
  ])
})

test('requests contain an email address in the user agent', async () => {
  world([notice])
  await secFilings.find(net.deps({ OUTBOUND_CONTACT: 'https://acme.example/+ops@acme.example' }), acme, SINCE)
  const agents = new Set(net.internet.requests.slice(-3).map(({ headers }) => headers['user-agent']))
  assert.deepEqual([...agents], ['Bellwether ops@acme.example'])
})

test('filings of a company with a longer name are excluded', async () => {
  world([filing('8-K', { cik: 7, company: 'Acme Robotics Europe Holdings, Inc.' })])
  net.world = { ...net.world, companies: [{ ...acme, cik: null }] }
  assert.deepEqual(await secFilings.find(net.deps(), acme, SINCE), { outcome: 'nothing' })
})

test('two registrants with the same name are both excluded', async () => {
  world([notice, filing('8-K', { cik: 7, company: 'Acme Robotics Corp' })])
  assert.deepEqual(await secFilings.find(net.deps(), acme, SINCE), { outcome: 'nothing' })
})

test('a filing that cannot be opened keeps its title', async () => {
  world([notice])
  const deps = net.deps()
  const request: typeof deps.outbound.request = (url, options) =>
    deps.outbound.request(url.replace('/primary_doc.xml', '/gone.xml'), options)
  const found = await secFilings.find({ ...deps, outbound: { ...deps.outbound, request } }, acme, SINCE)
  assert.equal(listOf(found)[0]?.text, 'Acme Robotics filed Form D: notice of an exempt offering of securities.')
  assert.match(
    (found as { reason?: string }).reason ?? '',
    /^One filing could not be opened\. SEC EDGAR lists a document/,
  )
})

test('a Form D proves a funding round, an amendment does not', async () => {
  world([notice, filing('D/A', { offering: notice.offering })])
  const found = listOf(await secFilings.find(net.deps(), acme, SINCE))
  const told = found.map(({ title, text, tells }) => [
    title?.endsWith('(amended)'),
    /raised \$12/.test(text),
    tells?.length,
  ])
  assert.deepEqual(told.toSorted(), [
    [false, true, 1],
    [true, false, undefined],
  ])
})

test('a report asserts the signals of its items, opened or not; an amendment asserts none', async () => {
  const text = 'Item 2.05 Costs Associated with Exit or Disposal Activities.'
  world([
    filing('8-K', { text }),
    filing('8-K/A', { text }),
    departure,
    filing('8-K', { text: 'Item 2.01 Completion.', industry: '6798' }),
  ])
  const deps = net.deps()
  const request: typeof deps.outbound.request = (url, options) =>
    deps.outbound.request(url.replace('/main.htm', '/gone.htm'), options)
  for (const outbound of [deps.outbound, { ...deps.outbound, request }]) {
    const found = listOf(await secFilings.find({ ...deps, outbound }, { ...acme, domain: 'acme-robotics.io' }, SINCE))
    assert.deepEqual(
      found.flatMap(({ tells }) => tells ?? []),
      [
        {
          signal_id: 'layoffs',
          claim:
            'Acme Robotics reported to the regulator costs of exit or disposal activities, such as ending jobs or closing sites (Form 8-K, item 2.05).',
        },
      ],
    )
  }
})

test('a registrant without a website is included only with other proof of its identity', async () => {
  const cases: [proof: string, name: string, domain: string | null, text: string, isTaken: boolean][] = [
    ['a domain made of the whole name', 'Acme Robotics', 'acme-robotics.io', '', true],
    ['a domain made of the name’s first word', 'Acme Robotics', 'acme.io', '', true],
    ['a domain made of other words', 'Acme Robotics', 'armsandmore.com', '', false],
    ['a filing that names the domain', 'Acme Robotics', 'armsandmore.com', 'See www.armsandmore.com.', true],
    ['a filing that names a longer domain', 'Acme Robotics', 'arms.com', 'See www.harms.com.', false],
    ['the name with its legal form', 'Acme Robotics, Inc.', 'armsandmore.com', '', true],
    ['the name with another legal form', 'Acme Robotics GmbH', 'armsandmore.com', '', false],
    ['the name with its legal form, without a domain', 'Acme Robotics Inc', null, '', true],
    ['nothing', 'Acme Robotics', null, 'See www.acme.com.', false],
  ]
  for (const [proof, name, domain, text, isTaken] of cases) {
    world([filing('8-K', { text: `Item 8.01 Other Events. ${text}` })])
    const found = await secFilings.find(net.deps(), { name, domain }, SINCE)
    assert.equal(found.outcome, isTaken ? 'items' : 'nothing', proof)
  }
})

test('a single-word name is proof only with a .com domain, whatever its legal form', async () => {
  for (const [name, domain, outcome] of [
    ['Linear', 'linear.com', 'items'],
    ['Linear', 'linear.app', 'nothing'],
    ['Linear Corp', 'linear.app', 'nothing'],
    ['Linear Corp', null, 'nothing'],
  ] as const) {
    world([filing('8-K', { company: 'LINEAR CORP' })])
    net.world = { ...net.world, companies: [] }
    assert.equal((await secFilings.find(net.deps(), { name, domain }, SINCE)).outcome, outcome, `${name} ${domain}`)
  }
})

test('a proof that may be in an unreadable filing is a failure, not an empty result', async () => {
  world([filing('8-K')])
  const deps = net.deps()
  const request: typeof deps.outbound.request = (url, options) =>
    deps.outbound.request(url.replace('/main.htm', '/gone.htm'), options)
  const company = { name: 'Acme Robotics', domain: 'armsandmore.com' }
  const found = await secFilings.find({ ...deps, outbound: { ...deps.outbound, request } }, company, SINCE)
  assert.equal(found.outcome, 'failed')
})

test('Form D filings of a fund are dropped, opened or not', async () => {
  const offering = { sold: 9_000_000, offered: null, first_sale: null, industry: 'Pooled Investment Fund' }
  world([...Array.from({ length: 15 }, () => filing('D', { offering })), filing('10-K')])
  const found = listOf(await secFilings.find(net.deps(), acme, SINCE))
  assert.deepEqual(
    found.map(({ title }) => title),
    ['Acme Robotics: Form 10-K: annual report'],
  )
})

test('filings become leads with readable company names; funds do not', async () => {
  const fund = filing('D', {
    cik: 8,
    company: 'BIG FUND III LP',
    offering: { sold: 9_000_000, offered: null, first_sale: null, industry: 'Pooled Investment Fund' },
  })
  const released = { ...departure, exhibit: 'A press release.' }
  world([notice, fund, released, filing('D', { cik: 9, filed: daysAgo(200) })])
  const leads = listOf(await secLeads.leads(net.deps(), ['funding', 'leadership_change', 'hiring'], SINCE, 10))
  assert.deepEqual(
    leads.map(({ company, signal_id }) => [company.name, signal_id]),
    [
      ['Acme Robotics, Inc.', 'funding'],
      ['Acme Robotics, Inc.', 'leadership_change'],
    ],
  )
  assert.match(leads[1]?.document.text ?? '', /appointed Jane Roe/)
  const search = new URL(net.asked()[0] as string)
  assert.deepEqual(Object.fromEntries(search.searchParams), {
    q: '',
    forms: 'D',
    dateRange: 'custom',
    startdt: SINCE,
    enddt: daysAgo(0),
  })
})

test('a signal that no filing shows causes no request', async () => {
  world([notice])
  assert.deepEqual(await secLeads.leads(net.deps(), ['hiring'], SINCE, 10), { outcome: 'nothing' })
  assert.deepEqual(net.asked(), [])
})

test('filings whose documents are unreadable are a failure, not an empty result', async () => {
  world([notice])
  const deps = net.deps()
  const request: typeof deps.outbound.request = (url, options) =>
    deps.outbound.request(url.replace('www.sec.gov/Archives', 'www.sec.gov/Nowhere'), options)
  const found = await secLeads.leads({ ...deps, outbound: { ...deps.outbound, request } }, ['funding'], SINCE, 10)
  assert.equal(found.outcome, 'failed')
})

test('the description of a Form D contains only known values', () => {
  const form = parseFormD(
    '<edgarSubmission><primaryIssuer><entityName>X</entityName></primaryIssuer></edgarSubmission>',
  )
  assert.equal(describeFormD(form, 'X'), 'X gave notice of an exempt offering of securities. Nothing was sold yet.')
  assert.equal(parseFormD('no xml at all').entity, null)
})

test('names of registrants are cleaned of suffixes', () => {
  const names: [string, string][] = [
    ['ACME ROBOTICS, INC.  (ACMR)  (CIK 0000001001)', 'Acme Robotics, Inc.'],
    ['ACME CORP /DE/', 'Acme Corp'],
    ['ACME BIO, INC.', 'Acme Bio, Inc.'],
    ['IBM CREDIT LLC', 'IBM Credit LLC'],
    ['Apple Inc.', 'Apple Inc.'],
  ]
  for (const [name, readable] of names) assert.equal(readableName(name), readable)
})

function listOf<T>(found: SourceResult<T>): T[] {
  assert.equal(found.outcome, 'items', JSON.stringify(found))
  return (found as { items: T[] }).items
}

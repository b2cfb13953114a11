import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Filing } from '../../../sandbox/types.ts'
import { company, daysAgo, vendorNet } from '../../../test/support/vendors.ts'
import { detect } from '../../engine/detect.ts'
import type { Found } from '../types.ts'
import { readableName } from './edgar.ts'
import { readFormD, tellFormD } from './form-d.ts'
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
    document: form === 'D' ? 'primary_doc.xml' : 'main.htm',
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

test('recent filings come as documents: what matters with its text, reports by their title', async () => {
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

test('the engine finds in a notice that money was raised', async () => {
  world([notice])
  const [document] = listOf(await secFilings.find(net.deps(), acme, SINCE))
  const { detections } = detect({ id: '1', company: acme, title: document?.title ?? '', text: document?.text ?? '' })
  assert.deepEqual(
    detections.map(({ signal_id }) => signal_id),
    ['funding'],
  )
})

test('requests say who asks, by an email address', async () => {
  world([notice])
  await secFilings.find(net.deps({ OUTBOUND_CONTACT: 'https://acme.example/+ops@acme.example' }), acme, SINCE)
  const agents = new Set(net.internet.requests.slice(-3).map(({ headers }) => headers['user-agent']))
  assert.deepEqual([...agents], ['Bellwether ops@acme.example'])
})

test('without an email address nothing is asked, and the answer says what to set', async () => {
  world([notice])
  const deps = net.deps({ OUTBOUND_CONTACT: 'https://acme.example' })
  for (const found of [await secFilings.find(deps, acme, SINCE), await secLeads.leads(deps, ['funding'], SINCE, 5)]) {
    assert.match(found.outcome === 'failed' ? found.reason : '', /OUTBOUND_CONTACT/)
  }
  assert.deepEqual(net.asked(), [])
})

test('filings of a company with a longer name are not taken', async () => {
  world([filing('8-K', { cik: 7, company: 'Acme Robotics Europe Holdings, Inc.' })])
  net.world = { ...net.world, companies: [{ ...acme, cik: null }] }
  assert.deepEqual(await secFilings.find(net.deps(), acme, SINCE), { outcome: 'nothing' })
})

test('of two registrants with one name neither is taken', async () => {
  world([notice, filing('8-K', { cik: 7, company: 'Acme Robotics Corp' })])
  assert.deepEqual(await secFilings.find(net.deps(), acme, SINCE), { outcome: 'nothing' })
})

test('a filing that cannot be opened keeps its title', async () => {
  world([notice])
  const deps = net.deps()
  const request: typeof deps.outbound.request = (url, options) =>
    deps.outbound.request(url.replace('/primary_doc.xml', '/gone.xml'), options)
  const found = listOf(await secFilings.find({ ...deps, outbound: { ...deps.outbound, request } }, acme, SINCE))
  assert.equal(found[0]?.text, 'Acme Robotics filed Form D: notice of an exempt offering of securities.')
})

test('companies become leads by their filings, with readable names; funds do not', async () => {
  const fund = filing('D', {
    cik: 8,
    company: 'BIG FUND III LP',
    offering: { sold: 9_000_000, offered: null, first_sale: null, industry: 'Pooled Investment Fund' },
  })
  world([notice, fund, departure, filing('D', { cik: 9, filed: daysAgo(200) })])
  const leads = listOf(await secLeads.leads(net.deps(), ['funding', 'leadership_change', 'hiring'], SINCE, 10))
  assert.deepEqual(
    leads.map(({ company, signal_id }) => [company.name, signal_id]),
    [
      ['Acme Robotics, Inc.', 'funding'],
      ['Acme Robotics, Inc.', 'leadership_change'],
    ],
  )
  const search = new URL(net.asked()[0] as string)
  assert.deepEqual(Object.fromEntries(search.searchParams), {
    q: '',
    forms: 'D',
    dateRange: 'custom',
    startdt: SINCE,
    enddt: daysAgo(0),
  })
})

test('a signal that no filing shows is not asked about', async () => {
  world([notice])
  assert.deepEqual(await secLeads.leads(net.deps(), ['hiring'], SINCE, 10), { outcome: 'nothing' })
  assert.deepEqual(net.asked(), [])
})

test('filings whose documents are out of reach are a failure, not nothing', async () => {
  world([notice])
  const deps = net.deps()
  const request: typeof deps.outbound.request = (url, options) =>
    deps.outbound.request(url.replace('www.sec.gov/Archives', 'www.sec.gov/Nowhere'), options)
  const found = await secLeads.leads({ ...deps, outbound: { ...deps.outbound, request } }, ['funding'], SINCE, 10)
  assert.equal(found.outcome, 'failed')
})

test('a notice says no more than it knows', () => {
  const form = readFormD('<edgarSubmission><primaryIssuer><entityName>X</entityName></primaryIssuer></edgarSubmission>')
  assert.equal(tellFormD(form, 'X'), 'X gave notice of an exempt offering of securities. Nothing was sold yet.')
  assert.equal(readFormD('no xml at all').entity, null)
})

test('names of registrants are read without their notes', () => {
  const names: [string, string][] = [
    ['ACME ROBOTICS, INC.  (ACMR)  (CIK 0000001001)', 'Acme Robotics, Inc.'],
    ['ACME CORP /DE/', 'Acme Corp'],
    ['IBM CREDIT LLC', 'IBM Credit LLC'],
    ['Apple Inc.', 'Apple Inc.'],
  ]
  for (const [name, readable] of names) assert.equal(readableName(name), readable)
})

function listOf<T>(found: Found<T>): T[] {
  assert.equal(found.outcome, 'items', JSON.stringify(found))
  return (found as { items: T[] }).items
}

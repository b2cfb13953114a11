import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FoundEvent, groupEventsAcrossSignals } from './across-signals.ts'
import { createFingerprint, type EventReport, isSameEvent } from './index.ts'

const report = (claim: string, date: string, more: Partial<EventReport> = {}): EventReport => ({
  signal_id: 'partnership',
  claim,
  date,
  published_date: date,
  source_url: null,
  ...more,
})
const same = (a: EventReport, b: EventReport) =>
  isSameEvent(createFingerprint(a, 'Halden Robotics'), createFingerprint(b, 'Halden Robotics')) &&
  isSameEvent(createFingerprint(b, 'Halden Robotics'), createFingerprint(a, 'Halden Robotics'))

const funding = { signal_id: 'funding' }
const people = { signal_id: 'leadership_change' }

test('a further report shares names or figures with the first', () => {
  const first = report(
    'Halden Robotics raised capital: Halden Robotics closed a $40 million Series B led by Vantor.',
    '2026-11-02',
    funding,
  )
  assert.ok(same(first, report('Vantor Capital leads $40 million round for Halden Robotics.', '2026-11-05', funding)))
})

test('two rounds with different sums are two events', () => {
  const seed = report('Halden Robotics closed a $4 million seed round led by Brightwell.', '2026-11-02', funding)
  assert.ok(!same(seed, report('Halden Robotics raised a $40 million Series B from Vantor.', '2026-11-08', funding)))
})

test('two reports of a rare signal within days are one event, even without a common word', () => {
  const incident = { signal_id: 'security_incident' }
  const first = report('The company confirmed a data breach.', '2026-11-02', incident)
  assert.ok(same(first, report('Attackers entered its systems.', '2026-11-06', incident)))
  assert.ok(!same(first, report('Attackers entered its systems.', '2026-11-15', incident)))
})

for (const [one, two] of [
  [
    'Halden Robotics names Jane Doe as Chief Financial Officer',
    'Halden Robotics appoints John Smith as Chief Technology Officer',
  ],
  ['Halden Robotics Opens New Office In Munich', 'Halden Robotics Opens New Office In Paris'],
  [
    'Halden Robotics Announces Strategic Partnership With Siemens',
    'Halden Robotics Announces Strategic Partnership With Oracle',
  ],
  ['Halden Robotics Completes Acquisition of Beta Labs', 'Halden Robotics Completes Acquisition of Gamma Works'],
  ['Halden Robotics wins a contract with Deutsche Bahn.', 'Halden Robotics wins a contract with Deutsche Post.'],
  ['Halden Robotics launches the Atlas 2 robot', 'Halden Robotics launches the Atlas 3 robot'],
] as const) {
  test(`"${one}" and "${two}" are two events`, () => {
    assert.ok(!same(report(one, '2026-11-02'), report(two, '2026-11-10')))
    assert.ok(same(report(one, '2026-11-02'), report(`${one} today`, '2026-11-10')))
  })
}

test('the same page continues to report the same event, and months later another one', () => {
  const page = { source_url: 'https://halden.example/news/1' }
  const first = report('It works with Siemens.', '2026-10-01', page)
  assert.ok(same(first, report('It works with Oracle.', '2026-11-01', page)))
  assert.ok(!same(first, report('It works with Oracle.', '2027-03-01', page)))
  assert.ok(!same(first, report('It works with Siemens.', '2026-10-01', { ...page, signal_id: 'ipo' })))
})

test('the same sentence on the same page is the same event, whatever its dates', () => {
  const page = { source_url: 'https://halden.example/news/1' }
  const dated = report('It raised $20 million this year.', '2026-01-01', { ...page, published_date: '2026-11-10' })
  assert.ok(same(dated, report('It raised $20 million this year.', '2026-11-10', page)))
})

test('pages published together report one event, even if only one gives its day', () => {
  const first = report('Halden Robotics acquired Beta Labs.', '2026-08-01', { published_date: '2026-11-02' })
  assert.ok(same(first, report('Halden Robotics has bought Beta Labs.', '2026-11-05')))
})

test('a month later it is another event', () => {
  const first = report('Halden Robotics works with Carvane in Lyon.', '2026-09-01')
  assert.ok(!same(first, report('Halden Robotics works with Carvane in Lyon again.', '2026-10-20')))
})

test('open positions on two boards are one event', () => {
  const hiring = { signal_id: 'hiring' }
  const first = report('Halden is hiring: it lists 6 open positions, among them Buyer.', '2026-11-01', hiring)
  const second = report('Halden is hiring: it lists 9 open positions, among them Welder.', '2026-11-20', hiring)
  assert.ok(same(first, second))
  assert.ok(!same(first, { ...second, date: '2027-02-01', published_date: '2027-02-01' }))
})

test('a heading is the same event when the text below it names what the other reports', () => {
  const release = report('Halden Robotics appoints Anand Krishnamurthy as Chief Medical Officer.', '2026-11-02', people)
  const heading = report('Item 5.02 Appointment of Certain Officers.', '2026-11-02', people)
  const context = 'On November 2 the Board appointed Anand Krishnamurthy, age 52, as the Chief Medical Officer.'
  assert.ok(!same(release, heading))
  assert.ok(same(release, { ...heading, context }))
})

test('a headline without names is the event whose only name is in its text', () => {
  const launch = { signal_id: 'product_launch' }
  const first = report(
    'AUSTIN, Texas, November 2, 2026 -- Halden Robotics today launched Negotiate, a shared workspace.',
    '2026-11-02',
    launch,
  )
  const title = 'Halden Robotics launches shared redlining'
  const context = `${title} Halden Robotics has launched Negotiate, which lets both parties edit one document.`
  assert.ok(same(first, report(title, '2026-11-03', { ...launch, context })))
  const other = `${title} Halden Robotics has launched Redline.`
  assert.ok(!same(first, report(title, '2026-11-03', { ...launch, context: other })))
})

const found = (signal_id: string, detected_at: string, claim: string): FoundEvent => ({
  signal_id,
  detected_at,
  evidence: [{ claim, source_url: null }],
})
const grouped = (...events: FoundEvent[]) =>
  groupEventsAcrossSignals(events, 'Halden Robotics').map((group) => group.map(({ signal_id }) => signal_id))

test('a described signal joins one event of a built-in signal, never two', () => {
  const buys = 'Halden Robotics raised $40 million to acquire the warehouse software maker Lakeside.'
  const [funding, described, acquisition] = ['funding', 'growth_capital', 'acquisition'].map((id) =>
    found(id, '2026-05-01', buys),
  ) as [FoundEvent, FoundEvent, FoundEvent]
  assert.deepEqual(grouped(funding, described, acquisition), [['funding', 'growth_capital'], ['acquisition']])
  assert.deepEqual(grouped(described, funding, acquisition), [['growth_capital', 'funding'], ['acquisition']])
  const raised = 'Halden Robotics raised $40 million of growth capital from existing investors.'
  assert.deepEqual(
    grouped(
      found('funding', '2026-05-01', raised),
      found('growth_capital', '2026-05-15', raised),
      found('funding', '2026-06-01', raised),
    ),
    [['funding', 'growth_capital'], ['funding']],
  )
})

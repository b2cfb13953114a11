import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameEvent, type Told } from './events.ts'

const told = (claim: string, date: string | null, source_url: string | null = null, signal_id = 'funding'): Told => ({
  signal_id,
  claim,
  date,
  source_url,
})
const same = (a: Told, b: Told) => isSameEvent(a, b, 'Halden Robotics')

test('a retelling shares names or figures with the first telling', () => {
  const first = told(
    'Halden Robotics raised capital: Halden Robotics closed a $40 million Series B led by Vantor.',
    '2026-11-02',
  )
  assert.ok(same(first, told('Vantor leads $40 million round for Halden Robotics.', '2026-11-05')))
})

test('two rounds with different sums are two events', () => {
  const seed = told('Halden Robotics closed a $4 million seed round led by Brightwell.', '2026-11-02')
  const series = told('Halden Robotics raised a $40 million Series B from Vantor.', '2026-11-08')
  assert.ok(!same(seed, series))
})

test('news of a seldom kind within days is one event, though no word is shared', () => {
  const first = told('The company confirmed a data breach.', '2026-11-02', null, 'security_incident')
  assert.ok(same(first, told('Attackers entered its systems.', '2026-11-06', null, 'security_incident')))
  assert.ok(!same(first, told('Attackers entered its systems.', '2026-11-15', null, 'security_incident')))
})

test('two appointments in one week are two events', () => {
  const one = told(
    'Halden Robotics appointed Mira Solberg as Chief Financial Officer.',
    '2026-11-02',
    null,
    'leadership_change',
  )
  const two = told('Halden Robotics named Jonas Eck its VP of Sales.', '2026-11-04', null, 'leadership_change')
  assert.ok(!same(one, two))
})

test('the same page tells the same event, and another signal never does', () => {
  const page = 'https://halden.example/news/1'
  assert.ok(same(told('It is hiring 12.', '2026-10-01', page), told('It is hiring 30.', '2026-11-01', page)))
  assert.ok(!same(told('It is hiring 12.', '2026-06-01', page), told('It is hiring 30.', '2026-11-01', page)))
  assert.ok(!same(told('Same words.', '2026-11-01', page), told('Same words.', '2026-11-01', page, 'ipo')))
})

test('a month later it is another event', () => {
  const first = told('Halden Robotics opened an office in Lyon with Carvane.', '2026-09-01', null, 'expansion')
  assert.ok(
    !same(first, told('Halden Robotics opened a second office in Lyon with Carvane.', '2026-10-20', null, 'expansion')),
  )
})

test('a heading is the same event when the text below it names what the other tells', () => {
  const release = told(
    'Halden Robotics today announced the appointment of Anand Krishnamurthy as Chief Medical Officer.',
    '2026-11-02',
    null,
    'leadership_change',
  )
  const heading = told('Item 5.02 Appointment of Certain Officers.', '2026-11-02', null, 'leadership_change')
  const text = 'On November 2 the Board appointed Anand Krishnamurthy, age 52, as the Chief Medical Officer.'
  assert.ok(!same(release, heading))
  assert.ok(same(release, { ...heading, context: text }))
  assert.ok(same({ ...heading, context: text }, release))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOpenings, parseOpeningsClaim, summarizeOpenPositions } from './open-positions.ts'

const position = (title: string, department: string | null, published_date: string | null) => ({
  title,
  department,
  published_date,
})

test('several positions opened within the window are a signal that names them', () => {
  const positions = [
    position('Robotics Engineer', 'Engineering', '2026-11-01'),
    position('Field Engineer', 'Engineering', '2026-11-10'),
    position('Account Executive', 'Sales', null),
    position('Old Role', 'Sales', '2025-01-01'),
  ]
  assert.deepEqual(summarizeOpenPositions('Halden', positions, '2026-08-17'), {
    claim:
      'Halden is hiring: it lists 3 open positions: 2 in Engineering (Robotics Engineer, Field Engineer), 1 in Sales (Account Executive).',
    confidence: 0.81,
    latest: '2026-11-10',
  })
})

test('one or two open positions are no signal', () => {
  assert.equal(summarizeOpenPositions('Halden', [position('A', null, null), position('B', null, null)], null), null)
})

test('positions are grouped by department, and shortened where one department has several', () => {
  const inShort = (departments: (string | null)[]) => {
    const { claim = '' } =
      summarizeOpenPositions(
        'Halden',
        departments.map((one, at) => position(`Job ${at}`, one, null)),
        null,
      ) ?? {}
    const openings = parseOpeningsClaim(claim)
    return [claim.replace(/^.* open positions/, ''), openings && formatOpenings(openings)]
  }
  assert.deepEqual(inShort(['IT', 'Sales', 'Legal']), [', among them Job 0, Job 1, Job 2.', 'lists 3 open positions'])
  assert.deepEqual(inShort([null, 'IT', 'Sales', 'IT', 'IT', 'IT', 'IT', 'Legal', 'Field']), [
    ', among them 5 in IT (among them Job 1, Job 3, Job 4), 1 in Sales (Job 2), 1 in Legal (Job 7).',
    'lists 9 open positions, 5 in IT',
  ])
  const old = parseOpeningsClaim('Halden is hiring: it lists 6 open positions, 3 of them in IT, among them A, B.')
  assert.deepEqual(old, { count: 6, largest: { count: 3, department: 'IT' }, titles: ['A', 'B'] })
  assert.equal(parseOpeningsClaim('Halden is hiring 300 people'), null)
})

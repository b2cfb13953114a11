import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHiring } from './hiring.ts'

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
  assert.deepEqual(readHiring('Halden', positions, '2026-08-17'), {
    claim:
      'Halden is hiring: it lists 3 open positions, 2 of them in Engineering, among them Robotics Engineer, Field Engineer, Account Executive.',
    confidence: 0.81,
    latest: '2026-11-10',
  })
})

test('one or two open positions are the ordinary coming and going', () => {
  assert.equal(readHiring('Halden', [position('A', null, null), position('B', null, null)], null), null)
})

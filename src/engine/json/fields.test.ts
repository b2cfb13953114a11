import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateAt } from './fields.ts'

test('a date is read from text or milliseconds, if it exists', () => {
  const days: [unknown, string | null][] = [
    ['2026-04-03T10:00:00-04:00', '2026-04-03'],
    ['2026-04-03', '2026-04-03'],
    [Date.UTC(2026, 3, 3), '2026-04-03'],
    ['2026-02-31', null],
    ['2026-13-01', null],
    ['0001-01-01T00:00:00Z', null],
    ['soon', null],
    [0, null],
    [8e15, null],
    [null, null],
  ]
  for (const [value, day] of days) assert.equal(dateAt({ at: value }, 'at'), day, String(value))
})

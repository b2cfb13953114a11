import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatAgo, formatCount, formatDayAndAgo, formatMinute } from './format-time.ts'

test('times are shown as ages and in the local time zone', () => {
  const now = Date.parse('2026-11-16T06:11:30Z')
  const at = (time: string) => formatAgo(time, now)
  assert.deepEqual(
    ['2026-11-16T06:11:00Z', '2026-11-16T06:09:55Z', '2026-11-15T08:00:00Z', '2026-11-15T06:00:00Z'].map(at),
    ['just now', '1 min ago', '22 h ago', '1 day ago'],
  )
  assert.deepEqual(['2026-11-01T00:00:00Z', '2026-01-01T00:00:00Z'].map(at), ['15 days ago', '2026-01-01'])
  assert.deepEqual(
    ['2026-11-16', '2026-11-15', '2026-11-13', '2026-01-01', '2026-12-01'].map((day) => formatDayAndAgo(day, now)),
    ['2026-11-16, today', '2026-11-15, yesterday', '2026-11-13, 3 days ago', '2026-01-01', '2026-12-01'],
  )
  assert.deepEqual([formatCount(1, 'account'), formatCount(0, 'account')], ['1 account', '0 accounts'])
  const zone = process.env.TZ
  process.env.TZ = 'Asia/Tokyo'
  try {
    assert.equal(formatMinute('2026-11-16T20:11:30Z'), '2026-11-17 05:11')
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

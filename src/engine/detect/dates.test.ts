import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageInDays, findDatelineDate, findEventDate, findPublishedDate } from './dates.ts'

test('datelines are parsed in their usual formats', () => {
  assert.equal(findDatelineDate('LYON, France, March 3, 2025 -- Orlova'), '2025-03-03')
  assert.equal(findDatelineDate('LYON – 3 March 2025 – Orlova'), '2025-03-03')
  assert.equal(findDatelineDate('(Wire) Monday Sept. 8, 2025 @ 7:00 — Orlova'), '2025-09-08')
  assert.equal(findDatelineDate('Released 2025-03-03 by Orlova'), '2025-03-03')
  assert.equal(findDatelineDate('Posted 25/12/2024: Orlova'), '2024-12-25')
  assert.equal(findDatelineDate('Orlova may open 3 plants'), null)
})

test('metadata takes precedence over the dateline, unless it is unreadable', () => {
  assert.equal(findPublishedDate('2025-05-01T10:00:00Z', 'LYON, March 3, 2025'), '2025-05-01')
  assert.equal(findPublishedDate('soon', 'LYON, March 3, 2025'), '2025-03-03')
})

test('a day without a year is the nearest one to the publication', () => {
  assert.deepEqual(findEventDate('It opens on January 9.', '2024-12-20'), { date: '2025-01-09', precision: 'day' })
  assert.deepEqual(findEventDate('It opened on December 9.', '2025-01-20'), { date: '2024-12-09', precision: 'day' })
})

test('relative dates count from the publication', () => {
  assert.deepEqual(findEventDate('Orlova said yesterday', '2025-03-01'), { date: '2025-02-28', precision: 'day' })
  assert.deepEqual(findEventDate('Orlova bought it three years ago', '2025-03-01')?.date.slice(0, 4), '2022')
  assert.deepEqual(findEventDate('Orlova bought it last year', '2025-03-01'), { date: '2024-01-01', precision: 'year' })
})

test('a month or a bare year keeps its precision', () => {
  assert.deepEqual(findEventDate('in March of 2019', '2025-03-01'), { date: '2019-03-01', precision: 'month' })
  assert.deepEqual(findEventDate('in 2019', null), { date: '2019-01-01', precision: 'year' })
  assert.equal(ageInDays({ date: '2024-01-01', precision: 'year' }, '2025-01-10'), 11)
})

test('a sentence without a date has none', () => {
  assert.equal(findEventDate('Orlova may open 3 plants with 2000 people', '2025-03-01'), null)
})

test('a day that does not exist is ignored', () => {
  assert.equal(findPublishedDate('2026-02-31', 'LYON, March 3, 2025'), '2025-03-03')
  assert.equal(findPublishedDate('February 31, 2026', ''), null)
  assert.equal(findPublishedDate('2026-02-28T23:30:00-05:00', ''), '2026-02-28')
  for (const text of ['September 31, 2026', '31 September 2026', '2026-09-31', '2/30/2026', '2026-13-01']) {
    assert.equal(findDatelineDate(`LYON, ${text} -- Orlova`), null, text)
    assert.notEqual(findEventDate(`It opened on ${text}.`, null)?.precision, 'day', text)
  }
  assert.equal(findEventDate('It opens on February 30.', '2026-01-20'), null)
  assert.equal(findEventDate('It opens in March 0000.', null), null)
  assert.deepEqual(findEventDate('It opened on February 29.', '2026-01-20'), { date: '2024-02-29', precision: 'day' })
})

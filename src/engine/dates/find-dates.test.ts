import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDates, guessDateOrder, parseDate } from './find-dates.ts'

const WRITTEN: [string, string][] = [
  ['Posted April 22nd, 2020 by Ada', '2020-04-22'],
  ['22 Apr 2020', '2020-04-22'],
  ['Mittwoch, 22. April 2020', '2020-04-22'],
  ['Wien, 3. Jänner 2021', '2021-01-03'],
  ['le 1er mai 2021', '2021-05-01'],
  ['Publié le 14 août 2023 à 9h', '2023-08-14'],
  ['3 de mayo de 2021', '2021-05-03'],
  ['14 gennaio 2020', '2020-01-14'],
  ['7 de março de 2022', '2022-03-07'],
  ['28 mrt. 2019', '2019-03-28'],
  ['5 października 2024', '2024-10-05'],
  ['9 KASIM 2023', '2023-11-09'],
  ['28 июня 2020', '2020-06-28'],
  ['2020年4月22日', '2020-04-22'],
  ['18/10/2021', '2021-10-18'],
  ['18.10.2021, 14:05 Uhr', '2021-10-18'],
  ['2021/10/18', '2021-10-18'],
]

for (const [text, day] of WRITTEN) {
  test(`"${text}" is ${day}`, () => assert.equal(findDates(text, 'day-first')[0]?.date, day))
}

test('a date that cannot exist is skipped', () => {
  for (const text of [
    '31 February 2026',
    '2021-13-01',
    'version 1.2.2021.4',
    '12 apples 2020',
    '45.10.2021',
    'May 2020',
  ])
    assert.deepEqual(findDates(text, 'day-first'), [], text)
})

test('numeric dates are read in the order of the language, where it is known', () => {
  assert.equal(findDates('3/4/2026', 'month-first')[0]?.date, '2026-03-04')
  assert.equal(findDates('3/4/2026', 'day-first')[0]?.date, '2026-04-03')
  assert.equal(findDates('3.4.2026', 'month-first')[0]?.date, '2026-04-03')
  assert.equal(parseDate('3/4/2026'), null)
  assert.equal(parseDate('13/4/2026'), '2026-04-13')
  assert.deepEqual(
    [
      guessDateOrder('en-US', 'a.com'),
      guessDateOrder('en', 'a.co.uk'),
      guessDateOrder('de', 'a.com'),
      guessDateOrder(null, 'a.com'),
    ],
    ['month-first', 'day-first', 'day-first', 'month-first'],
  )
})

test('a two-digit year is read only where a date is expected', () => {
  assert.deepEqual(findDates('Release 22.04.20', 'day-first'), [])
  assert.equal(findDates('22.04.20', 'day-first', { short: true })[0]?.date, '2020-04-22')
})

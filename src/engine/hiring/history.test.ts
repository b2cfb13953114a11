import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHiringChange } from './change-claims.ts'
import {
  classifyOpening,
  countOpenings,
  detectHiringFreeze,
  findHiringChanges,
  type ObservedOpening,
} from './history.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)

const opening = (url: string, more: Partial<ObservedOpening> = {}): ObservedOpening => {
  const title = more.title ?? 'Account Executive'
  const place = { location: 'Leeds, United Kingdom', country_code: 'GB' }
  return { url, title, ...classifyOpening(title, null), ...place, published_date: null, first_seen: day(0), ...more }
}

const many = (count: number, name: string, more: Partial<ObservedOpening> = {}) =>
  Array.from({ length: count }, (_, n) => opening(`https://jobs.example/${name}-${n}`, more))

/** The changes found in the last snapshot; each snapshot is a day and the positions listed on it. */
function changesIn(
  snapshots: readonly (readonly [number, readonly ObservedOpening[]])[],
  home: string[] = [],
): string[] {
  const counted = snapshots.map(([at, openings]) => countOpenings(day(at), openings))
  const [, last = []] = snapshots.at(-1) ?? []
  const found = findHiringChanges(
    { name: 'Acme', home },
    counted.slice(0, -1),
    counted.at(-1) as (typeof counted)[number],
    last,
  )
  return found.map(({ claim }) => parseHiringChange(claim)?.key ?? claim)
}

const usual = many(10, 'usual')
const weeks = (...at: number[]) => at.map((n) => [n, usual] as const)

test('a surge exceeds the months before it and is reported once', () => {
  const grown = [...usual, ...many(6, 'new', { first_seen: day(70) })]
  assert.deepEqual(changesIn([...weeks(0, 28, 56), [70, grown]]), ['surge'])
  // Too few snapshots, too short a time, too small an increase.
  assert.deepEqual(changesIn([...weeks(0, 28), [70, grown]]), [])
  assert.deepEqual(changesIn([...weeks(50, 53, 56), [70, grown]]), [])
  assert.deepEqual(changesIn([...weeks(0, 28, 56), [70, grown.slice(0, 14)]]), [])
  const large = many(20, 'large')
  const more = [...large, ...many(6, 'new', { first_seen: day(70) })]
  assert.deepEqual(changesIn([...[0, 28, 56].map((at) => [at, large] as const), [70, more]]), [])
  // The snapshot of last week already showed the surge; one with half of the growth did not.
  const later = [...grown, ...many(1, 'later', { first_seen: day(77) })]
  assert.deepEqual(changesIn([...weeks(0, 28, 56), [70, grown], [77, later]]), [])
  assert.deepEqual(changesIn([...weeks(0, 28, 56), [70, grown.slice(0, 12)], [77, later]]), ['surge'])
  // No surge: as many positions as in an earlier snapshot, or no new postings.
  assert.deepEqual(changesIn([...weeks(0, 28), [42, grown], ...weeks(56), [70, grown]]), [])
  assert.deepEqual(changesIn([...weeks(0, 28, 56), [70, many(16, 'usual')]]), [])
})

test('a first country, a first leader and a first department are reported where the board never had them', () => {
  const before = weeks(0, 20, 40, 60)
  const fresh = (name: string, more: Partial<ObservedOpening>) => opening(name, { first_seen: day(70), ...more })
  const german = { location: 'Berlin, Germany', country_code: 'DE' }
  const withAdded = (...added: ObservedOpening[]) => changesIn([...before, [70, [...usual, ...added]]])
  assert.deepEqual(withAdded(fresh('a', german)), ['in Germany'])
  assert.deepEqual(withAdded(fresh('a', { ...german, location: 'Remote - Germany' })), [])
  assert.deepEqual(withAdded(fresh('a', { ...german, published_date: day(-30) })), [])
  assert.deepEqual(withAdded(fresh('a', { title: 'Head of Security' })), ['leading Security'])
  assert.deepEqual(withAdded(fresh('a', { title: 'VP Sales' })), ['leading Sales'])
  assert.deepEqual(withAdded(fresh('a', { title: 'Security Analyst' })), [])
  assert.deepEqual(withAdded(fresh('a', { title: 'Security Analyst' }), fresh('b', { title: 'Security Engineer' })), [
    'in Security',
  ])
  assert.deepEqual(withAdded(fresh('a', { title: 'Executive Assistant' }), fresh('b', { title: 'Office Manager' })), [])
  // A country where the company already is.
  assert.deepEqual(changesIn([...before, [70, [...usual, fresh('a', german)]]], ['DE']), [])
  // Too short a baseline, and a baseline with many positions of unknown country.
  assert.deepEqual(changesIn([...weeks(20, 40, 60), [70, [...usual, fresh('a', german)]]]), [])
  const unplaced = many(3, 'unplaced', { location: null, country_code: null })
  assert.deepEqual(changesIn([...before, [65, [...usual, ...unplaced]], [70, [...usual, fresh('a', german)]]]), [])
  // All positions in the new country: the company moved, or its board is parsed differently.
  assert.deepEqual(changesIn([...before, [70, [fresh('a', german)]]]), [])
  // The board's department counts where the title names none.
  assert.deepEqual(
    [classifyOpening('Wizard', 'Legal').department, classifyOpening('Wizard', null).department],
    ['Legal', 'Other'],
  )
})

test('a freeze is few open positions in two snapshots a week apart, where many were usual', () => {
  const snapshot = ([at, count]: readonly [number, number]) => countOpenings(day(at), many(count, 'any'))
  const freeze = (...counts: (readonly [number, number])[]) => detectHiringFreeze(counts.map(snapshot))
  const before = [
    [0, 20],
    [14, 24],
    [28, 22],
  ] as const
  assert.deepEqual(freeze(...before, [42, 3], [49, 0]), {
    since: day(42),
    open: 0,
    usual: 22,
    text: 'Job boards list no open positions, after usually 22 (the median of 3 looks since 1 January 2026).',
  })
  assert.equal(freeze(...before, [42, 3], [49, 4], [56, 1])?.since, day(42))
  assert.equal(freeze(...before, [42, 3]), null)
  assert.equal(freeze(...before, [42, 3], [43, 0]), null)
  assert.equal(freeze(...before, [42, 9], [49, 8]), null)
  assert.equal(freeze(...before, [42, 0], [49, 0], [56, 15]), null)
  assert.equal(freeze([0, 6], [14, 6], [28, 6], [42, 0], [49, 0]), null)
  assert.equal(freeze(), null)
})

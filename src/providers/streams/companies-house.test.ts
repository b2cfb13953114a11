import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RegisterFiling } from '../../../sandbox/types.ts'
import { altering, itemsOf, OUTAGES, renaming, startStreamVendors } from '../../../test/support/streams.ts'
import { daysAgo } from '../../../test/support/vendors.ts'
import { companiesHouseStream } from './companies-house.ts'
import { type FeedResult, type FeedState, MAX_ITEMS } from './types.ts'

const { alter, lookups, reading, setWorld } = await startStreamVendors()

const DAY = daysAgo(3)
const one = { stream: companiesHouseStream, feed: 'filings' }
const director = (timepoint: number, more: Partial<RegisterFiling> = {}): RegisterFiling => ({
  timepoint,
  company: '01234567',
  id: `filing-${timepoint}`,
  category: 'officers',
  type: 'AP01',
  description: 'appoint-person-director-company-with-name-date',
  values: { officer_name: 'Mrs Jane Doe', appointment_date: daysAgo(4) },
  day: DAY,
  ...more,
})
const other = (timepoint: number) => director(timepoint, { company: '07654321' })
const left = {
  type: 'TM01',
  description: 'termination-director-company-with-name-termination-date',
  values: { officer_name: 'John Roe', termination_date: daysAgo(4) },
}
const from = (timepoint: number) => ({ timepoint })
const told = (read: FeedResult) => itemsOf(read).map(({ document }) => document.tells?.map(({ claim }) => claim))

test('keeps directors of accounts while the connection stays open, and continues at the last timepoint', async () => {
  setWorld({ register_filings: [director(10), director(11, left), other(12)] })
  lookups.length = 0
  const { read, reported } = await reading(one, from(10))
  const [item] = itemsOf(read)
  assert.deepEqual(told(read), [[`Acme Robotics Limited reported that John Roe left as a director on ${daysAgo(4)}.`]])
  assert.deepEqual([item?.company.domain, item?.about, item?.hints?.named], [null, [], []])
  assert.deepEqual(item?.ref, { register: 'companies-house', register_id: '01234567' })
  assert.equal(item?.document.tells?.[0]?.signal_id, 'leadership_change')
  assert.deepEqual(lookups, [['01234567', '07654321']])
  assert.deepEqual(read.outcome !== 'failed' && read.state, from(12))
  assert.equal(reported.get(companiesHouseStream.name), null)

  setWorld({ register_filings: [director(10), director(11), other(12), director(13)] })
  const next = (await reading(one, from(12))).read
  assert.deepEqual(told(next), [[`Acme Robotics Limited appointed Mrs Jane Doe as a director on ${daysAgo(4)}.`]])
  assert.deepEqual((await reading(one, from(13))).read, { outcome: 'nothing', state: from(13) })
})

test('begins with the next event, and reports filings that are no longer available as missing', async () => {
  setWorld({})
  assert.deepEqual((await reading(one)).read, { outcome: 'nothing', state: null })
  setWorld({ register_filings: [director(10), director(11)] })
  const first = (await reading(one)).read
  assert.deepEqual([itemsOf(first).length, first.outcome === 'items' && first.state], [1, from(11)])
  const gap = (await reading(one, from(3))).read
  assert.deepEqual([itemsOf(gap).length, gap.outcome === 'items' && gap.state], [1, from(11)])
  assert.match(
    (gap.outcome === 'items' && gap.reason) || '',
    /filings since the last run: those in between are missing/,
  )
  setWorld({ register_filings: [other(10), other(11)] })
  const none = (await reading(one, from(3))).read
  assert.ok(none.outcome === 'nothing' && none.reason?.includes('are missing'), JSON.stringify(none))
})

test('a filing that proves no change of leadership is no item', async () => {
  const officer = (values: Record<string, string>) => ({ values })
  setWorld({
    register_filings: [
      director(11, { category: 'accounts', description: 'accounts-with-accounts-type-full', values: {} }),
      director(12, { category: 'mortgage', description: 'mortgage-create-with-deed', values: {} }),
      director(13, { description: 'appoint-person-secretary-company-with-name-date' }),
      director(14, officer({ officer_name: 'Bolt Directors Limited' })),
      director(15, officer({ officer_name: 'Jane Doe', appointment_date: daysAgo(400) })),
      director(16, { day: daysAgo(90) }),
    ],
  })
  assert.deepEqual((await reading(one, from(11))).read, { outcome: 'nothing', state: from(16) })
})

test('a failed connection and a changed format are reported failures, and a cut one continues', async () => {
  for (const outage of OUTAGES) {
    setWorld({ register_filings: [director(11)] }, { 'companies-house-stream': outage })
    const { read, reported } = await reading(one, from(11), outage === 'stall' ? 100 : undefined)
    assert.equal(read.outcome, 'failed', `${outage} ${JSON.stringify(read)}`)
    assert.ok(reported.get(companiesHouseStream.name), outage)
  }
  for (const field of ['timepoint', 'resource_uri', 'description', 'date']) {
    setWorld({ register_filings: [director(11), director(12)] })
    alter(renaming(field))
    const { read, reported } = await reading(one, from(11))
    assert.equal(read.outcome, 'failed', field)
    assert.match(reported.get(companiesHouseStream.name)?.message ?? '', /failed: unexpected response format/)
  }
  setWorld({ register_filings: [director(11), director(12)] })
  let sent = 0
  alter(
    altering((piece) => {
      if (++sent === 2) throw new Error('The server fails.')
      return piece
    }),
  )
  const { read } = await reading(one, from(11))
  assert.deepEqual([itemsOf(read).length, read.outcome === 'items' && read.state], [1, from(12)])
  assert.match((read.outcome === 'items' && read.reason) || '', /connection failed/)
})

test('entries that cannot be read are reported, and filings of which none has the name of a director have failed', async () => {
  const unreadable = director(12, { company: 'none' })
  setWorld({ register_filings: [director(11), unreadable, director(13)] })
  const { read } = await reading(one, from(11))
  assert.deepEqual([itemsOf(read).length, read.outcome === 'items' && read.state], [1, from(13)])
  assert.match((read.outcome === 'items' && read.reason) || '', /^1 of 2 entries of Companies House filings could not/)

  const unnamed = Array.from({ length: 10 }, (_, i) => other(12 + i)).map((filing) => ({ ...filing, values: {} }))
  setWorld({ register_filings: [director(11), ...unnamed] })
  const changed = await reading(one, from(11))
  assert.equal(changed.read.outcome, 'failed', JSON.stringify(changed.read))
  assert.match(changed.reported.get(companiesHouseStream.name)?.message ?? '', /failed: unexpected response format/)
  setWorld({ register_filings: [director(11), ...unnamed, director(22)] })
  assert.equal(itemsOf((await reading(one, from(11))).read).length, 1)
})

test('a run over a backlog is limited, and the next one continues', async () => {
  // The first one that counts is of another company, so that batches end before the limit.
  const filings = Array.from({ length: 4_000 }, (_, i) => (i === 1 ? other(11 + i) : director(11 + i)))
  setWorld({ register_filings: filings })
  const keys = new Set<string>()
  let state: FeedState['state'] = from(11)
  for (let run = 0; run < 2; run++) {
    const { read } = await reading(one, state)
    const found = itemsOf(read)
    assert.ok(found.length >= 1_500 && found.length <= MAX_ITEMS, String(found.length))
    for (const { key } of found) keys.add(key)
    if (run === 0) assert.match((read.outcome === 'items' && read.reason) || '', /has more filings/)
    state = read.outcome === 'failed' ? state : read.state
  }
  assert.equal(keys.size, 3_998)
})

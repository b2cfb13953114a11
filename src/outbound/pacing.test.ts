import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settle } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import { type Pace, Pacing } from './pacing.ts'

/** A clock that the test advances; waits end when it passes their time. */
function fakeClock() {
  let time = 0
  let waiting: { at: number; resolve: () => void }[] = []
  const clock: Clock = {
    now: () => time,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        waiting.push({ at: time + ms, resolve })
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const moveTo = async (at: number) => {
    time = at
    const due = waiting.filter((one) => one.at <= time)
    waiting = waiting.filter((one) => one.at > time)
    for (const { resolve } of due) resolve()
    await settle()
  }
  return { clock, moveTo }
}

function setUp(pace: Omit<Pace, 'kind'>) {
  const { clock, moveTo } = fakeClock()
  const pacing = new Pacing(clock)
  const page = { kind: 'page', ...pace }
  /** When each call started. */
  const starts: number[] = []
  const call = (options: { host?: string; until?: Promise<void>; signal?: AbortSignal } = {}) =>
    pacing.run(
      page,
      options.host ?? 'a.example',
      async () => {
        starts.push(clock.now())
        await options.until
      },
      options.signal,
    )
  return { pacing, page, starts, call, moveTo }
}

test('calls to one host start at the interval', async () => {
  const { starts, call, moveTo } = setUp({ intervalMs: 100 })
  const calls = [call(), call(), call()]
  for (const at of [0, 99, 100, 199, 200]) await moveTo(at)
  await Promise.all(calls)
  assert.deepEqual(starts, [0, 100, 200])
})

test('hosts are independent of each other, and so are kinds', async () => {
  const { pacing, page, starts, call } = setUp({ intervalMs: 100 })
  await Promise.all([call(), call({ host: 'b.example' })])
  await pacing.run({ ...page, kind: 'feed' }, 'a.example', async () => starts.push(0))
  assert.deepEqual(starts, [0, 0, 0])
})

test('after an idle time a burst starts at once, then the interval applies again', async () => {
  const { starts, call, moveTo } = setUp({ intervalMs: 100, burst: 3 })
  const first = Array.from({ length: 5 }, () => call())
  for (const at of [0, 100, 200]) await moveTo(at)
  await Promise.all(first)
  assert.deepEqual(starts, [0, 0, 0, 100, 200])
  await moveTo(10_000)
  const second = Array.from({ length: 4 }, () => call())
  await settle()
  assert.equal(starts.length, 8)
  await moveTo(10_099)
  assert.equal(starts.length, 8)
  await moveTo(10_100)
  await Promise.all(second)
})

test('the concurrency limit is respected in FIFO order', async () => {
  const { pacing, page } = setUp({ intervalMs: 0, concurrency: 2 })
  const started: number[] = []
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const calls = ends.map(({ promise }, number) =>
    pacing.run(page, 'a.example', () => {
      started.push(number)
      return promise
    }),
  )
  await settle()
  assert.deepEqual(started, [0, 1])
  ends[1]?.resolve()
  await settle()
  assert.deepEqual(started, [0, 1, 2])
  ends[0]?.reject(new Error('failed'))
  await assert.rejects(calls[0] as Promise<void>, /failed/)
  await settle()
  assert.deepEqual(started, [0, 1, 2, 3])
  for (const { resolve } of ends) resolve()
  await Promise.all(calls.slice(1))
})

test('a call that is aborted while it waits releases its slot', async () => {
  const { starts, call, moveTo } = setUp({ intervalMs: 100, concurrency: 1 })
  const end = Promise.withResolvers<void>()
  const [queued, turning] = [new AbortController(), new AbortController()]
  const first = call({ until: end.promise })
  const second = call({ signal: queued.signal })
  const third = call({ signal: turning.signal })
  const last = call()
  queued.abort()
  await assert.rejects(second, { kind: 'aborted' })
  end.resolve()
  await first
  await settle()
  turning.abort()
  await assert.rejects(third, { kind: 'aborted' })
  await assert.rejects(call({ signal: AbortSignal.abort() }), { kind: 'aborted' })
  for (const at of [100, 200]) await moveTo(at)
  await last
  assert.deepEqual(starts, [0, 200])
})

test('a Retry-After delays later calls and those already waiting', async () => {
  const { pacing, page, starts, call, moveTo } = setUp({ intervalMs: 100 })
  const calls = [call(), call()]
  await settle()
  pacing.hold(page, 'a.example', 5_000)
  for (const at of [100, 4_999]) await moveTo(at)
  assert.deepEqual(starts, [0])
  await moveTo(5_000)
  await Promise.all(calls)
  assert.deepEqual(starts, [0, 5_000])
})

test('a pause is never longer than a minute', async () => {
  const { pacing, page, starts, call, moveTo } = setUp({ intervalMs: 100 })
  pacing.hold(page, 'a.example', 86_400_000)
  const waiting = call()
  await settle()
  await moveTo(60_000)
  await waiting
  assert.deepEqual(starts, [60_000])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Breaker } from './breaker.ts'
import { OutboundError, type OutboundErrorKind } from './errors.ts'

function setUp() {
  const clock = { time: 0, now: () => clock.time, wait: async () => {} }
  const breaker = new Breaker(clock, { failures: 3, pauseMs: 1_000, maxPauseMs: 3_000 })
  let calls = 0
  const succeed = () => breaker.run('a.example', async () => ++calls)
  const fail = (kind: OutboundErrorKind = 'connect') =>
    assert.rejects(
      breaker.run('a.example', async () => {
        calls++
        throw new OutboundError(kind)
      }),
      { kind },
    )
  const isOpen = async () => {
    const before = calls
    await assert.rejects(succeed(), { kind: 'circuit_open' })
    assert.equal(calls, before)
  }
  return { clock, breaker, succeed, fail, isOpen }
}

test('the circuit of a host opens after consecutive failures, without effect on other hosts', async () => {
  const { breaker, succeed, fail, isOpen } = setUp()
  for (const _ of [1, 2]) await fail()
  await succeed()
  for (const _ of [1, 2, 3]) await fail()
  await isOpen()
  assert.equal(await breaker.run('b.example', async () => 'b'), 'b')
})

test('responses, rejected URLs and aborts do not open the circuit', async () => {
  const { succeed, fail } = setUp()
  for (const kind of ['aborted', 'not_allowed', 'too_large', 'redirect', 'protocol'] as const) await fail(kind)
  await succeed()
})

test('after the pause one call goes through, and its success closes the circuit', async () => {
  const { clock, breaker, succeed, fail, isOpen } = setUp()
  for (const _ of [1, 2, 3]) await fail()
  clock.time = 999
  await isOpen()
  clock.time = 1_000
  const { promise, resolve } = Promise.withResolvers<string>()
  const probe = breaker.run('a.example', () => promise)
  await isOpen()
  resolve('back')
  assert.equal(await probe, 'back')
  await succeed()
  await fail()
  await succeed()
})

test('a failed probe doubles the pause, up to a limit', async () => {
  const { clock, fail, isOpen } = setUp()
  for (const _ of [1, 2, 3]) await fail()
  for (const pause of [1_000, 2_000, 3_000, 3_000]) {
    clock.time += pause - 1
    await isOpen()
    clock.time += 1
    await fail()
  }
})

test('after an aborted probe the next call is the probe', async () => {
  const { clock, succeed, fail } = setUp()
  for (const _ of [1, 2, 3]) await fail()
  clock.time = 1_000
  await fail('aborted')
  await succeed()
})

test('calls that were running when the circuit opened do not extend the pause', async () => {
  const { clock, breaker, succeed } = setUp()
  const { promise, reject } = Promise.withResolvers<never>()
  const calls = Array.from({ length: 10 }, () => breaker.run('a.example', () => promise))
  reject(new OutboundError('timeout'))
  await Promise.allSettled(calls)
  clock.time = 1_000
  await succeed()
})

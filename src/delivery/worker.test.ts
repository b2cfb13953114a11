import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateAfter } from './worker.ts'

const PAUSES = [10, 30]
const pauseAfter = (status: number | null, retryAfter: number | null, attempts = 0) =>
  stateAfter({ result: 'retry', status, retryAfter }, attempts, PAUSES).retry_in

test('a response may request another pause; without a response the pause is never shorter', () => {
  assert.equal(pauseAfter(503, 1), 1)
  assert.equal(pauseAfter(429, 60), 60)
  assert.ok(pauseAfter(null, 1) >= 5, 'as long as the usual pause')
  assert.equal(pauseAfter(null, 60), 60)
  assert.deepEqual(stateAfter({ result: 'retry', status: null, retryAfter: 1 }, 2, PAUSES).state, 'failed')
})

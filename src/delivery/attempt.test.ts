import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterAttempt } from './attempt.ts'

const PAUSES = [10, 30]
const pauseAfter = (status: number | null, retryAfter: number | null, attempts = 0) =>
  afterAttempt({ result: 'retry', status, retryAfter }, attempts, PAUSES).retry_in

test('a receiver may ask for another pause; a host that is left alone for a moment makes none shorter', () => {
  assert.equal(pauseAfter(503, 1), 1)
  assert.equal(pauseAfter(429, 60), 60)
  assert.ok(pauseAfter(null, 1) >= 5, 'as long as it would have been')
  assert.equal(pauseAfter(null, 60), 60)
  assert.deepEqual(afterAttempt({ result: 'retry', status: null, retryAfter: 1 }, 2, PAUSES).state, 'failed')
})

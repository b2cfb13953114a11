import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenReport, isPlain, judge, readPairs, scoreOf } from '../../../test/support/event-pairs.ts'

const pairs = readPairs()
const judged = pairs.map((pair) => judge(pair, givenReport(pair, pair.a), givenReport(pair, pair.b)))

test('difficult reports of one event are distinguished from follow-ups and other events as well as measured', () => {
  const { pairs, f1 } = scoreOf(judged.filter(({ pair }) => !isPlain(pair)))
  assert.ok(pairs >= 200 && f1 >= 0.94, `F1 ${f1.toFixed(3)} on ${pairs} pairs`)
})

test('simple reports of one event are distinguished from other events, in either order', () => {
  assert.ok(scoreOf(judged.filter(({ pair }) => isPlain(pair))).f1 >= 0.95)
  const turned = pairs.map((pair) => judge(pair, givenReport(pair, pair.b), givenReport(pair, pair.a)))
  assert.deepEqual(turned, judged)
})

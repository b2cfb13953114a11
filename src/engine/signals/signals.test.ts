import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { descriptions } from '../../../scripts/write-descriptions.ts'
import { BUILTIN_SIGNALS, SIGNAL_IDS, signalName } from './index.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('training data has the same built-in signals as their records', () => {
  assert.equal(read('training/descriptions.json'), descriptions(), 'run "npm run docs"')
})

test('the classifier was trained for the built-in signals, in their order', () => {
  assert.deepEqual(JSON.parse(read('weights/reader.json')).signals, SIGNAL_IDS)
})

test('no two built-in signals have the same color or predicate', () => {
  for (const values of [
    BUILTIN_SIGNALS.map(({ color }) => color),
    BUILTIN_SIGNALS.flatMap(({ sides }) => sides.map(({ predicate }) => predicate)),
  ])
    assert.deepEqual([...new Set(values)], values)
})

test('a custom signal is named after its id', () => {
  assert.equal(signalName('ipo'), 'IPO')
  assert.equal(signalName('warehouse_automation'), 'Warehouse automation')
})

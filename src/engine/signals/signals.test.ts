import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRIGGER_GROUPS } from '../detect/triggers.ts'
import weights from '../detect/weights.json' with { type: 'json' }
import { SIGNAL_IDS, signalName } from './index.ts'

test('every built-in signal has triggers and was trained', () => {
  assert.deepEqual(new Set(TRIGGER_GROUPS.map(({ signal }) => signal)), new Set(SIGNAL_IDS))
  assert.deepEqual(Object.keys(weights.signals).sort(), SIGNAL_IDS.toSorted())
})

test('a signal that is not built in is called by its id', () => {
  assert.equal(signalName('ipo'), 'IPO')
  assert.equal(signalName('warehouse_automation'), 'Warehouse automation')
})

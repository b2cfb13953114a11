import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signalName } from './signals.ts'

test('a signal that is not built in is called by its id', () => {
  assert.equal(signalName('ipo'), 'IPO')
  assert.equal(signalName('warehouse_automation'), 'Warehouse automation')
})
